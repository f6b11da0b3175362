#if os(Linux)
/// A remark of libcurl about a request's HTTP/2 stream, from the texts of `CURLOPT_DEBUGFUNCTION`.
///
/// libcurl reports a refused stream, a broken connection and an invalid response with the same codes, so its texts are the only
/// source. A text that is not exactly one of these is no remark. Without a remark a request counts as processed, and a response as lost.
///
/// | libcurl | Stream's number | Refusal |
/// |---|---|---|
/// | before 7.88 | not read | of a connection's first stream |
/// | 7.88 to 8.2 | `Using Stream ID: 7` | by a GOAWAY, and of a connection's first stream |
/// | 8.3 to 8.18 | `[HTTP/2] [7] OPENED stream for …` | the same |
/// | from 8.19 | not needed | each: `HTTP/2 stream 7 refused by server, …` |
///
/// Invalid fields are named from 8.5, invalid frames and connections from 8.13.
enum CurlRemark: Hashable {
    /// The request is the stream with this number.
    case opened(UInt32)
    /// The server processes no stream of this connection above this number (RFC 9113 section 6.8).
    case goAway(last: UInt32)
    /// The server did not process the request (RFC 9113 section 8.7).
    case refused
    /// libcurl abandons the connection, and is about to send the request on another.
    case abandoned
    /// libcurl is about to send the request over HTTP/1.1, because the server requires it.
    case downgraded
    /// The server broke the protocol in a stream, or in the connection if there is no number: the invalid part.
    case invalid(stream: UInt32?, String)

    /// The remark of a text; nil if there is none.
    init?(_ text: UnsafeRawBufferPointer) {
        var words = Words(bytes: text[...])
        switch text.first {
        case UInt8(ascii: "U") where words.skip("Using Stream ID: "):
            guard let stream = words.number(), words.isAtEnd || words.skip(" ") else { return nil }
            self = .opened(stream)
        case UInt8(ascii: "[") where words.skip("[HTTP/2] ["):
            guard let stream = words.number(), words.skip("] OPENED stream for ") else { return nil }
            self = .opened(stream)
        case UInt8(ascii: "[") where words.skip("[HTTP2] ["):
            guard let stream = words.number(), words.skip("] received invalid frame: ") else { return nil }
            self = .invalid(stream: stream, words.rest)
        case UInt8(ascii: "I") where words.skip("Invalid HTTP header field was received: frame type: 1, stream: "):
            guard let stream = words.number(), words.skip(", name: [") else { return nil }
            // Its value may be secret.
            let name = words.rest.withoutFieldValue
            self = .invalid(stream: stream, "the field \(name.quotation)")
        case UInt8(ascii: "n") where words.skip("nghttp2 shuts down connection with error "):
            // The codes of RFC 9113 section 7 for faults of the other side: PROTOCOL_ERROR, FLOW_CONTROL_ERROR, STREAM_CLOSED,
            // FRAME_SIZE_ERROR, COMPRESSION_ERROR.
            guard let code = words.number(), [1, 3, 5, 6, 9].contains(code), words.skip(": ") else { return nil }
            self = .invalid(stream: nil, words.rest)
        case UInt8(ascii: "r") where words.skip("received GOAWAY, error=") || words.skip("recveived GOAWAY, error="):
            _ = words.skip("-")
            guard words.number() != nil, words.skip(", last_stream="), let last = words.number(), words.isAtEnd else {
                return nil
            }
            self = .goAway(last: last)
        case UInt8(ascii: "R") where words.skip("REFUSED_STREAM, retrying a fresh connect"): self = .refused
        case UInt8(ascii: "H") where words.skip("HTTP/2 stream "):
            guard words.number() != nil, words.skip(" refused by server, ") else { return nil }
            self = .refused
        case UInt8(ascii: "C") where words.skip("Connection died, retrying a fresh connect"): self = .abandoned
        case UInt8(ascii: "D") where words.skip("Downgrades to HTTP/1.1"): self = .downgraded
        default: return nil
        }
    }

    /// The rest of a text that is being read.
    private struct Words {
        var bytes: Slice<UnsafeRawBufferPointer>

        /// Whether only a line break is left.
        var isAtEnd: Bool { bytes.isEmpty || bytes.count == 1 && bytes.first == 0x0A }

        /// What is left of the line.
        var rest: String { String(decoding: bytes.prefix { $0 != 0x0A }, as: UTF8.self) }

        mutating func skip(_ word: StaticString) -> Bool {
            let isNext = word.withUTF8Buffer { bytes.starts(with: $0) }
            if isNext { bytes = bytes.dropFirst(word.utf8CodeUnitCount) }
            return isNext
        }

        mutating func number() -> UInt32? {
            let digits = bytes.prefix(while: \.isDigit)
            bytes = bytes.dropFirst(digits.count)
            return UInt32(String(decoding: digits, as: UTF8.self))
        }
    }
}

extension String {
    /// This text of libcurl without the value of a field that it quotes, which may be secret.
    var withoutFieldValue: String {
        guard let separator = firstRange(of: "], value: [") else { return self }
        return String(self[..<separator.lowerBound])
    }
}
#endif
