import Foundation
import ModelMirror
import ModelMirrorExploring
import Testing

private class Owner: AbstractModel {
    var login = ""
    var site: URL?
    override class var requiredProperties: Set<String> { ["login"] }
}

private class Gist: AbstractModel {
    var id = ""
    var createdAt: Date?
    var owner: Owner?
    var files: [String: Int] = [:]
    var forks: [Gist]?
    override class var keyStrategy: KeyStrategy { .snakeCase }
    override class var requiredProperties: Set<String> { ["id"] }
}

/// What the source says. That valid documents map and invalid ones fail is checked by Tests/Exploring/check.sh.
struct SchemaInferenceTests {
    private func lines(_ schema: String, name: String? = nil) throws -> [String] {
        try ClassInference.source(schema: Array(schema.utf8), name: name).split(separator: "\n")
            .map { $0.trimmingCharacters(in: .whitespaces) }
    }

    @Test func aSchemaMadeFromAClassGivesItsProperties() throws {
        let schema = try Gist.jsonSchema().jsonData()
        let source = try ClassInference.source(schema: Array(schema), name: "Gist")
        for declaration in [
            "id = \"\"", "createdAt: Date?", "owner: Owner?", "files: [String: Int]?", "forks: [Gist]?",
        ] {
            #expect(source.contains("    var \(declaration)\n"))
        }
        #expect(source.contains("class Owner: AbstractModel {\n    var login = \"\"\n    var site: URL?\n"))
        #expect(source.hasPrefix("// let gist = try Gist(json: data)\n"))
    }

    @Test func limitsAreRules() throws {
        let lines = try lines(
            #"{"properties": {"age": {"type": "integer", "minimum": 0, "multipleOf": 5}, "a": {"type": "string", "maxLength": 3}}}"#
        )
        #expect(
            lines.contains(
                #"validation.require("age", self.age, .inRange(0...), .custom("a multiple of 5") { $0 % 5 == 0 })"#))
        #expect(lines.contains(#"validation.require("a", self.a, .count(0...3))"#))
    }

    @Test func alternativesWithAConstantAreAUnion() throws {
        let lines = try lines(
            #"""
            {"title": "shape", "oneOf": [
              {"title": "Circle", "type": "object", "properties": {"kind": {"const": "circle"}, "radius": {"type": "number"}}},
              {"title": "Square", "type": "object", "properties": {"kind": {"const": "square"}, "side": {"type": "number"}}}]}
            """#)
        #expect(lines[0] == "// let shape = try JSONMapper.value(Shape.self, from: data)")
        #expect(lines.contains("class Circle: Shape {") && lines.contains("class Square: Shape {"))
        #expect(lines.contains("class var dynamicTypeFallback: DynamicTypeFallback { .failure }"))
    }

    @Test func refusedKeysAreFailures() throws {
        let lines = try lines(#"{"properties": {"a": {"type": "boolean"}}, "additionalProperties": false}"#)
        #expect(
            lines.contains(
                "override class var mappingOptions: MappingOptions { MappingOptions(unknownKeys: .failures) }"))
    }

    @Test(arguments: [
        ("#/$defs/x", "The reference \"#/$defs/x\" leads nowhere, since there is no \"$defs\"; add it."),
        ("other.json", "The reference \"other.json\" leads out of the document; put what it names under $defs."),
    ])
    func aReferenceThatLeadsNowhereIsAnError(_ reference: String, _ message: String) {
        #expect(throws: InferenceError.invalidSchema(reason: message)) {
            try lines(#"{"properties": {"a": {"$ref": "\#(reference)"}}}"#)
        }
    }

    @Test func aSchemaWithoutObjectsIsAnError() {
        #expect(throws: InferenceError.noClass(found: "a schema without objects")) { try lines(#"{"type": "string"}"#) }
    }
}

struct OpenAPIInferenceTests {
    private func source(_ document: String) throws -> String {
        try ClassInference.source(openAPI: Array(document.utf8))
    }

    @Test func operationsAreEndpointsAndFunctions() throws {
        let source = try source(
            #"""
            {"openapi": "3.1.0", "info": {"title": "Gists"}, "servers": [{"url": "https://a.b/v1"}], "paths": {
              "/users/{user}/gists": {"get": {"operationId": "list_gists", "summary": "Lists gists.",
                "parameters": [{"name": "user", "in": "path", "required": true, "schema": {"type": "string"}},
                               {"name": "per_page", "in": "query", "schema": {"type": "integer"}}],
                "responses": {"200": {"content": {"application/json": {"schema": {"type": "array", "items": {"$ref": "#/components/schemas/Gist"}}}}}}}}},
             "components": {"schemas": {"Gist": {"type": "object", "properties": {"id": {"type": "string"}}, "required": ["id"]}}}}
            """#)
        #expect(
            source == #"""
                // let api = GistsAPI(client: APIClient(baseURL: URL(string: "https://a.b/v1")))

                import Foundation
                import ModelMirror
                import ModelMirrorNetworking

                struct GistsAPI: Requesting {
                    let client: APIClient

                    /// Lists gists.
                    func listGists(user: String, perPage: Int? = nil) async throws -> sending [Gist] {
                        try await value(.listGists(user: user, perPage: perPage))
                    }
                }

                nonisolated extension Endpoint<[Gist]> {
                    /// GET /users/{user}/gists
                    static func listGists(user: String, perPage: Int? = nil) -> Self {
                        Endpoint(.get, "users/\(user)/gists", query: ["per_page": perPage])
                    }
                }

                class Gist: AbstractModel {
                    var id = ""

                    override class var requiredProperties: Set<String> { ["id"] }
                }

                """#)
    }

    @Test func yamlIsRefusedWithACommand() {
        let message = "The document is YAML; convert it first: yq -o=json openapi.yaml > openapi.json"
        #expect(throws: InferenceError.invalidSchema(reason: message)) {
            try source("openapi: 3.0.0\ninfo:\n  title: x\n")
        }
    }

    @Test func anotherVersionIsRefused() {
        #expect {
            try source(#"{"swagger": "2.0"}"#)
        } throws: {
            "\($0)"
                == "The document is no OpenAPI 3, since its \"openapi\" is not a version 3; convert older ones first."
        }
    }
}
