import ModelMirrorFoundation
import ModelMirrorNetworking

/// Checks of which time counts toward timeouts and deadlines.
extension ConformanceProbe {
    func boundedTimes() async throws {
        server.on(.get, "/", .json("[]"))
        server.on(.get, "/silent", .hanging())
        for timeout in [Duration.seconds(Int64.max), .seconds(9_223_372_036), TransportRequest.longestTimeout] {
            var request = request(.get, "/")
            request.timeout = timeout
            request.deadline = .now + TransportRequest.longestTimeout
            try expect(try await fetch(request).response.status, equals: 200, "the status with a timeout of \(timeout)")
        }
        server.on(.get, "/stuck", .slow(["[1,", "2]"], at: Gate(passes: 1)))
        for (path, what) in [
            ("/silent", "a request whose deadline passes"), ("/stuck", "a body whose deadline passes"),
        ] {
            var late = request(.get, path)
            late.deadline = .now + .milliseconds(300)
            try await expectConnection(.timedOut, what, late)
        }
    }

    func timeoutOfUpload() async throws {
        server.on(.post, "/", .json("[]"))
        var request = request(
            .post, "/",
            body: .chunks(length: 7 << 16) {
                var left = 7
                return {
                    guard left > 0 else { return nil }
                    left -= 1
                    try await Task.sleep(for: .milliseconds(500))
                    return Data(repeating: 0x20, count: 1 << 16)
                }
            })
        request.timeout = .seconds(3)
        let (response, _) = try await fetch(request)
        try expect(
            response.status, equals: 200, "the status of an upload longer than its timeout, with progress all along,")
        try expect(server.requests.last?.body.count, equals: 7 << 16, "the count of bytes that arrived")
    }

    func timeoutInQueue() async throws {
        let (gate, started, timeout) = (Gate(), Observed(0), Duration.seconds(3))
        server.on(.get, "/held", LoopbackResponse.json("[]").held(at: gate))
        server.on(.get, "/", .json("[]"))
        @Sendable func send(_ request: TransportRequest) async throws {
            let response = try await transport.response(to: request)
            try expect(response.status, equals: 200, "the status of one of many requests")
            _ = try await response.body.collect(limit: 100)
        }
        begin("requests waited behind 40 others for longer than their timeout")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<40 {
                group.addTask {
                    started.update { $0 += 1 }
                    try await send(request(.get, "/held"))
                }
            }
            _ = try await started.wait { $0 == 40 }
            try await gate.arrivals(atLeast: 1)
            for _ in 0..<8 {
                group.addTask {
                    var request = request(.get, "/")
                    request.timeout = timeout
                    try await send(request)
                }
            }
            group.addTask {
                try await Task.sleep(for: timeout + .seconds(1))
                gate.open()
            }
            try await group.waitForAll()
        }
    }
}
