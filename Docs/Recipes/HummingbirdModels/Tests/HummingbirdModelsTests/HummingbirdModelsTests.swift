import Hummingbird
import HummingbirdModels
import HummingbirdTesting
import ModelMirror
import Testing

private class Order: AbstractModel {
    var customer = ""
    var counts: [Int] = []
    var price: Double?
    override class var propertyRules: [String: any PropertyRule] { ["counts": .each(.inRange(1...9))] }
}

@Suite("Models as bodies of Hummingbird")
struct HummingbirdModelsTests {
    /// A service that returns an order that it got, twice under `/lists`.
    private func answer(to body: String, at path: String = "/orders") async throws -> TestResponse {
        let router = Router()
        router.post("orders") { request, context in
            let order = try await request.model(Order.self, context: context)
            return try Response(order, status: .created)
        }
        router.post("lists") { request, context in
            let order: Order = try await request.model(context: context, options: .init())
            return try Response([order, order])
        }
        router.post("infinities") { request, context in
            let order: Order = try await request.model(context: context)
            order.price = .infinity
            return try Response(order)
        }
        return try await Application(router: router).test(.router) { client in
            try await client.execute(uri: path, method: .post, body: ByteBuffer(string: body))
        }
    }

    @Test("A model is read and written")
    func models() async throws {
        let response = try await answer(to: #"{"counts": [1, 2], "customer": "Mona"}"#)
        #expect(response.status == .created)
        #expect(response.headers[.contentType] == "application/json")
        #expect(String(buffer: response.body) == #"{"customer":"Mona","counts":[1,2]}"#)
        let list = try await answer(to: #"{"counts": [1, "x"]}"#, at: "/lists")
        #expect(list.status == .ok)
        #expect(String(buffer: list.body) == #"[{"customer":"","counts":[1]},{"customer":"","counts":[1]}]"#)
    }

    @Test("What is wrong with a body is a problem document")
    func problems() async throws {
        let response = try await answer(to: #"{"counts": [10], "customer": "Mona", "extra": 1}"#)
        #expect(response.status == .unprocessableContent)
        #expect(response.headers[.contentType] == "application/problem+json")
        let problem = try ProblemDetails(json: String(buffer: response.body))
        #expect(problem.status == 422)
        #expect(problem.errors.map(\.pointer) == ["#/counts/0", "#/extra"])
        #expect(problem.errors.map(\.code) == ["maximum", "additionalProperties"])
        #expect(try await answer(to: "{").status == .badRequest)
        #expect(
            try await answer(to: #"{"counts": [\#(String(repeating: "1,", count: 600_000))1]}"#).status
                == .contentTooLarge)
        #expect(try await answer(to: String(repeating: " ", count: 2 << 20 + 1)).status == .contentTooLarge)
    }

    @Test("A mistake of the service is a 500 without details")
    func mistakes() async throws {
        let response = try await answer(to: #"{"counts": [], "customer": ""}"#, at: "/infinities")
        #expect(response.status == .internalServerError)
        #expect(!String(buffer: response.body).contains("price"))
    }
}
