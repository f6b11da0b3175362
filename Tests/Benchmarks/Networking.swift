/// The commands that need a network.
enum Networking {
    static func run(_ action: Arguments.Action) async throws {
        switch action {
        case .network(let requests, let rounds): try await NetworkLoad.run(requests: requests, rounds: rounds)
        case .transports(let requests, let rounds): try TransportLoad.run(requests: requests, rounds: rounds)
        case .stream(let megabytes): try await StreamLoad.run(megabytes: megabytes)
        case .soak(let requests): try await SoakLoad.run(requests: requests)
        case .line(let requests):
            #if os(Linux)
            try await LineLoad.run(requests: requests)
            #else
            print("line: \(requests) requests are for CurlTransport, which is there on Linux only")
            #endif
        case .child("network-server", _): try NetworkLoad.serve()
        case .child("transport-server", _): try TransportLoad.serve()
        case .child("transport-child", let words): try await TransportLoad.measure(words)
        case .child("stream-server", let words): try StreamLoad.serve(megabytes: words.first.flatMap { Int($0) } ?? 200)
        case .child("soak-server", _): try SoakLoad.serve()
        case .table, .memory, .profile, .hostile, .child: break
        }
    }
}
