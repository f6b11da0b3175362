#if os(Linux)
/// A remark of libcurl about a request's HTTP/2 stream, from the texts of `CURLOPT_DEBUGFUNCTION`.
///
/// libcurl reports a refused stream and a broken connection with the same code, so its texts are the only source. A text that is
/// not exactly one of these is no remark, and without a remark a request counts as processed.
///
/// | libcurl | Stream's number | Refusal |
/// |---|---|---|
/// | before 7.88 | not read | of a connection's first stream |
/// | 7.88 to 8.2 | `Using Stream ID: 7` | by a GOAWAY, and of a connection's first stream |
/// | 8.3 to 8.18 | `[HTTP/2] [7] OPENED stream for …` | the same |
/// | from 8.19 | not needed | each: `HTTP/2 stream 7 refused by server, …` |
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

    /// The remark of a text; nil if there is none.
    init?(_ text: UnsafeRawBufferPointer) {
        var words = Words(text)
        switch text.first {
        case UInt8(ascii: "U") where words.skip("Using Stream ID: "):
            guard let stream = words.number(), words.isAtEnd || words.skip(" ") else { return nil }
            self = .opened(stream)
        case UInt8(ascii: "[") where words.skip("[HTTP/2] ["):
            guard let stream = words.number(), words.skip("] OPENED stream for ") else { return nil }
            self = .opened(stream)
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
        private var rest: Slice<UnsafeRawBufferPointer>

        init(_ text: UnsafeRawBufferPointer) { rest = text[...] }

        /// Whether only a line break is left.
        var isAtEnd: Bool { rest.isEmpty || rest.count == 1 && rest.first == 0x0A }

        mutating func skip(_ word: StaticString) -> Bool {
            let isNext = word.withUTF8Buffer { rest.starts(with: $0) }
            if isNext { rest = rest.dropFirst(word.utf8CodeUnitCount) }
            return isNext
        }

        mutating func number() -> UInt32? {
            let digits = rest.prefix { 0x30...0x39 ~= $0 }
            guard !digits.isEmpty else { return nil }
            rest = rest.dropFirst(digits.count)
            return digits.reduce(0 as UInt32?) { number, digit in
                guard let number else { return nil }
                let (tens, isTooLarge) = number.multipliedReportingOverflow(by: 10)
                let (sum, isOver) = tens.addingReportingOverflow(UInt32(digit - 0x30))
                return isTooLarge || isOver ? nil : sum
            }
        }
    }
}
#endif
