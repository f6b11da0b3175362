import ModelMirrorExploring
import Testing

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

                class Gist: AbstractModel {
                    var id = ""

                    override class var requiredProperties: Set<String> { ["id"] }
                }

                nonisolated extension Endpoint<[Gist]> {
                    /// GET /users/{user}/gists
                    static func listGists(user: String, perPage: Int? = nil) -> Self {
                        Endpoint(.get, "users/\(user)/gists", query: ["per_page": perPage])
                    }
                }

                struct GistsAPI: Requesting {
                    let client: APIClient

                    /// Lists gists.
                    func listGists(user: String, perPage: Int? = nil) async throws -> sending [Gist] {
                        try await self.value(.listGists(user: user, perPage: perPage))
                    }
                }

                """#)
    }

    @Test func arraysOfEnumsInAQueryKeepTheirCases() throws {
        let items = #""schema": {"type": "array", "items": {"type": "string", "enum": ["free", "sold-out"]}}"#
        let source = try source(
            #"""
            {"openapi": "3.0.0", "paths": {"/a": {"get": {"operationId": "find", "parameters": [
             {"name": "states", "in": "query", \#(items)},
             {"name": "kinds", "in": "query", "explode": false, "required": true, \#(items)}],
             "responses": {"204": {}}}}}}
            """#)
        #expect(source.contains("enum State: String, CaseIterable, ParameterValue {"))
        #expect(
            source.contains(
                #"""
                    static func find(kinds: [Kind], states: [State]? = nil) -> Self {
                        var query: ParameterList = [:]
                        for value in states ?? [] { query.append(value, named: "states") }
                        if !kinds.isEmpty {
                            query.append(kinds.map(\.rawValue).joined(separator: ","), named: "kinds")
                        }
                        return Endpoint(.get, "a", query: query)
                    }

                """#))
    }

    /// By default a pair for each element, whatever the client's `ParameterStyle`.
    @Test func arraysInAQueryAreWrittenInTheirStyle() throws {
        let arrays = [
            #""name": "ids""#, #""name": "tags", "explode": false"#,
            #""name": "in", "style": "pipeDelimited", "required": true"#,
            #""name": "query", "style": "spaceDelimited", "explode": true, "required": true"#,
        ]
        let parameters = arrays.map {
            #"{\#($0), "in": "query", "schema": {"type": "array", "items": {"type": "integer"}}}"#
        }
        let source = try source(
            #"""
            {"openapi": "3.0.0", "paths": {"/a": {"post": {"operationId": "find", "parameters": [\#(parameters.joined(separator: ",")),
             {"name": "limit", "in": "query", "schema": {"type": "integer"}},
             {"name": "filter", "in": "query", "content": {"application/json": {"schema": {"type": "array", "items": {"type": "integer"}}}}}],
             "requestBody": {"content": {"image/png": {}}}, "responses": {"204": {}}}}}}
            """#)
        #expect(
            source.contains(
                #"""
                    static func find(`in`: [Int], query: [Int], ids: [Int]? = nil, tags: [Int]? = nil, limit: Int? = nil, filter: String? = nil, body: RequestParameters? = nil) -> Self {
                        var query2: ParameterList = ["limit": limit, "filter": filter]
                        for value in ids ?? [] { query2.append(value, named: "ids") }
                        if let tags, !tags.isEmpty {
                            query2.append(tags.map { "\($0)" }.joined(separator: ","), named: "tags")
                        }
                        if !`in`.isEmpty {
                            query2.append(`in`.map { "\($0)" }.joined(separator: "|"), named: "in")
                        }
                        for value in query { query2.append(value, named: "query") }
                        return Endpoint(.post, "a", query: query2, parameters: body)
                    }

                """#))
    }

    /// The content type of a response, and the types of the value and of a body of this content.
    @Test(arguments: [
        ("application/json", "[String: JSONValue]", "JSONValue"),
        ("Application/JSON ; charset=utf-8", "[String: JSONValue]", "JSONValue"),
        ("application/vnd.api+json;version=1", "[String: JSONValue]", "JSONValue"),
        ("application/jsonl", "Data", "RequestParameters"), ("application/json-seq", "Data", "RequestParameters"),
        ("application/x+json-lines", "Data", "RequestParameters"),
    ]) func jsonIsRecognizedByItsContentType(type: String, value: String, body: String) throws {
        let content = #""content": {"\#(type)": {"schema": {"type": "object"}}}"#
        let operation = #""requestBody": {"required": true, \#(content)}, "responses": {"200": {\#(content)}}"#
        let source = try source(
            #"{"openapi": "3.0.0", "paths": {"/a": {"post": {"operationId": "a", \#(operation)}}}}"#)
        #expect(source.contains("func a(body: \(body)) async throws -> sending \(value) {"))
    }

    /// What a document is about, the document and parts of its source.
    @Test(
        arguments: [
            (
                "HEAD has no value",
                #"{"openapi": "3.0.0", "paths": {"/a": {"head": {"operationId": "a", "responses": {"200": {"content": {"application/json": {"schema": {"type": "object"}}}}}}}}}"#,
                ["func a() async throws {"]
            ),
            (
                "arguments may be keywords",
                #"""
                {"openapi": "3.0.0", "paths": {"/a": {"get": {"operationId": "get", "parameters": [
                 {"name": "in", "in": "query", "schema": {"type": "string"}}, {"name": "inout", "in": "query", "schema": {"type": "string"}},
                 {"name": "await", "in": "query", "schema": {"type": "string"}}], "responses": {"204": {}}}}}}
                """#,
                [
                    "func get(`in`: String? = nil, `inout`: String? = nil, `await`: String? = nil) async",
                    "self.send(.get(in: `in`, `inout`: `inout`, await: `await`))",
                    #"query: ["in": `in`, "inout": `inout`, "await": `await`])"#,
                ]
            ),
            (
                "header fields that the client sets are no parameters",
                #"""
                {"openapi": "3.0.0", "paths": {"/a": {"get": {"operationId": "a", "parameters": [
                 {"name": "accept", "in": "header", "required": true, "schema": {"type": "string"}},
                 {"name": "Content-Type", "in": "header", "required": true, "schema": {"type": "string"}},
                 {"name": "Authorization", "in": "header", "required": true, "schema": {"type": "string"}},
                 {"name": "X-Id", "in": "header", "required": true, "schema": {"type": "string"}}]}}}}
                """#,
                ["func a(xId: String) async throws {"]
            ),
            (
                "equal subclasses are two classes",
                ##"""
                {"openapi": "3.0.0", "paths": {}, "components": {"schemas": {
                  "Pet": {"properties": {"kind": {"type": "string"}}, "discriminator": {"propertyName": "kind"}},
                  "Dog": {"allOf": [{"$ref": "#/components/schemas/Pet"}, {"properties": {"age": {"type": "integer"}}}]},
                  "Cat": {"allOf": [{"$ref": "#/components/schemas/Pet"}, {"properties": {"age": {"type": "integer"}}}]}}}}
                """##,
                ["class Dog: Pet {", "class Cat: Pet {", #"{ ["Dog": Dog.self, "Cat": Cat.self] }"#]
            ),
            (
                "a subclass inherits the property of unknown keys",
                ##"""
                {"openapi": "3.1.0", "paths": {}, "components": {"schemas": {
                  "Pet": {"properties": {"kind": {"type": "string"}}, "patternProperties": {"^x-": {}}, "additionalProperties": false,
                          "discriminator": {"propertyName": "kind"}},
                  "Dog": {"allOf": [{"$ref": "#/components/schemas/Pet"}, {"properties": {"bark": {"type": "boolean"}}}]}}}}
                """##,
                [
                    "\nclass Dog: Pet {\n    var bark: Bool?\n}\n#endif\n\nstruct API: ",
                    "    var others: [String: JSONValue] = [:]\n",
                ]
            ),
            (
                "a subclass inherits the rules for which members must be there",
                ##"""
                {"openapi": "3.1.0", "paths": {}, "components": {"schemas": {
                  "Pet": {"properties": {"kind": {"type": "string"}, "a": {"type": "string"}, "b": {"type": "string"}},
                          "dependentRequired": {"a": ["b"]}, "anyOf": [{"required": ["kind"]}, {"required": ["a"]}],
                          "discriminator": {"propertyName": "kind"}},
                  "Dog": {"allOf": [{"$ref": "#/components/schemas/Pet"}, {"properties": {"bark": {"type": "boolean"}}}]}}}}
                """##,
                [
                    #"        validation.require("b", self.b, .notNil)"#,
                    "    if ![self.kind != nil, self.a != nil].contains(true) {",
                    "\nclass Dog: Pet {\n    var bark: Bool?\n}\n#endif\n\nstruct API: ",
                ]
            ),
            (
                "texts of the document are not emitted as code",
                #"""
                {"openapi": "3.0.0", "info": {"title": "A"}, "paths": {
                  "/a\nfatalError()//{\\(x())}{b\"c}": {"get": {"operationId": "get", "responses": {"204": {}}}}}}
                """#,
                [
                    "    /// GET /a\n    func get() async throws {\n        try await self.send(.get())\n",
                    #"        Endpoint(.get, "a\nfatalError()//%7B\\(x())%7D%7Bb\"c%7D")"#,
                ]
            ),
        ] as [(String, String, [String])])
    func theSourceHasParts(_ subject: String, _ document: String, _ expected: [String]) throws {
        let source = try source(document)
        #expect(expected.filter { !source.contains($0) } == [], "\(subject)")
    }

    @Test func aSubclassMayHaveADiscriminator() throws {
        let source = try source(
            ##"""
            {"openapi": "3.0.0", "paths": {}, "components": {"schemas": {
              "Dog": {"allOf": [{"$ref": "#/components/schemas/Pet"}, {"properties": {"bark": {"type": "boolean"}}}]},
              "Animal": {"required": ["kind"], "properties": {"kind": {"type": "string"}},
                         "discriminator": {"propertyName": "kind", "mapping": {"dog": "Dog"}}},
              "Pet": {"allOf": [{"$ref": "#/components/schemas/Animal"}, {"properties": {"breed": {"type": "string"}}}],
                      "discriminator": {"propertyName": "breed"}},
              "Thing": {"oneOf": [{"$ref": "#/components/schemas/Tool"}, {"$ref": "#/components/schemas/Car"}],
                        "discriminator": {"propertyName": "what", "mapping": {"Tool": "Car"}}},
              "Tool": {"properties": {"what": {"const": "tool"}, "use": {"type": "string"}}, "discriminator": {"propertyName": "use"}},
              "Saw": {"allOf": [{"$ref": "#/components/schemas/Tool"}, {"properties": {"teeth": {"type": "integer"}}}]},
              "Car": {"properties": {"what": {"type": "string"}}}}}}
            """##)
        #expect(
            source.contains(
                """
                class Dog: Pet {
                    var bark: Bool?
                }

                class Animal: AbstractModel, DynamicTypeModel {
                    var kind = ""

                    class var typeNameProperty: String { "kind" }
                    class var dynamicTypes: [String: AbstractModel.Type] { ["dog": Dog.self, "Pet": Pet.self] }
                    override class var requiredProperties: Set<String> { ["kind"] }
                }

                class Pet: Animal {
                    var breed: String?

                    override class var typeNameProperty: String { "breed" }
                    override class var dynamicTypes: [String: AbstractModel.Type] { ["Dog": Dog.self] }
                }

                """))
        #expect(
            source.contains(
                """
                class Tool: Thing {
                    var use: String?

                    override class var typeNameProperty: String { "use" }
                    override class var dynamicTypes: [String: AbstractModel.Type] { ["Saw": Saw.self] }
                    override class var dynamicTypeFallback: DynamicTypeFallback { .baseClass }
                }

                """))
        #expect(source.contains(#"{ ["tool": Tool.self, "Tool": Car.self] }"#))
    }

    @Test func aDiscriminatorThatIsAnEnumHasNoRules() throws {
        let source = try source(
            ##"""
            {"openapi": "3.0.0", "paths": {}, "components": {"schemas": {
              "Pet": {"properties": {"kind": {"enum": ["Dog", "Cat"], "pattern": "^[A-Z]"}}, "required": ["kind"],
                      "discriminator": {"propertyName": "kind"}},
              "Dog": {"allOf": [{"$ref": "#/components/schemas/Pet"}, {"properties": {"bark": {"type": "boolean"}}}]}}}}
            """##)
        #expect(source.contains("    var kind = \"\"\n") && !source.contains("validateModel"))
    }

    @Test(arguments: [
        (#""202": {}, "200": {"content": {"application/json": {"schema": {"type": "integer"}}}}"#, "Int"),
        (#""200": {"content": {"image/png": {}}}, "default": {}"#, "Data"),
        (#""302": {}, "default": {"content": {"application/json": {"schema": {"type": "string"}}}}"#, "Void"),
        (#""default": {"content": {"application/json": {"schema": {"type": "string"}}}}"#, "String"),
    ])
    func theEndpointValueIsThatOfTheSuccessResponse(_ responses: String, _ type: String) throws {
        let source = try source(
            #"{"openapi": "3.0.0", "paths": {"/a": {"get": {"responses": {\#(responses)}}}}}"#)
        #expect(source.contains("extension Endpoint<\(type)> {"))
    }

    @Test func reservedAndLibraryNamesAreChanged() throws {
        let schemas = ["2FASettings", "ParameterValue", "Regex", "a~b", "c/d"].map {
            #""\#($0)": {"type": "object", "properties": {"x": {"type": "string"}}}"#
        }
        let source = try source(
            #"{"openapi": "3.0.0", "paths": {}, "components": {"schemas": {\#(schemas.joined(separator: ","))}}}"#)
        let classes = source.split(separator: "\n").filter { $0.hasPrefix("class ") }.map {
            $0.dropLast(17).dropFirst(6)
        }
        #expect(classes == ["Model2FASettings", "ParameterValueModel", "RegexModel", "AB", "CD"])
    }

    @Test(arguments: [
        (
            "openapi: 3.0.0\ninfo:\n  title: x\n",
            "The document is YAML; convert it first: yq -o=json openapi.yaml > openapi.json"
        ),
        (
            #"{"swagger": "2.0"}"#,
            "The document is no OpenAPI 3, since its \"openapi\" is not a version 3; convert older ones first."
        ),
    ])
    func anotherDocumentIsRejected(_ document: String, _ reason: String) {
        #expect(throws: InferenceError.invalidSchema(reason: reason)) { try source(document) }
    }
}
