import Foundation
import ModelMirror
import ModelMirrorTesting
import Testing

private struct Opaque { var id = 0 }

private class Holder: AbstractModel {
    var opaque: Opaque?
    var other = 0
    override class var ignoredProperties: Set<String> { [] }
}

private class Counts: AbstractModel {
    var counts: [String: Int] = ["a": 1, "b": 2, "c": 3]
    var optional: [String: Int]? = ["a": 1]
    var tiny = 1.0
    var site: URL?
    var text = ""
    var list: [Int] = [7]
    var nested = Inner()
    var byName: [String: Inner] = [:]
    var wide = CGFloat(0)

    required init() {
        super.init()
        nested.b = 9
        let inner = Inner()
        inner.b = 9
        byName = ["x": inner]
    }
}

private class Inner: AbstractModel {
    var a: Int?
    var b = 2
}

private class BadFormat: AbstractModel {
    var name = ""
    override class var propertyDateFormats: [String: String] { ["name": "yyyy"] }
}

private class Deep: AbstractModel {
    var one: Inner?
    var list: [BadFormat] = []
}

private class Deeper: AbstractModel { var byName: [String: Deep] = [:] }

private class Base: AbstractModel {
    var any: AnyObject?
    var child: AbstractModel?
    override class var ignoredProperties: Set<String> { ["child"] }
}

private class Named: AbstractModel, ModelHashable {
    var id = 0
    var seen = 0
    static func == (left: Named, right: Named) -> Bool { left.id == right.id }
}

private class Colliding: AbstractModel {
    var userId = 0
    var userID = 0
}

private class Snake: AbstractModel {
    var htmlURL = ""
    override class var keyStrategy: KeyStrategy { .snakeCase }
}

private class Bare: AbstractModel { var child: AbstractModel? }

private class BareList: AbstractModel { var children: [AbstractModel] = [] }

@Suite("ModelCheck")
struct ModelCheckTests {
    @Test("ModelCheck reports class errors that mapping reports only for matching data")
    func check() {
        #expect(ModelCheck.check(Counts.self) == [])
        #expect(
            ModelCheck.check(Holder.self).map(\.description) == [
                "Holder cannot be mapped: nothing converts its property opaque of type Opaque?; give it a converter in "
                    + "propertyConverters, make the type JSONConvertible or Decodable, assign it in "
                    + "assign(undefinedValue:forProperty:), or name it in ignoredProperties."
            ])
        for name in ["opaque", "Holder.opaque"] {
            #expect(
                ModelCheck.check(Holder.self, assigned: [name]).map(\.reason) == [
                    "opaque cannot be written, since Opaque? has no JSON form; make it JSONConvertible or Encodable, give it a "
                        + "converter in propertyConverters, or name it in readOnlyProperties"
                ])
        }
        #expect(
            ModelCheck.check(BadFormat.self).map(\.reason) == [
                "propertyDateFormats gives name a format, but its type String holds no dates"
            ])
        #expect(ModelCheck.check(Base.self).map(\.reason).first?.contains("declare it as Any? or JSONValue?, ") == true)
        #expect(
            ModelCheck.check(Bare.self).map(\.reason) == [
                "its property child is of the class AbstractModel itself, which has no properties to map; declare a subclass, or name "
                    + "it in ignoredProperties"
            ])
        #expect(ModelCheck.check(BareList.self).map(\.property) == ["children"])
    }

    @Test("ModelCheck follows nested classes and applies the options of the call")
    func nested() {
        let reason = ["propertyDateFormats gives name a format, but its type String holds no dates"]
        #expect(ModelCheck.check(Deep.self).map(\.reason) == reason)
        #expect(ModelCheck.check(Deeper.self).map(\.model) == ["BadFormat"])
        #expect(ModelCheck.check(Named.self, options: MappingOptions(keyStrategy: .snakeCase)) == [])
        #expect(
            ModelCheck.check(Colliding.self, options: MappingOptions(keyStrategy: .snakeCase)).map(\.property) == [
                "userID"
            ])
        #expect(ModelCheck.check(Colliding.self) == [])
        #expect(
            ModelCheck.check(Snake.self, options: MappingOptions(dates: .format("Q"))).map(\.model) == ["Snake"])
        let error = #expect(throws: ModelError.self) { try Bare(json: "{}") }
        #expect(error?.description == ModelCheck.check(Bare.self)[0].description)
    }
}
