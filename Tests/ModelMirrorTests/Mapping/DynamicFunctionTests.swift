import ModelMirror
import ModelMirrorTesting
import Synchronization
import Testing

/// Type names, and a function for objects without one; a subclass selects again.
private class Media: AbstractModel, DynamicTypeModel {
    var url = ""
    class var typeNameProperty: String { "type" }
    class var dynamicTypes: [String: AbstractModel.Type] { ["film": Film.self, "photo": Photo.self] }
    class var dynamicTypeFallback: DynamicTypeFallback { .failure }
    class func dynamicType(for json: JSONValue) -> AbstractModel.Type? {
        if json["duration"] != nil { return Film.self }
        if json["stranger"] != nil { return Holder.self }
        return json["width"] == nil ? nil : Photo.self
    }
}
private final class Film: Media { var duration = 0 }
private class Photo: Media {
    var width = 0
    override class func dynamicType(for json: JSONValue) -> AbstractModel.Type? {
        json["depth"] == nil ? Photo.self : DeepPhoto.self
    }
}
private final class DeepPhoto: Photo { var depth = 0 }

private class Holder: AbstractModel {
    var media: Media?
    var film: Film?
    var second: Second?
}

/// Functions alone.
private class Part: AbstractModel, DynamicTypeModel {
    class var dynamicTypeFallback: DynamicTypeFallback { .baseClass }
    class func dynamicType(for json: JSONValue) -> AbstractModel.Type? { json["a"] == nil ? nil : First.self }
}
private class First: Part {
    var a = 0
    override class var dynamicTypeFallback: DynamicTypeFallback { .skip }
    override class func dynamicType(for json: JSONValue) -> AbstractModel.Type? {
        if json["stranger"] != nil { return Holder.self }
        return json["c"] != nil ? nil : json["b"] != nil ? Second.self : First.self
    }
}
private final class Second: First { var b = 0 }

/// Names below a function.
private class Vehicle: AbstractModel, DynamicTypeModel {
    class var typeNameProperty: String { "" }
    class var dynamicTypes: [String: AbstractModel.Type] { [:] }
    class func dynamicType(for json: JSONValue) -> AbstractModel.Type? { json["wheels"] == nil ? nil : Car.self }
}
private class Car: Vehicle {
    var wheels = 0
    override class var typeNameProperty: String { "brand" }
    override class var dynamicTypes: [String: AbstractModel.Type] { ["a": Roadster.self] }
}
private final class Roadster: Car { var top = 0 }

private let asked = Mutex<[String]>([])
private class Asking: AbstractModel, DynamicTypeModel {
    class var typeNameProperty: String { "type" }
    class var dynamicTypes: [String: AbstractModel.Type] { ["b": AskingMore.self] }
    class func dynamicType(for json: JSONValue) -> AbstractModel.Type? {
        asked.withLock { $0.append("\(json)") }
        return nil
    }
}
private final class AskingMore: Asking { var b = 0 }

private func names(_ objects: [AbstractModel]) -> [String] { objects.map { "\(type(of: $0))" } }

@Suite("dynamicType(for:)")
struct DynamicFunctionTests {
    @Test("Type names take precedence over dynamicType(for:); a selected subclass may select again")
    func namesFirst() throws {
        let (media, report) = try [Media].mapReporting(
            json: """
                [{"type": "film", "url": "", "duration": 1}, {"url": "", "duration": 2},
                 {"type": "photo", "url": "", "width": 3, "depth": 4}, {"url": "", "width": 5, "depth": 6},
                 {"type": "x", "url": "", "width": 7}, {"type": "film", "url": "", "width": 8, "duration": 9}]
                """)
        #expect(names(media) == ["Film", "Film", "DeepPhoto", "DeepPhoto", "Photo", "Film"])
        #expect((media[3] as? DeepPhoto)?.depth == 6)
        #expect(report.entries.map { "\($0.kind) \($0.path)" } == ["unknownKey $[5].width"])
        #expect(
            try media.prefix(2).map { try $0.jsonString() } == [
                #"{"type":"film","url":"","duration":1}"#, #"{"type":"film","url":"","duration":2}"#,
            ])
        #expect(try JSONMapper.value(Media.self, from: media[3].jsonData()) is DeepPhoto)
    }

    @Test("An object without a class uses the fallback; a class of another hierarchy is rejected")
    func unknown() throws {
        let expected = #"expected one of the type names "film", "photo", or an object that dynamicType(for:) knows, "#
        #expect(
            Thrown.text { try [Media](json: #"[{"url": "a"}]"#) }
                == "Media at $[0].type (line 1, column 2): \(expected)found no such key.")
        #expect(
            Thrown.text { try [Media](json: #"[{"type": "x"}]"#) }
                == "Media at $[0].type (line 1, column 11): \(expected)found the string \"x\".")
        let stranger = "dynamicType(for:) gives the class Holder, which is not a subclass of "
        #expect(Thrown.text { try [Media](json: #"[{"stranger": 1}]"#) } == "Media cannot be mapped: \(stranger)Media.")
        #expect(
            Thrown.text { try [Part](json: #"[{"a": 1, "stranger": 1}]"#) }
                == "First cannot be mapped: \(stranger)First.")
        // A sibling of the declared class is an invalid value, as with type names.
        #expect(try Holder(json: #"{"film": {"width": 1}}"#).film == nil)
        #expect(
            Thrown.text { try Holder(json: #"{"film": {"width": 1}}"#, options: .strict) }
                == "Holder.film at $.film (line 1, column 10): "
                + #"expected one of the type names "film", "#
                + "or an object for which dynamicType(for:) gives Film, found an object.")
        #expect(
            try Holder.mapReporting(json: #"{"second": {"a": 1}}"#).report.description
                == "skipped: Holder.second at $.second (line 1, column 12): "
                + "expected an object for which dynamicType(for:) gives Second, found an object.")
    }

    @Test("dynamicType(for:) selects level by level, each with the fallback of its class")
    func levels() throws {
        let (parts, report) = try JSONMapper.mapReporting(
            [Part].self, from: #"[{"a": 1}, {"a": 1, "b": 2}, {"a": 1, "c": 3}, {}]"#)
        #expect(names(parts) == ["First", "Second", "Part"])
        #expect(
            report.entries.map(\.description) == [
                "skipped: Part at $[2] (line 1, column 30): expected an object that dynamicType(for:) knows, found an object."
            ])
        let vehicles = try [Vehicle](json: #"[{"wheels": 4, "brand": "a"}, {"wheels": 3, "brand": "b"}, {}]"#)
        #expect(names(vehicles) == ["Roadster", "Car", "Vehicle"])
    }

    @Test("An in-place update keeps the object if the selected class is its own")
    func update() throws {
        let options = MappingOptions(updatesNestedInPlace: true)
        let holder = try Holder(json: #"{"media": {"type": "film", "duration": 1}}"#)
        let film = try #require(holder.media)
        for json in [#"{"url": "b"}"#, #"{"type": "film", "width": 1}"#, #"{"duration": 2}"#] {
            try holder.update(json: #"{"media": \#(json)}"#, options: options)
            #expect(holder.media === film)
        }
        #expect(film.url == "b" && (film as? Film)?.duration == 2)
        try holder.update(json: #"{"media": {"width": 1}}"#, options: options)
        #expect(holder.media is Photo)
    }

    @Test("dynamicType(for:) is called for {} and for objects without a known type name")
    func asking() throws {
        _ = try [Asking](json: #"[{"type": "b"}, {"type": "c"}, {"type": "b"}]"#)
        _ = try [Asking](json: #"[{}]"#)
        let calls = asked.withLock { $0 }
        // For a named object, the selected class and the class that selected it are asked, since either may override the function.
        #expect(calls.filter { $0 == #"{"type":"c"}"# }.count == 1)
        #expect(calls.filter { $0 == "{}" }.count == 3)
    }

    @Test("ModelCheck accepts dynamicType(for:), and the schema allows any object for it")
    func described() throws {
        #expect(ModelCheck.check(Media.self) == [])
        #expect(ModelCheck.check(Holder.self) == [])
        #expect(try Media.jsonSchema()["$defs"]["Media.dynamic"] == ["type": "object"])
    }
}
