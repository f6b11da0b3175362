#if os(Linux)
import Foundation
import ModelMirrorTesting
import Testing

@testable import ModelMirrorNetworking

/// Responses over HTTP/2 that break the protocol, and others that were only ended.
@Suite(.timeLimit(.hung), .network)
struct CurlTransportFaultTests {
    typealias Frame = HTTP2Server.Frame

    private static let head = Frame(kind: .headers, flags: 4, payload: status)
    private static let body = Frame(kind: .data, flags: 1, payload: Array("done".utf8))
    /// RFC 7541 section 6.1: entry 8 of the static table, `:status: 200`.
    private static let status: [UInt8] = [0x88]

    private let version = CurlLibrary.shared?.versionNumber ?? 0
    private let transport: CurlTransport

    init() {
        var options = CurlTransport.Options()
        options.assumesHTTP2 = true
        options.proxy = .none
        transport = CurlTransport(options)
    }

    /// A head with one more field.
    private static func head(_ name: String, _ value: String) -> Frame {
        // RFC 7541 section 6.2.2: a literal without indexing, with a new name.
        let field = [0, UInt8(name.utf8.count)] + Array(name.utf8) + [UInt8(value.utf8.count)] + Array(value.utf8)
        return Frame(kind: .headers, flags: 4, payload: status + field)
    }

    /// Expects a `POST` to fail, and returns the failure.
    private func failure(of reaction: HTTP2Server.Reaction) async throws -> RequestError? {
        let server = try HTTP2Server { _ in reaction }
        let error = await #expect(throws: RequestError.self) {
            let response = try await transport.response(to: TransportRequest(.post, server.url))
            _ = try await response.body.collect(limit: 100_000)
        }
        #expect(server.requests.count == 1)
        return error
    }

    /// A libcurl that does not say so reports a lost response.
    @Test(
        "An invalid response is reported with its invalid part",
        arguments: [
            (0x08_05_00, [head("X-A", "secret"), body], " after the status line (the field \"X-A\")"),
            (0x08_05_00, [head("connection", "secret"), body], " after the status line (the field \"connection\")"),
            (
                0x08_05_00, [head("content-length", "secret"), body],
                " after the status line (the field \"content-length\")"
            ),
            (0x08_0D_00, [body], " (PROTOCOL_ERROR)"),
            (0x08_0D_00, [Frame(kind: .data, stream: 99)], " (PROTOCOL_ERROR)"),
            (0x08_0D_00, [Frame(kind: .headers, flags: 4, payload: [0xFE])], " (COMPRESSION_ERROR)"),
            (0x08_0D_00, [Frame(kind: .settings, stream: 0, payload: [0])], " (FRAME_SIZE_ERROR)"),
            (
                0x08_0D_00, [Frame(kind: .windowUpdate, payload: [0, 0, 0, 0])],
                " (FRAME[WINDOW_UPDATE, incr=0], error -505: Protocol error)"
            ),
        ] as [(UInt32, [Frame], String)])
    func invalid(first: UInt32, frames: [Frame], part: String) async throws {
        let error = try await failure(of: .frames(frames))
        #expect(error?.failureKind == (version >= first ? .badResponse : .connectionLost))
        #expect(error?.failureReason?.contains("secret") == false)
        guard version >= first else { return }
        #expect(error?.failureReason == "the HTTP/2 response is not valid\(part)")
    }

    /// libcurl 7.88 takes it for the end of a body whose length the server did not announce.
    @Test(.enabled("libcurl before 8.13 does not report it") { CurlLibrary.shared?.versionNumber ?? 0 >= 0x08_0D_00 })
    func invalidAfterTheHead() async throws {
        // RFC 9113 section 4.2: larger than a client accepts by default.
        let long = Frame(kind: .data, payload: Array(repeating: 0x61, count: (1 << 14) + 1))
        let error = try await failure(of: .frames([Self.head, long]))
        #expect(error?.failureKind == .badResponse)
        #expect(error?.failureReason == "the HTTP/2 response is not valid after 0 bytes (FRAME_SIZE_ERROR)")
    }

    @Test(
        "A body of another length than announced is never complete",
        arguments: [[head("content-length", "2"), body], [head("content-length", "5"), body]])
    func length(frames: [Frame]) async throws {
        let error = try await failure(of: .frames(frames))
        // Not all versions of libcurl and nghttp2 say that the server broke the protocol.
        #expect(error?.failureKind == .badResponse || error?.failureKind == .connectionLost)
    }

    @Test("A response whose stream was reset is lost, not invalid", arguments: [1, 2, 5, 8], [[], [head]])
    func reset(code: UInt8, before: [Frame]) async throws {
        let error = try await failure(of: .frames(before + [Frame(kind: .reset, payload: [0, 0, 0, code])]))
        #expect(error?.failureKind == .connectionLost)
    }

    /// libcurl writes the text about an invalid field for whichever request it works at.
    @Test(
        .enabled("libcurl 7.88 uses no connection without TLS a second time") {
            CurlLibrary.shared?.versionNumber ?? 0 >= 0x08_0E_00
        })
    func namesNoFieldOfAnotherResponse() async throws {
        let arrived = Observed(0)
        let server = try HTTP2Server { number in
            defer { arrived.update { $0 += 1 } }
            switch number {
            case 0: return .process
            case 1: return .answer(200, after: .max)
            default:
                return .frames([
                    Self.head("X-A", "secret"), Frame(kind: .reset, stream: 3, payload: [0, 0, 0, 2]),
                ])
            }
        }
        let request = TransportRequest(.post, server.url)
        _ = try await transport.response(to: request).body.collect(limit: 10)
        let other = Task { try await transport.response(to: request) }
        _ = try await arrived.wait { $0 == 2 }
        let error = await #expect(throws: RequestError.self) { try await transport.response(to: request) }
        #expect(error?.failureKind == .badResponse)
        #expect(error?.failureReason?.contains("secret") == false)
        let reset = await #expect(throws: RequestError.self) { try await other.value }
        #expect(reset?.failureKind == .connectionLost)
        #expect(reset?.failureReason?.contains("secret") == false)
        #expect(server.requests.map(\.stream) == [1, 3, 5])
    }
}
#endif
