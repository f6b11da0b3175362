import ModelMirror
import Testing
import Vapor
import VaporModels
import VaporTesting

private class Order: AbstractModel {
    var customer = ""
    var counts: [Int] = []
    var price: Double?
    override class var propertyRules: [String: any PropertyRule] { ["counts": .each(.inRange(1...9))] }
}

@Suite("Models as bodies of Vapor")
struct VaporModelsTests {
    /// Asks a service that returns an order that it got, twice under `lists`.
    private func answer(
        to body: String, at path: String = "orders", check: @Sendable (TestingHTTPResponse) async throws -> Void
    ) async throws {
        try await withApp(configure: { app in
            app.middleware.use(ProblemMiddleware())
            app.on(.POST, "orders", body: .stream) { request async throws -> Response in
                let order = try await request.model(Order.self)
                return try Response(order, status: .created)
            }
            app.on(.POST, "lists", body: .stream) { request async throws -> Response in
                let order: Order = try await request.model(options: .init())
                return try Response([order, order])
            }
            app.on(.POST, "infinities", body: .stream) { request async throws -> Response in
                let order: Order = try await request.model()
                order.price = .infinity
                return try Response(order)
            }
        }) { app in
            try await app.testing().test(.POST, path, body: ByteBuffer(string: body), afterResponse: check)
        }
    }

    @Test("A model is read and written")
    func models() async throws {
        try await answer(to: #"{"counts": [1, 2], "customer": "Mona"}"#) { response in
            #expect(response.status == .created)
            #expect(response.headers.first(name: "Content-Type") == "application/json")
            #expect(response.body.string == #"{"customer":"Mona","counts":[1,2]}"#)
        }
        try await answer(to: #"{"counts": [1, "x"]}"#, at: "lists") { response in
            #expect(response.status == .ok)
            #expect(response.body.string == #"[{"customer":"","counts":[1]},{"customer":"","counts":[1]}]"#)
        }
    }

    @Test("What is wrong with a body is a problem document")
    func problems() async throws {
        try await answer(to: #"{"counts": [10], "customer": "Mona", "extra": 1}"#) { response in
            #expect(response.status == .unprocessableEntity)
            #expect(response.headers.first(name: "Content-Type") == "application/problem+json")
            let problem = try ProblemDetails(json: response.body.string)
            #expect(problem.status == 422)
            #expect(problem.errors.map(\.pointer) == ["#/counts/0", "#/extra"])
            #expect(problem.errors.map(\.code) == ["maximum", "additionalProperties"])
        }
        try await answer(to: "{") { #expect($0.status == .badRequest) }
        try await answer(to: String(repeating: " ", count: 1 << 20 + 1)) { #expect($0.status == .payloadTooLarge) }
    }

    @Test("A mistake of the service is a 500 without details")
    func mistakes() async throws {
        try await answer(to: #"{"counts": [], "customer": ""}"#, at: "infinities") { response in
            #expect(response.status == .internalServerError)
        }
    }
}
