import ModelMirrorFoundation
import ModelMirrorNetworking

/// Checks of cancellation.
extension ConformanceProbe {
    func cancelledBefore() async throws {
        server.on(.get, "/", .json("[]"))
        let gate = Gate()
        let task = Task {
            // Never opened: the wait ends when the task is cancelled.
            try? await gate.enter()
            return try await transport.response(to: request(.get, "/"))
        }
        task.cancel()
        try await expectCancelled("a request of a cancelled task") { try await task.value }
    }

    func cancelledBeforeHead() async throws {
        server.on(.get, "/", .hanging())
        let task = Task { try await transport.response(to: request(.get, "/")) }
        begin("a request was expected to arrive")
        _ = try await server.exchanges(atLeast: 1)
        task.cancel()
        try await expectCancelled("a request that is cancelled before the head") { try await task.value }
        try await expectEndOfConnection("the request was cancelled")
    }

    func cancelledInBody() async throws {
        let gate = Gate()
        server.on(.get, "/", .slow(["first", "second"], at: gate))
        gate.pass()
        let firstRead = Gate()
        let task = Task {
            defer { firstRead.open() }
            var iterator = try await transport.response(to: request(.get, "/")).body.makeAsyncIterator()
            var read = 0
            while read < 5, let chunk = try await iterator.next() { read += chunk.count }
            firstRead.open()
            return try await iterator.next()
        }
        begin("the first chunk was read")
        try await gate.arrivals(atLeast: 2)
        try await firstRead.enter()
        task.cancel()
        try await expectCancelled("a body that is cancelled between two chunks") { try await task.value }
        try await expectEndOfConnection("the body was cancelled")
    }

    func cancelledInUpload() async throws {
        server.on(.post, "/", .json("[]"))
        let isUnderWay = Gate()
        let body = HTTPBody.chunks {
            var count = 0
            return {
                count += 1
                if count == 20 { isUnderWay.open() }
                return Data(repeating: 0x20, count: 1024)
            }
        }
        let task = Task {
            defer { isUnderWay.open() }
            return try await transport.response(to: request(.post, "/", body: body))
        }
        begin("an endless body was sent")
        try await isUnderWay.enter()
        task.cancel()
        try await expectCancelled("a request that is cancelled while its body is sent") { try await task.value }
    }

    func cancelledAfter() async throws {
        server.on(.get, "/", .json("[]"))
        let isRead = Gate()
        let goOn = Gate()
        let task = Task {
            defer { isRead.open() }
            let (response, body) = try await fetch(request(.get, "/"))
            isRead.open()
            try? await goOn.enter()
            var iterator = response.body.makeAsyncIterator()
            return (response.status, body, Task.isCancelled, try? await iterator.next())
        }
        begin("a whole body was read")
        try await isRead.enter()
        task.cancel()
        goOn.open()
        let (status, body, wasCancelled, rest) = try await task.value
        try expect(wasCancelled, "the task is not cancelled")
        try expect(status, equals: 200, "the status after cancelling")
        try expect(String(decoding: body, as: UTF8.self), equals: "[]", "the body after cancelling")
        try expect(rest == nil, "a body that was read has more after cancelling")
    }
}
