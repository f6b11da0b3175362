#if os(Linux)
import Foundation
import Testing

@testable import ModelMirrorNetworking

/// The texts that each libcurl writes, and what follows from them.
struct CurlRemarkTests {
    @Test(
        arguments: [
            // 7.88 to 8.1, 8.2, 8.3 and later.
            ("Using Stream ID: 7 (easy handle 0x7f83f8000ed0)\n", .opened(7)), ("Using Stream ID: 7\n", .opened(7)),
            ("[HTTP/2] [7] OPENED stream for https://localhost:1/a\n", .opened(7)),
            // 7.88 to 8.0, 8.1 and later.
            ("recveived GOAWAY, error=0, last_stream=9\n", .goAway(last: 9)),
            ("received GOAWAY, error=11, last_stream=2147483647\n", .goAway(last: 2_147_483_647)),
            ("received GOAWAY, error=0, last_stream=9", .goAway(last: 9)),
            // All, for the first stream of a connection; 8.19 and later, for each.
            ("REFUSED_STREAM, retrying a fresh connect\n", .refused),
            ("HTTP/2 stream 7 refused by server, try again on a new connection\n", .refused),
            ("Connection died, retrying a fresh connect (retry count: 1)\n", .abandoned),
            ("Downgrades to HTTP/1.1\n", .downgraded),
            // 8.5 and later, 8.13 and later.
            (
                "Invalid HTTP header field was received: frame type: 1, stream: 7, name: [Set-\u{7}], value: [a\n",
                .invalid(stream: 7, "the field \"Set-\\u{07}\"")
            ),
            (
                "[HTTP2] [7] received invalid frame: FRAME[DATA, len=4], error -532: Violation in HTTP messaging rule\n",
                .invalid(stream: 7, "FRAME[DATA, len=4], error -532: Violation in HTTP messaging rule")
            ),
            (
                "nghttp2 shuts down connection with error 9: COMPRESSION_ERROR\n",
                .invalid(stream: nil, "COMPRESSION_ERROR")
            ),
        ] as [(String, CurlRemark)])
    func readsRemarks(_ text: String, _ expected: CurlRemark) { #expect(remark(text) == expected) }

    /// An unknown wording is no remark, so the request counts as processed.
    @Test(arguments: [
        "", "U", "Using Stream ID: x", "Using Stream ID: 7x", "Using Stream ID: 4294967296", "using Stream ID: 7",
        "[HTTP/2] [7] [:path: /OPENED stream for ]", "[HTTP/2] [] OPENED stream for a",
        "[HTTP/3] [7] OPENED stream for a",
        "received GOAWAY, error=0, last_stream=", "received GOAWAY, error=0, last_stream=9, later",
        "received GOAWAY, last_stream=9", "received GOAWAY, error=0, last_stream=-1",
        " received GOAWAY, error=0, last_stream=9",
        "HTTP/2 stream 7 was not closed cleanly: REFUSED_STREAM (err 7)", "HTTP/2 stream refused by server, ",
        "HTTP/3 stream 7 refused by server, try again on a new connection",
        "Connection died, tried 5 times before giving up",
        "Ignoring received invalid HTTP header field: frame type: 1, stream: 7, name: [a], value: [b]",
        "Invalid HTTP header field was received: frame type: 1, stream: , name: [a], value: [b]",
        "nghttp2 shuts down connection with error 2: INTERNAL_ERROR", "nghttp2 shuts down connection with error : a",
        "HTTP/2 stream 7 was not closed cleanly: PROTOCOL_ERROR (err 1)",
        "HTTP/2 stream 7 reset by server (error 0x1 PROTOCOL_ERROR)",
    ])
    func ignoresOtherTexts(_ text: String) { #expect(remark(text) == nil) }

    @Test func refusesStreamsAboveTheLastOneOfAGoAway() {
        let connection = CurlStream.Connection(peer: "127.0.0.1", own: "127.0.0.1", peerPort: 1, ownPort: 2)
        var stream = CurlStream()
        #expect(stream.note(.goAway(last: 5)) == nil)
        stream.ready(on: connection, isReused: true)
        #expect(!stream.isRefused)
        stream.goAway(9)
        #expect(!stream.isRefused)
        _ = stream.note(.opened(9))
        #expect(!stream.isRefused)
        _ = stream.note(.opened(11))
        #expect(stream.isRefused)
        // RFC 9113 section 6.8: a later GOAWAY must not raise the number.
        stream.goAway(13)
        #expect(stream.isRefused)
    }

    /// libcurl may examine another connection for a request that has none.
    @Test func attributesAGoAwayToTheCurrentConnectionOnly() throws {
        let connection = CurlStream.Connection(peer: "127.0.0.1", own: "127.0.0.1", peerPort: 1, ownPort: 2)
        var stream = CurlStream()
        stream.ready(on: connection, isReused: false)
        let noted = stream.note(.goAway(last: 3))
        let goAway = try #require(noted)
        #expect(goAway.connection == connection)
        #expect(goAway.last == 3)
        _ = stream.note(.abandoned)
        #expect(stream.note(.goAway(last: 1)) == nil)
        #expect(stream.connection == nil)
    }

    @Test func refusesAStreamThatIsNamed() {
        var stream = CurlStream()
        _ = stream.note(.refused)
        #expect(stream.isRefused)
    }

    @Test func attributesFaultsToTheStreamOrItsConnectionOnly() {
        let connection = CurlStream.Connection(peer: "127.0.0.1", own: "127.0.0.1", peerPort: 1, ownPort: 2)
        var stream = CurlStream()
        _ = stream.note(.invalid(stream: nil, "of an examined connection"))
        stream.ready(on: connection, isReused: false)
        _ = stream.note(.invalid(stream: 7, "of another stream"))
        _ = stream.note(.opened(9))
        _ = stream.note(.invalid(stream: 7, "of another stream"))
        #expect(stream.fault == nil)
        _ = stream.note(.invalid(stream: 9, "first"))
        _ = stream.note(.invalid(stream: nil, "second"))
        #expect(stream.fault == "first")
        stream.ready(on: connection, isReused: false)
        #expect(stream.fault == nil)
        _ = stream.note(.invalid(stream: nil, "second"))
        #expect(stream.fault == "second")
    }

    private func remark(_ text: String) -> CurlRemark? { Array(text.utf8).withUnsafeBytes { CurlRemark($0) } }
}
#endif
