import Foundation
import ModelMirror
import ModelMirrorNetworking
import ModelMirrorTesting
import Testing

@Suite("Requests by the rules of a client", .timeLimit(.hung), .network)
struct ClientRulesTests {
    private let mock = MockTransport()
    private var client: APIClient {
        var client = APIClient(transport: mock, baseURL: URL(string: "https://a.example"))
        client.configuration.mappingOptions.keyStrategy = .snakeCase
        client.configuration.parameterStyle = ParameterStyle(arrays: .repeated, booleans: .digits)
        return client
    }

    private func sent<Value>(_ endpoint: Endpoint<Value>) async throws -> MockRequest {
        mock.on("all", where: { _ in true }, .status(204))
        try await client.send(endpoint)
        return try #require(mock.requests.last)
    }

    @Test("An Encodable value has the client's keys and dates, or its own encoder's")
    func encodable() async throws {
        let draft = Draft(dueDate: Date(timeIntervalSince1970: 0), tagNames: ["a"])
        let request = try await sent(Endpoint<Void>.post("d", parameters: .json(encodable: draft)))
        #expect(request.text == #"{"due_date":"1970-01-01T00:00:00Z","tag_names":["a"]}"#)
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        encoder.dateEncodingStrategy = .secondsSince1970
        let own = try await sent(Endpoint<Void>.post("d", parameters: .json(encodable: draft, encoder: encoder)))
        #expect(own.text == #"{"dueDate":0,"tagNames":["a"]}"#)
    }

    @Test("Queries, forms and filters have the client's style, unless they have their own")
    func styles() async throws {
        let list: ParameterList = ["t": ["a", "b"], "on": true]
        let query = try await sent(Endpoint<Void>.get("q", query: list))
        #expect(query.url.query() == "t=a&t=b&on=1")
        #expect(try await sent(Endpoint<Void>.get("q", parameters: .query(list))).url.query() == "t=a&t=b&on=1")
        let own = try await sent(
            Endpoint<Void>.get("q", parameters: .query(list, style: ParameterStyle(arrays: .commas))))
        #expect(own.url.query() == "t=a,b&on=true")
        #expect(try await sent(Endpoint<Void>.post("f", parameters: .form(list))).text == "t=a&t=b&on=1")
        let pages = client.pages(Endpoint<[Int]>.get("l"), by: LinkPagination()).matching(nil, filter: list)
        #expect(try client.transportRequest(for: pages.endpoint).url.query() == "t=a&t=b&on=1")
    }

    @Test("A JSON value has its text")
    func text() throws {
        let value: JSONValue = ["b": 1, "a": [true, nil]]
        #expect(try value.jsonString() == #"{"a":[true,null],"b":1}"#)
    }
}

private struct Draft: Encodable {
    var dueDate: Date
    var tagNames: [String]
}
