import Foundation
import ModelMirror
import ModelMirrorNetworking
import Testing

@Suite("APIClient", .timeLimit(.hung), .network)
struct APIClientTests {
    private let url: URLReference = "https://example.com/x"

    private func accept<Value>(_ endpoint: Endpoint<Value>, client: APIClient = APIClient()) throws -> String? {
        try client.transportRequest(for: endpoint).headers[.accept]
    }

    @Test("Requests accept JSON when their value is read as JSON")
    func accept() throws {
        let json = [
            try accept(Endpoint<Gist>.get(url)), try accept(Endpoint<[Gist]?>.post(url)),
            try accept(Endpoint<JSONValue>.get(url, at: "a")),
        ]
        #expect(json == Array(repeating: "application/json", count: 3))
        let others = [
            try accept(Endpoint<Void>.get(url)), try accept(Endpoint<Data>.get(url)),
            try accept(Endpoint<Data>.get(url, at: "a")), try accept(Endpoint<Int>.get(url, reading: { $0.status })),
        ]
        #expect(others == Array(repeating: nil, count: 4))
    }

    @Test("An explicit Accept field replaces the default: the endpoint's, the route's or the client's")
    func ownAccept() throws {
        var client = APIClient()
        client.configuration.headers["ACCEPT"] = "a/client"
        let found = [
            try accept(Endpoint<Gist>.get(url), client: client), try accept(Endpoint<Data>.get(url), client: client),
            try accept(Endpoint<Gist>.route(Wanting()), client: client),
            try accept(Endpoint<Gist>.get(url, headers: ["accept": "a/endpoint"]), client: client),
        ]
        #expect(found == ["a/client", "a/client", "a/route", "a/endpoint"])
        var route = Endpoint<Gist>.route(Wanting())
        route.headers[.accept] = "a/endpoint"
        #expect(try accept(route) == "a/endpoint")
        var prepared = Endpoint<Gist>.get(url)
        prepared.prepare = { $0.headers[.accept] = ($0.headers[.accept] ?? "") + ", a/prepared" }
        #expect(try accept(prepared) == "application/json, a/prepared")
    }

    @Test("Header fields of an endpoint override the configuration's; its other settings still apply")
    func headers() async throws {
        let transport = StubTransport("[]")
        var client = APIClient(transport: transport)
        client.configuration.headers["X-Client"] = "tour"
        client.configuration.timeout = .seconds(3)
        client.configuration.redirects = .stop
        client.configuration.allowsExpensiveNetwork = false
        let gists: [Gist] = try await client.value(.get(url, headers: ["x-client": "mine", "X-Page": "2"]))
        #expect(gists.isEmpty)
        let request = try #require(transport.requests.first)
        #expect(request.headers == ["x-client": "mine", "X-Page": "2", .accept: "application/json"])
        #expect(request.timeout == .seconds(3))
        #expect(request.redirects == .stop)
        #expect(!request.allowsExpensiveNetwork)
    }

    @Test("Mapping options of the configuration apply to models, structures and nested structures")
    func mappingRules() async throws {
        var client = APIClient(transport: StubTransport(#"{"last_visit": 1000, "place": {"last_visit": 2000}}"#))
        client.configuration.mappingOptions = MappingOptions(dates: .secondsSince1970, keyStrategy: .snakeCase)
        let trip: Trip = try await client.value(.get(url))
        #expect(trip.lastVisit == Date(timeIntervalSince1970: 1000))
        #expect(trip.place?.lastVisit == Date(timeIntervalSince1970: 2000))
        let place: Place = try await client.value(.get(url))
        #expect(place.lastVisit == Date(timeIntervalSince1970: 1000))
    }

    @Test("The decoder of the configuration decodes structures, at the root and in models")
    func decoder() async throws {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .millisecondsSince1970
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        var client = APIClient(transport: StubTransport(#"[{"place": {"last_visit": 2000}}]"#))
        client.configuration.mappingOptions = MappingOptions(decoder: decoder)
        let trips: [Trip] = try await client.value(.get(url))
        #expect(trips.first?.place?.lastVisit == Date(timeIntervalSince1970: 2))
        let places: [String: Place] = try await client.value(.get(url, at: [0]))
        #expect(places["place"]?.lastVisit == Date(timeIntervalSince1970: 2))
    }

    @Test("A request body is written with the mapping options passed to it, or with those of the client that makes it")
    func writingRules() async throws {
        let transport = StubTransport("")
        let trip = try Trip(
            json: #"{"lastVisit": "1970-01-01T00:16:40Z", "place": {"lastVisit": "1970-01-01T00:00:02Z"}}"#)
        let rules = MappingOptions(dates: .secondsSince1970, keyStrategy: .snakeCase)
        var client = APIClient(transport: transport)
        try await client.value(Endpoint<Void>.post(url, parameters: .json(trip, mapping: rules)))
        try await client.value(Endpoint<Void>.post(url, parameters: .json([trip], mapping: rules)))
        client.configuration.mappingOptions = rules
        try await client.value(Endpoint<Void>.post(url, parameters: client.json(trip)))
        try await client.value(Endpoint<Void>.post(url, parameters: client.json([trip], options: .pretty)))
        try await client.value(Endpoint<Void>.post(url, parameters: .json(trip)))
        let object = #"{"last_visit":1000,"place":{"last_visit":2}}"#
        let bodies = transport.requests.map { request in
            guard case .data(let data)? = request.body?.content else { return "" }
            return String(decoding: data, as: UTF8.self)
        }
        let pretty = """
            [
              {
                "last_visit": 1000,
                "place": {
                  "last_visit": 2
                }
              }
            ]
            """
        let plain = #"{"lastVisit":"1970-01-01T00:16:40Z","place":{"lastVisit":"1970-01-01T00:00:02Z"}}"#
        #expect(bodies == [object, "[\(object)]", object, pretty, plain])
    }

    @Test("An invalid address is reported as the request's failure, and nothing is sent")
    func addresses() async {
        let transport = StubTransport("[]")
        let client = APIClient(transport: transport)
        let noBase =
            "\"gists\" is not a URL that can be requested; expected an http or https URL with a host, or a path and a "
            + "client with a baseURL."
        let told: String = await withCheckedContinuation { continuation in
            client.request(.get("gists")) { (getGists: () throws -> sending [Gist]) in
                do { continuation.resume(returning: "\(try getGists().count)") } catch {
                    continuation.resume(returning: "\(error)")
                }
            }
        }
        #expect(told == noBase)
        await expectError(noBase) { try await client.send(.get("gists")) }
        let server = "https://other.example"
        await expectError(
            "The request cannot be sent: an interpolated value would make the address \"https://other.example\" absolute; for "
                + "an address known only at run time use .url(link) or URLReference(verbatim: text), and set a base URL on the "
                + "client."
        ) { try await client.send(.get("\(server)/gists")) }
        #expect(transport.requests.isEmpty)
    }

    @Test("A global client, and a structure that holds one, can be used from several tasks at once")
    func sharing() async throws {
        async let one = Shared.api.number("1")
        async let two = Shared.api.number("2")
        let three: Int = try await Shared.api.client.value(.get("numbers/3"))
        #expect(try await [one, two, three] == [1, 2, 3])
        let sum = try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 1...20 { group.addTask { try await Shared.api.number("\(number)") } }
            return try await group.reduce(0, +)
        }
        #expect(sum == 210)
    }
}

private enum Shared {
    static let api = NumbersAPI(
        client: APIClient(
            transport: StubTransport { .stub($0.url.lastPathComponent, url: $0.url) },
            baseURL: URL(string: "https://example.com")))
}

private struct NumbersAPI: Requesting {
    let client: APIClient

    func number(_ name: String) async throws -> sending Int { try await value(.get("numbers/\(name)")) }
}

private struct Wanting: Route {
    var path: URLReference { "https://example.com/x" }
    var headers: HTTPHeaders { [.accept: "a/route"] }
}

private class Gist: AbstractModel {
    var id = ""
}

private final class Trip: AbstractModel {
    var lastVisit: Date?
    var place: Place?
}

private struct Place: Codable, Equatable {
    var lastVisit: Date
}
