import Foundation
import ModelMirror
import ModelMirrorNetworking
import Testing

@Suite("SendingBox", .timeLimit(.hung), .network)
struct SendingBoxTests {
    private let client = APIClient(transport: StubTransport(#"[{"id": "1"}, {"id": "2"}]"#))

    @Test("A SendingBox carries objects out of a task and can be taken once")
    func task() async throws {
        let task = Task { [client] in SendingBox(try await client.value(.get("https://example.com/x")) as [Gist]) }
        let gists = try await task.value.take()
        gists[0].id = "mine"
        #expect(gists.map(\.id) == ["mine", "2"])
        let box = try await task.value
        await expectRequestError("\(RequestError.alreadyTaken)") { _ = try box.take() }
    }

    @Test("Boxes carry objects out of a task group")
    func group() async throws {
        let count = try await withThrowingTaskGroup(of: SendingBox<[Gist]>.self) { group in
            for _ in 1...3 {
                group.addTask { [client] in SendingBox(try await client.value(.get("https://example.com/x"))) }
            }
            var all: [Gist] = []
            for try await box in group { all += try box.take() }
            return all.count
        }
        #expect(count == 6)
    }

    @Test("Concurrent calls of take return the value exactly once")
    func race() async {
        for _ in 1...50 {
            let box = SendingBox(Gist())
            let taken = await withTaskGroup(of: Bool.self) { group in
                for _ in 1...20 { group.addTask { (try? box.take()) != nil } }
                return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(taken == 1)
        }
    }
}

private class Gist: AbstractModel {
    var id = ""
}
