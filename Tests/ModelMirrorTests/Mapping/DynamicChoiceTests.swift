import ModelMirror
import ModelMirrorTesting
import Testing

/// Integer type names, one of which selects a class with type names of its own.
private class Shape: AbstractModel, DynamicTypeModel {
    var kind = 0
    class var typeNameProperty: String { "kind" }
    class var dynamicTypes: [String: AbstractModel.Type] { ["1": Circle.self, "2": Polygon.self] }
}
private class Circle: Shape { var radius = 1 }
private class Polygon: Shape {
    var sides = "?"
    override class var typeNameProperty: String { "sides" }
    override class var dynamicTypes: [String: AbstractModel.Type] { ["three": Triangle.self, "four": Square.self] }
}
private final class Triangle: Polygon { var height = 0 }
private final class Square: Polygon { var width = 0 }

/// A Boolean type name that no property stores.
private class Account: AbstractModel, DynamicTypeModel {
    var name = ""
    class var typeNameProperty: String { "is_bot" }
    class var dynamicTypes: [String: AbstractModel.Type] { ["true": Bot.self, "false": Human.self] }
}
private final class Bot: Account { var owner = "" }
private final class Human: Account { var age = 0 }

/// A union without a tag.
private class Media: AbstractModel, DynamicTypeModel {
    var url = ""
    class var dynamicTypeFallback: DynamicTypeFallback { .failure }
    class func dynamicType(for json: JSONValue) -> AbstractModel.Type? {
        if json["duration"] != nil { return Film.self }
        if json["stranger"] != nil { return Bot.self }
        return json["width"] == nil ? nil : Photo.self
    }
}
private final class Film: Media { var duration = 0 }
private final class Photo: Media { var width = 0 }

private class Wrong: AbstractModel, DynamicTypeModel {
    var type = ""
    class var typeNameProperty: String { "type" }
    class var dynamicTypes: [String: AbstractModel.Type] { ["bot": Bot.self] }
}
private class Placeless: AbstractModel, DynamicTypeModel {
    var type = ""
    class var dynamicTypes: [String: AbstractModel.Type] { ["bot": Bot.self] }
}

// MARK: A tag beside the payload

private final class Fork: AbstractModel { var forkee = "" }
private final class Push: AbstractModel {
    var size = 0
    override class var requiredProperties: Set<String> { ["size"] }
}
private class Event: AbstractModel {
    var type = ""
    var payload: AbstractModel?
    var more: [AbstractModel] = []
    override class var dynamicPropertyTypes: [String: DynamicPropertyTypes] {
        let types: [String: AbstractModel.Type] = ["fork": Fork.self, "push": Push.self]
        return [
            "payload": DynamicPropertyTypes(named: "type", types, otherwise: .skip),
            "more": DynamicPropertyTypes(named: "moreType", types, otherwise: .failure),
        ]
    }
}
private class Pathed: AbstractModel {
    var body: Shape?
    override class var dynamicPropertyTypes: [String: DynamicPropertyTypes] {
        ["body": DynamicPropertyTypes(named: .path("meta", "type"), ["c": Circle.self, "p": Polygon.self])]
    }
}
private class NoModels: AbstractModel {
    var number = 0
    override class var dynamicPropertyTypes: [String: DynamicPropertyTypes] {
        ["number": DynamicPropertyTypes(named: "type", [:])]
    }
}
private class NoFallback: AbstractModel {
    var payload: AbstractModel?
    override class var dynamicPropertyTypes: [String: DynamicPropertyTypes] {
        ["payload": DynamicPropertyTypes(named: "type", ["fork": Fork.self])]
    }
}

/// Collections of payloads, a tag at a key path that no property stores, and one beside a property.
private class Payloads: AbstractModel {
    var byName: [String: AbstractModel] = [:]
    var nested: [[AbstractModel]] = []
    var optionals: [AbstractModel?] = []
    override class var dynamicPropertyTypes: [String: DynamicPropertyTypes] {
        let rule = DynamicPropertyTypes(named: "type", ["fork": Fork.self], otherwise: .failure)
        return ["byName": rule, "nested": rule, "optionals": rule]
    }
}
private class Crowded: Pathed {
    var year = 0
    override class var propertyKeys: [String: PropertyKey] { ["year": .path("meta", "year")] }
}
private class Broken: AbstractModel {
    override class var requiredProperties: Set<String> { ["size"] }
    var sizes = 0
}
private class BrokenEvent: AbstractModel {
    var payload: AbstractModel?
    var list: [Broken] = []
    override class var dynamicPropertyTypes: [String: DynamicPropertyTypes] {
        ["payload": DynamicPropertyTypes(named: "type", ["b": Broken.self], otherwise: .skip)]
    }
    override class var ignoredProperties: Set<String> { ["list"] }
}
private class ShapeHolder: AbstractModel {
    var one: Shape?
    var byName: [String: Shape] = [:]
    var account: Account?
}

// MARK: Unknown names

private class Block: AbstractModel, DynamicTypeModel {
    var rest: [String: JSONValue] = [:]
    class var typeNameProperty: String { "type" }
    class var dynamicTypes: [String: AbstractModel.Type] { ["plain": Block.self, "text": TextBlock.self] }
    override class var unknownKeysProperty: String? { "rest" }
}
private final class TextBlock: Block { var text = "" }
private final class Hook: AbstractModel {
    var body: AbstractModel?
    var rest: [String: JSONValue] = [:]
    override class var unknownKeysProperty: String? { "rest" }
    override class var dynamicPropertyTypes: [String: DynamicPropertyTypes] {
        ["body": DynamicPropertyTypes(named: .path("meta", "type"), ["fork": Fork.self], otherwise: .skip)]
    }
}
/// A payload that is of the declared class under every other tag.
private final class Post: AbstractModel {
    var body: Block?
    var rest: [String: JSONValue] = [:]
    override class var unknownKeysProperty: String? { "rest" }
    override class var dynamicPropertyTypes: [String: DynamicPropertyTypes] {
        ["body": DynamicPropertyTypes(named: "kind", ["block": Block.self, "text": TextBlock.self])]
    }
}

extension String {
    fileprivate var json: JSONValue? { try? JSONValue(json: self) }
}

@Suite("Type names and payload tags")
struct DynamicChoiceTests {
    @Test("Integer type names and a subclass's own type names select the class and are written back")
    func integers() throws {
        let json = #"[{"kind":1,"radius":2},{"kind":2,"sides":"four","width":3},{"kind":2,"sides":"x"}]"#
        let (shapes, report) = try [Shape].mapReporting(json: json)
        #expect(shapes.map { "\(type(of: $0))" } == ["Circle", "Square", "Polygon"])
        #expect((shapes[1] as? Square)?.width == 3)
        #expect(
            report.description
                == #"fallback: Shape at $[2].sides (line 1, column 78): expected one of the type names "four", "three", "#
                + #"found the string "x"."#)
        #expect(try shapes.jsonString() == json)
        let made = Triangle()
        #expect(try made.jsonString() == #"{"kind":2,"sides":"three","height":0}"#)
    }

    @Test("Boolean type names select the class; the discriminator is not reported as an unknown key")
    func booleans() throws {
        let (accounts, report) = try [Account].mapReporting(
            json: #"[{"is_bot": true, "owner": "o", "name": ""}, {"age": 3, "is_bot": false, "name": ""}]"#)
        #expect(accounts.map { "\(type(of: $0))" } == ["Bot", "Human"])
        #expect(report.description == "nothing to report")
        #expect(try Bot.mapReporting(json: #"{"is_bot": true, "owner": "o", "name": ""}"#).report.entries.isEmpty)
    }

    @Test("dynamicType(for:) selects the class of an object without a type name")
    func function() throws {
        let media = try [Media](json: #"[{"url": "a", "duration": 3}, {"url": "b", "width": 4}]"#)
        #expect((media[0] as? Film)?.duration == 3)
        #expect((media[1] as? Photo)?.width == 4)
        #expect(try media.jsonString() == #"[{"url":"a","duration":3},{"url":"b","width":4}]"#)
        #expect(
            Thrown.text { try [Media](json: #"[{"url": "a"}]"#) }
                == "Media at $[0] (line 1, column 2): expected an object that dynamicType(for:) knows, found an object."
        )
        #expect(
            Thrown.text { try [Media](json: #"[{"stranger": 1}]"#) }
                == "Media cannot be mapped: dynamicType(for:) gives the class Bot, which is not a subclass of Media.")
    }

    @Test("Invalid type name declarations are reported by mapping and by ModelCheck")
    func faults() {
        let wrong =
            "Wrong cannot be mapped: dynamicTypes gives \"bot\" the class Bot, which is not a subclass of Wrong."
        #expect(Thrown.text { try [Wrong](json: #"[{"type": "x"}]"#) } == wrong)
        #expect(ModelCheck.check(Wrong.self).map(\.description) == [wrong])
        #expect(
            Thrown.text { try [Placeless](json: "[{}]") }
                == "Placeless cannot be mapped: dynamicTypes has names, but typeNameProperty does not say where they stand."
        )
    }

    @Test("A tag beside the payload selects its class, in any member order, and is written back")
    func payload() throws {
        let (events, report) = try [Event].mapReporting(
            json: """
                [{"payload": {"forkee": "a/b"}, "type": "fork", "more": [{"size": 1}, {"size": 2}], "moreType": "push"},
                 {"type": "x", "payload": {"a": 1}, "more": []}]
                """)
        #expect((events[0].payload as? Fork)?.forkee == "a/b")
        #expect(events[0].more.map { ($0 as? Push)?.size } == [1, 2])
        #expect(events[1].payload == nil)
        #expect(
            report.description
                == "skipped: Event.payload at $[1].type (line 2, column 11): expected one of the type names \"fork\", \"push\", found "
                + "the string \"x\".")
        let event = Event()
        event.payload = Push()
        event.more = [Fork()]
        #expect(
            try event.jsonString()
                == #"{"moreType":"fork","type":"push","payload":{"size":0},"more":[{"forkee":""}]}"#)
        #expect(try Event(json: event.jsonData()).isEqual(to: Event(json: event.jsonData())))
        #expect(
            Thrown.text { try Event(json: #"{"type": "push", "payload": {}}"#, options: .strict) }
                == "Push.size at $.payload.size (line 1, column 29): expected an integer, found no such key.")
        #expect(
            Thrown.text { try Event(json: #"{"more": [{}]}"#, options: .strict) }
                == "Event.more at $.moreType (line 1, column 1): expected one of the type names \"fork\", \"push\", found no such key."
        )
    }

    @Test("One tag selects payloads in dictionaries, nested arrays and Optionals and is written once")
    func payloadCollections() throws {
        let json =
            #"{"type":"fork","byName":{"a":{"forkee":"x"}},"nested":[[{"forkee":"y"}],[]],"optionals":[{"forkee":"z"},null]}"#
        let (model, report) = try Payloads.mapReporting(json: json, options: .strict)
        #expect((model.byName["a"] as? Fork)?.forkee == "x")
        #expect(model.nested.map { $0.map { ($0 as? Fork)?.forkee } } == [["y"], []])
        #expect(model.optionals.map { ($0 as? Fork)?.forkee } == ["z", nil])
        #expect(report.description == "nothing to report")
        #expect(try model.jsonString() == json)
        // Lenient mapping skips elements without a class and keeps the rest.
        let lenient = try Payloads.mapReporting(json: #"{"type": "x", "nested": [[{}]], "byName": {"a": {}}}"#)
        #expect(lenient.object.nested.map(\.count) == [0] && lenient.object.byName.isEmpty)
        #expect(
            Set(lenient.report.entries.filter { $0.kind != .missing }.map { "\($0.kind) \($0.path)" }) == [
                "skipped $.nested[0][0]", "skipped $.byName.a",
            ])
    }

    @Test("The tag written is that of the payload's class, not the value of the tag property")
    func disagreement() throws {
        let event = Event()
        (event.type, event.payload) = ("other", Fork())
        #expect(try event.jsonString() == #"{"type":"fork","payload":{"forkee":""},"more":[]}"#)
    }

    @Test("An update without a tag changes the payload only in place; another tag replaces it")
    func payloadUpdate() throws {
        let event = try Event(json: #"{"type": "fork", "payload": {"forkee": "a"}}"#)
        let fork = try #require(event.payload as? Fork)
        let report = try event.update(json: #"{"payload": {"forkee": "b"}}"#)
        #expect(event.payload === fork && fork.forkee == "a")
        #expect(
            report.entries.map(\.description) == [
                #"skipped: Event.payload at $.type (line 1, column 1): expected one of the type names "fork", "push", found no such key."#
            ])
        let options = MappingOptions(updatesNestedInPlace: true)
        try event.update(json: #"{"payload": {"forkee": "c"}}"#, options: options)
        try event.update(json: #"{"type": "x", "payload": {"forkee": "d"}}"#, options: options)
        #expect(event.payload === fork && fork.forkee == "c")
        try event.update(json: #"{"type": "push", "payload": {"size": 7}}"#, options: options)
        #expect((event.payload as? Push)?.size == 7)
    }

    @Test("An update in place replaces an object if a type name at any level selects another class")
    func levelsUpdate() throws {
        let options = MappingOptions(updatesNestedInPlace: true)
        let holder = try ShapeHolder(json: #"{"one": {"kind": 2, "sides": "three", "height": 3}}"#)
        let triangle = try #require(holder.one as? Triangle)
        for json in [#"{"height": 4}"#, #"{"kind": 2, "height": 5}"#, #"{"kind": 2, "sides": "three"}"#] {
            try holder.update(json: #"{"one": \#(json)}"#, options: options)
            #expect(holder.one === triangle)
        }
        #expect(triangle.height == 5)
        try holder.update(json: #"{"one": {"kind": 1, "radius": 2}}"#, options: options)
        #expect((holder.one as? Circle)?.radius == 2)
    }

    @Test("A tag at a key path is written there unless other properties are written beside it")
    func pathTagWritten() throws {
        let json = #"{"meta":{"type":"c"},"body":{"kind":1,"radius":2}}"#
        #expect(try Pathed(json: json).jsonString() == json)
        let crowded = try Crowded(json: #"{"meta": {"year": 1, "type": "c"}, "body": {"radius": 2}}"#)
        #expect(crowded.body is Circle && crowded.year == 1)
        #expect(
            Thrown.text { try crowded.jsonString() }
                == "Crowded.meta at $.meta: expected a property that holds the name of a class, since others are written beside it, "
                + "found the name \"c\".")
    }

    @Test("Integer and Boolean type names work in properties, dictionaries and at the root")
    func places() throws {
        let json =
            #"{"one":{"kind":1,"radius":2},"byName":{"a":{"kind":2,"sides":"three","height":3}},"account":{"is_bot":true,"name":"","owner":""}}"#
        let holder = try ShapeHolder(json: json, options: MappingOptions(unknownKeys: .failures))
        #expect(holder.one is Circle && holder.byName["a"] is Triangle && holder.account is Bot)
        #expect(try JSONMapper.value(Shape.self, from: #"{"kind": 1}"#) is Circle)
        #expect(try JSONMapper.value(Shape?.self, from: #"{"kind": 1}"#) is Circle)
        #expect(try JSONMapper.value([String: Account].self, from: #"{"a": {"is_bot": false}}"#)["a"] is Human)
        #expect(try Shape.mapReporting(json: #"{"kind": 1}"#).object is Circle)
        #expect(try type(of: Shape(json: #"{"kind": 1}"#)) == Shape.self)
    }

    @Test("ModelCheck checks the classes of dynamicPropertyTypes")
    func payloadCheck() {
        for model in [Event.self, Pathed.self, Payloads.self] as [AbstractModel.Type] {
            #expect(ModelCheck.check(model) == [])
        }
        #expect(
            ModelCheck.check(BrokenEvent.self).map(\.description) == [
                #"Broken cannot be mapped: requiredProperties names "size", which is not a stored property of Broken (did you mean "sizes"?)."#
            ])
    }

    @Test("A tag may be at a key path, and the selected class may select a subclass")
    func pathTag() throws {
        let model = try Pathed(json: #"{"meta": {"type": "p"}, "body": {"sides": "three", "height": 2}}"#)
        #expect((model.body as? Triangle)?.height == 2)
        #expect(try Pathed(json: #"{"body": {"kind": 1}}"#).body is Circle)
        // A scalar on the path is no name.
        let other = try Pathed(json: #"{"meta": "p", "body": {"sides": "three", "height": 2}}"#)
        #expect(other.body != nil && !(other.body is Polygon))
    }

    @Test("Invalid dynamicPropertyTypes are rejected")
    func payloadFaults() {
        #expect(
            Thrown.text { try NoModels(json: "{}") }?.contains(
                "dynamicPropertyTypes names number, which holds no models")
                == true)
        #expect(Thrown.text { try NoFallback(json: "{}") } == nil)
    }

    @Test("An unknown type name is kept in unknownKeysProperty and written back")
    func unknownNames() throws {
        let json = #"[{"type":"text","text":"a","x":1},{"type":"video","y":2},{"type":"plain"}]"#
        let blocks = try [Block](json: json)
        #expect(blocks.map { "\(type(of: $0))" } == ["TextBlock", "Block", "Block"])
        #expect(blocks.map(\.rest) == [["x": 1], ["type": "video", "y": 2], [:]])
        #expect(try [Block](json: blocks.jsonString()).map(\.rest) == blocks.map(\.rest))
        #expect(try JSONValue(json: blocks.jsonData()) == JSONValue(json: json))
        #expect(try blocks[1].jsonString(options: .sortedKeys) == #"{"type":"video","y":2}"#)
        for hook in [
            #"{"meta": {"type": "push", "id": 1}}"#, #"{"body": {"forkee": "a"}, "meta": {"type": "fork"}}"#,
        ] {
            #expect(try JSONValue(json: Hook(json: hook).jsonData()) == JSONValue(json: hook))
        }
    }

    @Test("The type name of the object's class replaces a kept unknown name")
    func staleNames() throws {
        let kept = #"{"meta":{"type":"push","id":1}}"#
        let fork = #"{"body":{"forkee":"a"},"meta":{"type":"fork"}}"#
        let hook = try Hook(json: kept)
        #expect(hook.rest == ["meta": ["type": "push", "id": 1]])
        let body = Fork()
        body.forkee = "a"
        hook.body = body
        #expect(try JSONValue(json: hook.jsonData()) == JSONValue(json: fork))
        #expect(try (Hook(json: hook.jsonData()).body as? Fork)?.forkee == "a")
        let updated = try Hook(json: kept)
        try updated.update(json: fork)
        #expect(updated.rest.isEmpty)
        #expect(try JSONValue(json: updated.jsonData()) == JSONValue(json: fork))
        // An unknown name is kept only for an object of the declared class.
        let post = try Post(json: #"{"kind":"video","body":{"a":1}}"#)
        #expect(post.rest == ["kind": "video"])
        #expect(try JSONValue(json: post.jsonData()) == #"{"kind":"video","body":{"type":"plain","a":1}}"#.json)
        post.body = TextBlock()
        #expect(try JSONValue(json: post.jsonData()) == #"{"kind":"text","body":{"type":"text","text":""}}"#.json)
        let text = TextBlock()
        text.rest = ["type": "video"]
        #expect(try text.jsonString() == #"{"type":"text","text":""}"#)
        let block = try #require(try [Block](json: #"[{"type":"video"}]"#).first)
        try block.update(json: #"{"type":"plain"}"#)
        #expect(block.rest.isEmpty)
    }

    @Test("A type name inside the deepest allowed level is found")
    func nameAtTheLimit() throws {
        #expect(try [Block](json: #"[{"type":"plain"}]"#, options: MappingOptions(depth: 2)).map(\.rest) == [[:]])
        let hook = #"{"body":{"forkee":"a"},"meta":{"type":"fork"}}"#
        #expect(try Hook(json: hook, options: MappingOptions(depth: 2)).body is Fork)
    }

    @Test("The first of several duplicate type names selects the class")
    func duplicateNames() throws {
        let blocks = try [Block](
            json: #"[{"type":"text","type":"video"},{"type":"video","type":"text"},{"type":"a","type":"b"}]"#)
        #expect(blocks.map { "\(type(of: $0))" } == ["TextBlock", "Block", "Block"])
        #expect(blocks.map(\.rest) == [["type": "video"], [:], ["type": "b"]])
        #expect(try blocks.jsonString() == #"[{"type":"text","text":""},{"type":"plain"},{"type":"b"}]"#)
    }

    @Test(
        "A known type name without an object is kept",
        arguments: [#"{"meta":{"type":"fork","id":1}}"#, #"{"body":null,"meta":{"type":"fork","id":1}}"#])
    func namesWithoutObjects(json: String) throws {
        let hook = try Hook(json: json)
        #expect(hook.rest == ["meta": ["type": "fork", "id": 1]])
        #expect(try JSONValue(json: hook.jsonData()) == #"{"meta":{"type":"fork","id":1}}"#.json)
    }
}
