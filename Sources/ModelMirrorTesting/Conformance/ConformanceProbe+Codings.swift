import ModelMirrorFoundation
import ModelMirrorNetworking

/// Checks of content codings, credentials in the URL and upload progress.
extension ConformanceProbe {
    func contentCodings() async throws {
        let text = "{\"text\":\"\(String(repeating: "a", count: 500))\"}"
        server.on(.get, "/") { request in
            let accepted = (request.headers["Accept-Encoding"] ?? "").split(separator: ",").map { name in
                name.prefix { $0 != ";" }.filter { $0 != " " }
            }
            for (name, body) in Self.encoded where accepted.contains(name) {
                return .data(body, headers: [.contentType: "application/json", "Content-Encoding": name])
            }
            return .json(text)
        }
        let (_, body) = try await fetch(request(.get, "/"))
        try expect(
            String(decoding: body, as: UTF8.self) == text, "a body that was asked for encoded comes as it was sent")
        let (_, plain) = try await fetch(request(.get, "/", headers: ["Accept-Encoding": "identity"]))
        try expect(
            server.requests.last?.headers["Accept-Encoding"], equals: "identity", "the request's own Accept-Encoding")
        try expect(String(decoding: plain, as: UTF8.self) == text, "a body that was not encoded is changed")
    }

    /// The body of the check, in two codings.
    private static let encoded: [(name: String, body: Data)] = [
        ("gzip", Data(base64Encoded: "H4sIAAAAAAACA6tWKkmtKFGyUkocBSMOKNUCAM9kgHj/AQAA") ?? Data()),
        ("deflate", Data(base64Encoded: "eJyrVipJrShRslJKHAUjDijVAgCeO8D0") ?? Data()),
    ]

    func userInfo() async throws {
        server.on(.get, "/", .json("[]"))
        let text = server.url("/").absoluteString.replacing("http://", with: "http://al%40ice:p%3A%20w@")
        guard let url = URL(string: text) else { throw Unmet("the URL \(text) cannot be made") }
        let (response, _) = try await fetch(TransportRequest(.get, url))
        let basic = "Basic \(Data("al@ice:p: w".utf8).base64EncodedString())"
        try expect(
            server.requests.last?.headers[.authorization], equals: basic, "the Authorization for user and password")
        try expect(server.requests.last?.headers["Host"], equals: "127.0.0.1:\(server.port)", "the Host of the request")
        try expect(response.url.user, equals: nil, "the user in the URL of the response")
        _ = try await fetch(TransportRequest(.get, url, headers: [.authorization: "Bearer own"]))
        try expect(
            server.requests.last?.headers[.authorization], equals: "Bearer own",
            "the Authorization of the request's own")
    }

    func uploadProgress() async throws {
        server.on(.post, "/", .json("[]"))
        let length = 300_000
        for body in [
            HTTPBody.data(LoopbackResponse.pattern(0..<length)),
            .chunks(length: length) {
                var start = 0
                return {
                    guard start < length else { return nil }
                    defer { start += 30_000 }
                    return LoopbackResponse.pattern(start..<start + 30_000)
                }
            },
        ] {
            let reports = Observed<[Int64]>([])
            let totals = Observed<[Int64?]>([])
            var request = request(.post, "/", body: body)
            request.uploadProgress = { sent, total in
                reports.update { $0.append(sent) }
                totals.update { $0.append(total) }
            }
            _ = try await fetch(request)
            try expectArrival(of: LoopbackResponse.pattern(0..<length), "a body with progress")
            // A transport that cannot tell reports nothing.
            guard !reports.value.isEmpty else { continue }
            begin("the last report of an upload was awaited")
            let all = try await reports.wait { $0.last == Int64(length) }
            try expect(zip(all, all.dropFirst()).allSatisfy { $0 <= $1 }, "the progress of an upload decreases: \(all)")
            try expect(
                totals.value.allSatisfy { $0 == nil || $0 == Int64(length) },
                "the totals of an upload of \(length) bytes are \(totals.value)")
        }
    }
}
