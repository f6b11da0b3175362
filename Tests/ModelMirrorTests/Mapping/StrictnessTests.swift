import ModelMirror
import Testing

private class Leaf: AbstractModel {
    var name = ""
    var size: Int?
}

private class Relaxed: AbstractModel {
    var name = ""
    override class var mappingOptions: MappingOptions {
        MappingOptions(strict: false, requiresNonOptional: false, unknownKeys: .ignored)
    }
}

private class Root: AbstractModel {
    var leaf: Leaf?
    var leaves: [Leaf] = []
    var table: [String: Leaf] = [:]
    var text: Leaf?
    var relaxed: Relaxed?

    override class var propertyConverters: [String: any Converter] { ["text": .embeddedJSON] }
    override class var mappingOptions: MappingOptions {
        var options = MappingOptions.untrusted
        options.requiresNonOptional = nil
        return options
    }
}

private class Body: AbstractModel {
    var leaf = Leaf()
    override class var mappingOptions: MappingOptions { .untrusted }
}

private class Around: AbstractModel {
    var body: Body?
    var leaf: Leaf?
}

@Suite("Strictness flows inward")
struct StrictnessTests {
    private func failures<Model: AbstractModel>(
        _ model: Model.Type, _ json: String, _ options: MappingOptions = .init()
    ) -> [String] {
        do throws(ModelError) {
            _ = try Model(json: json, options: options)
            return []
        } catch .invalidValues(let failures) {
            return failures.map { "\($0.pointer) \($0.code.rawValue)" }
        } catch {
            return ["\(error)"]
        }
    }

    @Test(
        "A class's options apply to the objects in it, at every depth and in embedded JSON",
        arguments: [
            (#"{"leaf": {"size": "1"}}"#, ["/leaf/size type"]),
            (#"{"leaf": {"other": 1}}"#, ["/leaf/other additionalProperties"]),
            (#"{"leaves": [{"size": true}]}"#, ["/leaves/0/size type"]),
            (#"{"table": {"a": {"size": "1"}}}"#, ["/table/a/size type"]),
            (#"{"text": "{\"size\": \"1\"}"}"#, ["/text embedded"]),
            (#"{"leaf": {"size": 1}, "text": "{\"size\": 1}"}"#, []),
        ])
    func inward(_ json: String, _ expected: [String]) {
        #expect(failures(Root.self, json) == expected)
    }

    @Test("A nested class's own options, and the call's, take precedence")
    func precedence() {
        #expect(failures(Root.self, #"{"relaxed": {"name": null, "other": 1}}"#) == [])
        #expect(
            failures(Root.self, #"{"leaf": {"size": "1"}, "other": 2}"#, MappingOptions(strict: false)) == [
                "/other additionalProperties"
            ])
    }

    @Test("The options of a nested class end with its objects")
    func outward() {
        #expect(failures(Around.self, #"{"body": {"leaf": {"name": "a"}}, "leaf": {"size": "1", "other": 2}}"#) == [])
    }

    @Test("A missing key one level down fails")
    func missing() {
        #expect(failures(Body.self, #"{"leaf": {}}"#) == ["/leaf/name required"])
        #expect(failures(Leaf.self, "{}") == [])
    }

    @Test("An update of a nested object uses the options of its own class only")
    func update() throws {
        let body = try Body(json: #"{"leaf": {"name": "a"}}"#)
        try body.leaf.update(json: #"{"size": "3", "other": 1}"#)
        #expect(body.leaf.size == 3)
    }

    @Test("The preset has limits, each of which can be overridden")
    func preset() {
        let options = MappingOptions.untrusted
        #expect(options.depth == 32 && options.bytes == 1 << 20 && options.failures == 20)
        #expect(failures(Leaf.self, #"{"name": "a", "other": 1}"#, .untrusted) == ["/other additionalProperties"])
        var open = MappingOptions.untrusted
        open.unknownKeys = .ignored
        #expect(failures(Leaf.self, #"{"name": "a", "other": 1}"#, open) == [])
    }

    @Test("The schema rejects unknown keys and requires what the mapping requires, per strictness")
    func schema() throws {
        let schema = try Around.jsonSchema()
        let definitions = schema["$defs"]
        for (path, expected) in [
            (["Around", "additionalProperties"], .none), (["Body", "additionalProperties"], false),
            (["Body", "properties", "leaf"], ["$ref": "#/$defs/Leaf"]), (["Leaf", "additionalProperties"], false),
            (["Leaf", "required"], ["name"]), (["Leaf", "allOf"], .none),
            (["Leaf2", "additionalProperties"], .none), (["Leaf2", "required"], .none),
        ] as [(JSONPath, JSONValue?)] {
            #expect(definitions[path] == expected, "\(path)")
        }
    }
}
