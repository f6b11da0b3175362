#if os(Linux)
import Foundation
import ModelMirrorTesting
import Testing

@testable import ModelMirrorNetworking

/// Responses byte for byte, first of all those that crash a process that uses `URLSession` on Linux.
@Suite(.timeLimit(.hung), .network)
struct CurlTransportAnswerTests {
    private typealias Kind = RequestError.ConnectionFailure.Kind

    private let server: LoopbackServer
    private let transport = CurlTransport()

    init() throws { server = try LoopbackServer() }

    // MARK: Responses that crash URLSession

    @Test(arguments: ["", "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"])
    func survivesAHeadThatBreaksOff(_ before: String) async throws {
        try await expectFailure(
            before + "HTTP/1.1 200 OK\r\n", .connectionLost, "the response ended within its head")
    }

    /// A fault of the server, although libcurl gives the same codes for a lack of memory and a lost connection.
    @Test func namesFaultsOfTheProtocol() async throws {
        let line = String(repeating: "a", count: 110_000)
        // libcurl does not pass the line on.
        for (before, place) in [("", "the status line"), ("Set-Cookie: secret\r\n", "the field \"Set-Cookie\"")] {
            let long = try await expectFailure("HTTP/1.1 200 OK\r\n\(before)X-A: \(line)\r\n\r\n", .badResponse)
            #expect(long.hasPrefix("a line of the head is too long after \(place)"), "\(long)")
            #expect(!long.contains("secret"))
        }
        let response = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\nno size\r\n"
        let broken = try await expectFailure(response, .badResponse)
        #expect(broken.hasPrefix("the chunked coding of the body is not valid after 2 bytes ("), "\(broken)")
        #expect(broken.count < 250)
        let status = try await expectFailure(
            "HTTP/1.1 2x0 \(String(repeating: "b", count: 1000))\r\n\r\n", .badResponse)
        #expect(status.count < 250)
        try await expectFailure(
            "ICY 200\u{1B}[2J\u{202E} \"OK\" \(String(repeating: "c", count: 100))\r\nA: b\r\n\r\n", .badResponse,
            "its status line is \"ICY 200\\u{1B}[2J\\u{202E} \\\"OK\\\" \(String(repeating: "c", count: 42))…\"")
        for length in ["Content-Length: -1", "Content-Length: \(String(repeating: "x", count: 1000))"] {
            let reason = try await expectFailure("HTTP/1.1 200 OK\r\nServer: a\r\n\(length)\r\n\r\nab", .badResponse)
            #expect(reason.hasPrefix("the head of the response is not valid after the field \"Server\" ("), "\(reason)")
        }
    }

    @Test func ignoresTrailers() async throws {
        let response = try await answer(
            "HTTP/1.1 200 OK\r\nX-A: 1\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n[]\r\n0\r\nA: b\r\nX-A: 2\r\n\r\n")
        #expect(response.head.status == 200)
        #expect(response.head.headers["X-A"] == "1")
        #expect(response.head.headers["A"] == nil)
        #expect(response.text == "[]")
    }

    @Test func survivesHugeAndInvalidContentLengths() async throws {
        for length in ["9223372036854775296", "9223372036854775807"] {
            try await expectFailure("HTTP/1.1 200 OK\r\nContent-Length: \(length)\r\n\r\nab", .connectionLost)
        }
        // RFC 9112 section 6.3: an invalid length is an error, not one more way to say "until the end".
        try await expectFailure(
            "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\nab", .badResponse,
            "it announces the length \"99999999999999999999\", which is not a number of bytes")
        for length in ["-1", "+2", "x", "5, 6"] {
            try await expectFailure("HTTP/1.1 200 OK\r\nContent-Length: \(length)\r\n\r\nab", .badResponse)
        }
        // libcurl 8.23 rejects them itself.
        let differing = try await expectFailure(
            "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nab", .badResponse)
        #expect(
            differing == "it announces the lengths \"2\" and \"3\""
                || differing.hasPrefix("the head of the response is not valid after the field \"Content-Length\" ("),
            "\(differing)")
    }

    /// Without libcurl, which may reject any list.
    @Test func acceptsListsOfOneContentLength() {
        for length in ["2", "2, 2", "2 ,2\t,2"] {
            guard case .head(let head) = parse(["Content-Length: \(length)"]) else {
                Issue.record("\(length)")
                continue
            }
            #expect(head.headers[.contentLength] == length)
        }
    }

    @Test(arguments: [CookiePolicy.none, .session])
    func survivesMalformedCookies(_ policy: CookiePolicy) async throws {
        var options = CurlTransport.Options()
        options.cookies = policy
        let transport = CurlTransport(options)
        let cookies = ["😀=", "=", "", ";;;", "a", "a=1; Expires=😀", "a=1; Max-Age=99999999999999999999"]
        for cookie in cookies {
            let response = try await answer(
                "HTTP/1.1 200 OK\r\nSet-Cookie: \(cookie)\r\nContent-Length: 0\r\n\r\n", over: transport)
            #expect(response.head.headers.values(for: .setCookie) == [cookie])
        }
    }

    @Test(arguments: [
        "//%00/", "http://", "ftp://127.0.0.1/", "//[::1", "http://a b/", "http:///", "//\u{1}/", "javascript:alert(1)",
    ])
    func survivesInvalidRedirects(_ location: String) async throws {
        serve("HTTP/1.1 302 Found\r\nLocation: \(location)\r\nContent-Length: 0\r\n\r\n")
        let error = await #expect(throws: RequestError.self) { try await fetch() }
        #expect([.badResponse, .hostNotFound, .cannotConnect].contains(error?.failureKind))
    }

    @Test(arguments: [Duration.seconds(9_300_000_000_000_000), .seconds(Int64.max)])
    func takesLongTimeouts(_ timeout: Duration) async throws {
        server.on(.get, "/", .text("a"))
        var request = TransportRequest(.get, server.url("/"))
        request.timeout = timeout
        #expect(try await transport.response(to: request).body.collect(limit: 10) == Data("a".utf8))
        var options = CurlTransport.Options()
        options.timeout = timeout
        let response = try await CurlTransport(options).response(to: TransportRequest(.get, server.url("/")))
        #expect(try await response.body.collect(limit: 10) == Data("a".utf8))
    }

    // MARK: Heads

    @Test func readsLatin1() async throws {
        let bytes =
            Data("HTTP/1.1 200 OK\r\nX-A: caf".utf8) + [0xE9] + Data("\r\nX-B: é\r\nContent-Length: 0\r\n\r\n".utf8)
        let headers = try await answer(bytes).head.headers
        #expect(headers["X-A"] == "café")
        #expect(headers["X-B"] == "é")
    }

    @Test(arguments: [
        "HTTP/1.1 200 OK\nX-A: 1\nContent-Length: 2\n\n[]", "HTTP/1.1 200\r\nX-A: 1\r\nContent-Length: 2\r\n\r\n[]",
        "HTTP/1.1 200 \r\nX-A:1\r\nContent-Length:2\r\n\r\n[]", "HTTP/1.0 200 OK\r\nX-A:\t 1 \t\r\n\r\n[]",
        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103\r\nX-A: 0\r\n\r\nHTTP/1.1 200 OK\r\nX-A: 1\r\nContent-Length: 2\r\n\r\n[]",
    ])
    func readsLenientHeads(_ bytes: String) async throws {
        let response = try await answer(bytes)
        #expect(response.head.status == 200)
        #expect(response.head.headers.values(for: "X-A") == ["1"])
        #expect(response.text == "[]")
    }

    @Test func unfoldsLines() async throws {
        let headers = try await answer(
            "HTTP/1.1 200 OK\r\nX-A: 1\r\n  2\r\n\t3\r\nX-B:\r\n 4\r\nContent-Length: 0\r\n\r\n"
        ).head.headers
        #expect(headers.values(for: "X-A") == ["1 2 3"])
        #expect(headers.values(for: "X-B") == ["4"])
    }

    /// RFC 9112 section 2.2 allows that, and to reject the head, as libcurl does from 8.21.
    @Test func treatsCarriageReturnsWithinALineAsSpaces() async throws {
        let head = "HTTP/1.1 200 OK\r\nX-A: \r1\r2\r \r\nX-B:\r\r\nContent-Length: 0\r\n\r\n"
        if CurlLibrary.shared?.versionNumber ?? 0 >= 0x08_15_00 {
            try await expectFailure(
                head, .badResponse,
                "the head of the response is not valid after the status line (Carriage return found in header)")
            return
        }
        let response = try await answer(head)
        #expect(response.head.headers["X-A"] == "1 2")
        #expect(response.head.headers["X-B"] == "")
    }

    @Test func limitsTheSizeOfTheHead() async throws {
        let field = "X-A: \(String(repeating: "a", count: 9_995))\r\n"
        serve("HTTP/1.1 200 OK\r\n\(String(repeating: field, count: 28))Content-Length: 0\r\n\r\n")
        try await expectFailure(nil, .badResponse, "the head is larger than 262144 bytes")
    }

    @Test("A field in very many lines takes no longer than as many lines of several fields")
    func longFields() {
        func read(_ fields: [String]) {
            guard case .head(let head) = parse(fields) else {
                Issue.record("no head")
                return
            }
            #expect(head.headers.fields.map { $0.value.utf8.count }.reduce(0, +) >= 160_000)
        }
        let one = ["X-A: a"] + Array(repeating: " b", count: 80_000)
        let several = Array(repeating: ["X-A: a"] + Array(repeating: " b", count: 100), count: 800).flatMap(\.self)
        expectTime(of: { read(one) }, below: 1.5, timesThatOf: { read(several) })
    }

    @Test("The time to join fields of one name grows with their number and no faster")
    func manyFields() {
        func joining(_ count: Int) -> () -> Void {
            let headers = HTTPHeaders(Array(repeating: HTTPHeaders.Field(name: "X-A", value: "b"), count: count))
            return { #expect(headers["X-A"]?.utf8.count == count * 3 - 2) }
        }
        expectTime(of: joining(80_000), below: 16, timesThatOf: joining(10_000))
    }

    /// Expects that work takes less than a multiple of the time of other work: the least times of up to ten turns.
    private func expectTime(
        of work: () -> Void, below factor: Double, timesThatOf other: () -> Void,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        /// Of the processor for this thread, so that other work on the machine does not count.
        func seconds(_ work: () -> Void) -> Double {
            let start = Self.processorTime
            work()
            return Self.processorTime - start
        }
        var (time, otherTime) = (Double.infinity, Double.infinity)
        for _ in 0..<10 where time >= otherTime * factor {
            time = min(time, seconds(work))
            otherTime = min(otherTime, seconds(other))
        }
        #expect(time < otherTime * factor, "\(time) s, and \(otherTime) s", sourceLocation: sourceLocation)
    }

    /// The seconds that the processor has run this thread.
    private static var processorTime: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    // MARK: Encoded bodies

    @Test func decodesCompressedBodies() async throws {
        for (coding, body) in [
            ("gzip", Encoded.gzip), ("x-gzip", Encoded.gzip), ("deflate", Encoded.zlib), ("GZIP", Encoded.gzip),
        ] {
            let response = try await answer(head(coding, body.count) + body)
            #expect(response.text == Encoded.text, "\(coding)")
        }
        #expect(try await answer(head("deflate", Encoded.raw.count) + Encoded.raw).text == Encoded.text)
        let twice = Encoded.gzip + Encoded.gzip
        #expect(try await answer(head("gzip", twice.count) + twice).text == Encoded.text + Encoded.text)
        #expect(try await answer(head("identity", 2) + Data("[]".utf8)).text == "[]")
        #expect(try await answer(head("gzip", 0)).text == "")
    }

    @Test func throwsForATruncatedCompressedBody() async throws {
        for count in [1, 2, 10, 11, 20, Encoded.gzip.count - 8, Encoded.gzip.count - 1] {
            try await expectFailure(
                head("gzip", count) + Encoded.gzip.prefix(count), .connectionLost,
                "the compressed body ended before it was complete")
        }
    }

    @Test func throwsForABodyThatIsNotCompressed() async throws {
        try await expectFailure(
            head("gzip", 2) + Data("[]".utf8), .badResponse, "the body is not compressed as its Content-Encoding says")
        var damaged = Encoded.gzip
        damaged[damaged.count - 6] ^= 0xFF
        try await expectFailure(
            head("gzip", damaged.count) + damaged, .badResponse,
            "the body is not compressed as its Content-Encoding says")
    }

    @Test(arguments: ["br", "zstd", "gzip, gzip", "a"])
    func throwsForCodingsThatWereNotRequested(_ coding: String) async throws {
        try await expectFailure(
            head(coding, 2) + Data("[]".utf8), .badResponse,
            "the body is encoded as \"\(coding)\", which was not asked for")
        // It is accepted if the request asked for it, or if there is no body.
        serve(head(coding, 2) + Data("[]".utf8))
        let asked = TransportRequest(.get, server.url("/"), headers: ["Accept-Encoding": coding])
        #expect(try await transport.response(to: asked).body.collect(limit: 10) == Data("[]".utf8))
        server.on(.head, "/", .raw { [bytes = head(coding, 2)] in try $0.write(bytes) })
        #expect(try await transport.response(to: TransportRequest(.head, server.url("/"))).status == 200)
    }

    /// The file would have the encoded bytes, and nothing would tell.
    @Test("A download in a coding that cannot be decoded fails") func encodedDownload() async throws {
        serve(head("br", 2) + Data("[]".utf8))
        let folder = FileManager.default.temporaryDirectory.appending(path: "encoded-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let error = await #expect(throws: RequestError.self) {
            try await APIClient(transport: transport).download(
                Endpoint<Data>.get(.url(server.url("/"))), to: folder.appending(path: "a"))
        }
        #expect(error?.failureReason == "the body is encoded as \"br\", which was not asked for")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
    }

    // MARK: Framing

    @Test(arguments: [
        "HTTP/9.9 200 OK\r\n\r\n", "HTTP/1.1 2000 OK\r\n\r\n", "ICY 200 OK\r\n\r\n", "HTTP/1.1 abc\r\n\r\n",
        // libcurl 7.88 gives the code of an invalid argument.
        "HTTP/1.1 200 OK\r\nContent-Length\r: 2\r\n\r\n[]",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: xchunked\r\n\r\n2\r\n[]\r\n0\r\n\r\n",
    ])
    func throwsForUnknownVersionsStatusesNamesAndCodings(_ bytes: String) async throws {
        try await expectFailure(bytes, .badResponse)
    }

    /// Without libcurl, which would pass on the coding with the body, or bytes past its end. Later versions unfold lines.
    @Test(
        arguments: [
            (["Transfer-Encoding : chunked"], hidden("Transfer-Encoding")),
            (["Transfer-Encoding:", " chunked"], hidden("Transfer-Encoding")),
            (["Transfer-Encoding: \rchunked"], hidden("Transfer-Encoding")),
            (["Transfer-Encoding\t: chunked"], hidden("Transfer-Encoding")),
            (["Content-Length : 2"], hidden("Content-Length")),
            (["Content-Length: 2", " 3"], hidden("Content-Length")),
            (["Transfer-Encoding: xchunked"], unsupported("xchunked")),
            (["Transfer-Encoding: GZip, chunked"], unsupported("GZip")),
            (["Transfer-Encoding: identity", "Transfer-Encoding: x"], unsupported("x")),
            (["transfer-encoding: \u{A0}chunked"], unsupported("\u{A0}chunked")),
            (["Content-Length: 5, 6"], "it announces the lengths \"5\" and \"6\""),
            (["Content-Length: +5"], "it announces the length \"+5\", which is not a number of bytes"),
        ] as [([String], String)])
    func refusesFieldsThatHideTheEndOfTheBody(_ fields: [String], _ reason: String) {
        #expect(refusal(fields) == reason)
    }

    private static func hidden(_ name: String) -> String {
        "its field \"\(name)\" is folded, or has a stray space or carriage return"
    }

    private static func unsupported(_ coding: String) -> String {
        "its transfer coding \(coding.quotation) is not supported"
    }

    /// Why a head with these fields is refused.
    private func refusal(_ fields: [String]) -> String? {
        var parser = HeadParser()
        let steps = (["HTTP/1.1 200 OK"] + fields + [""]).map { line in
            Array((line + "\r\n").utf8).withUnsafeBytes { parser.take($0) }
        }
        return steps.lazy.compactMap { step in if case .refused(let reason) = step { reason } else { nil } }.first
    }

    @Test(arguments: [
        ("\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n[]\r\n0\r\n\r\n", "[]"),
        ("\r\nTransfer-Encoding: Chunked\r\n\r\n2\r\n[]\r\n0\r\n\r\n", "[]"), ("\r\n\r\nabc", "abc"),
    ])
    func readsChunksOrToTheEndOfTheConnection(_ rest: String, _ text: String) async throws {
        #expect(try await answer("HTTP/1.1 200 OK" + rest).text == text)
    }

    // MARK: Tools

    /// The last step of a head with these fields.
    private func parse(_ fields: [String]) -> HeadParser.Step {
        var parser = HeadParser()
        for line in ["HTTP/1.1 200 OK"] + fields {
            _ = Array((line + "\n").utf8).withUnsafeBytes { parser.take($0) }
        }
        return Array("\n".utf8).withUnsafeBytes { parser.take($0) }
    }

    private func head(_ coding: String, _ length: Int) -> Data {
        Data("HTTP/1.1 200 OK\r\nContent-Encoding: \(coding)\r\nContent-Length: \(length)\r\n\r\n".utf8)
    }

    private func serve(_ bytes: Data) { server.on(.get, "/", .raw { try $0.write(bytes) }) }

    private func serve(_ text: String) { serve(Data(text.utf8)) }

    private func fetch(over other: CurlTransport? = nil) async throws -> (head: TransportResponse, text: String) {
        let response = try await (other ?? transport).response(to: TransportRequest(.get, server.url("/")))
        return (response, String(decoding: try await response.body.collect(limit: 1 << 20), as: UTF8.self))
    }

    private func answer(
        _ text: String, over other: CurlTransport? = nil
    ) async throws -> (head: TransportResponse, text: String) {
        try await answer(Data(text.utf8), over: other)
    }

    private func answer(
        _ bytes: Data, over other: CurlTransport? = nil
    ) async throws -> (head: TransportResponse, text: String) {
        serve(bytes)
        return try await fetch(over: other)
    }

    @discardableResult
    private func expectFailure(_ text: String, _ kind: Kind, _ reason: String? = nil) async throws -> String {
        try await expectFailure(Data(text.utf8), kind, reason)
    }

    /// Expects the request to fail, and returns the reason.
    @discardableResult
    private func expectFailure(_ bytes: Data?, _ kind: Kind, _ reason: String? = nil) async throws -> String {
        if let bytes { serve(bytes) }
        let error = await #expect(throws: RequestError.self) { try await fetch() }
        let found = error?.failureReason ?? ""
        #expect(error?.failureKind == kind, "\(found)")
        if let reason { #expect(found == reason) }
        return found
    }
}

/// A text, and its gzip, zlib and raw deflate encodings.
private enum Encoded {
    static let text = String(repeating: "to and fro, ", count: 20)
    static let gzip = Data(base64Encoded: "H4sIAAAAAAACAyvJV0jMS1FIK8rXUSgZAWwAYD7aNPAAAAA=")!
    static let zlib = Data(base64Encoded: "eJwryVdIzEtRSCvK11EoGQFsAPjYTjU=")!
    static let raw = Data(base64Encoded: "K8lXSMxLUUgrytdRKBkBbAA=")!
}
#endif
