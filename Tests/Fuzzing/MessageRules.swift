import Foundation
import ModelMirrorNetworking
import ModelMirrorTesting

extension FuzzTarget {
    /// Lines of a response's head: a head survives writing and reading, informational heads before it and trailers after it change
    /// nothing, and any bytes are a valid value.
    static let responses = FuzzTarget(
        "responses",
        seeds: [
            "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\nETag: \"1\"\r\n\r\nA: trailer\r\n",
            "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/2 204\r\nA:\r\n\r\n",
            "HTTP/1.0 302 Found\r\nLocation: /next?a=b\r\nSet-Cookie: a=1; Path=/\r\nSet-Cookie: b=\"2\"\r\n\r\n",
            "HTTP/1.1 200\nX-A : 1\n  2\n\tfolded\nno field\n: no name\n\n", "HTTP/1.1 101 Switching Protocols\r\n\r\n",
        ].map { Array($0.utf8) } + [Array("HTTP/1.1 200 OK\r\nX-A: caf".utf8) + [0xE9, 0x0D, 0x0A, 0x0D, 0x0A]],
        words: [
            "\r\n", "\n", "\r", "\r\n\r\n", "\r\n ", "\r\n\t", " ", ":", "HTTP/1.1 ", "HTTP/1.1 100\r\n\r\n", "HTTP/",
            "é",
            "Content-Length: 1\r\n", "Content-Length: -1\r\n", "Content-Length: 2, 2\r\n", "\u{A0}", "\u{0}", "999",
        ].map { Array($0.utf8) } + [[0xE9], [0xFF, 0xFE]]
    ) { bytes in
        #if os(Linux)
        let value = bytes.filter { $0 != 0x0A && $0 != 0x0D }
        guard case .head(let one) = Reading("HTTP/1.1 200\r\nX: ".utf8 + value + "\r\n\r\n".utf8),
            one.headers["X"] == text(value.trimmingSpaces)
        else { return .broken("a value differs from its line's") }

        let reading = Reading(bytes)
        let later = Reading("HTTP/1.1 103 Early Hints\r\nX: 1\r\n\r\n".utf8 + bytes)
        guard later == reading else { return .broken("alone: \(reading), after an informational head: \(later)") }
        guard case .head(let head) = reading else { return .refused }
        guard head.status == 101 || (200...999).contains(head.status) else {
            return .broken("the status \(head.status)")
        }
        guard head.headers.fields.allSatisfy({ !$0.value.utf8.contains(0x0D) && !$0.value.utf8.contains(0x0A) }) else {
            return .broken("a value of \(head.headers) contains a line break")
        }
        let fields = head.headers.fields.map { "\($0.name): \($0.value)\r\n" }
        let again = Reading("HTTP/1.1 \(head.status)\r\n\(fields.joined())\r\nX: trailer\r\n\r\n".utf8)
        return again == reading ? .accepted : .broken("\(reading) reads back as \(again)")
        #else
        return .refused
        #endif
    }

    /// Requests of a connection: pieces of any size give the same requests and the same error, fields and query are the bytes of
    /// the text, and a request survives writing and reading.
    static let requests = FuzzTarget(
        "requests",
        seeds: [
            "GET /1 HTTP/1.1\r\nHost: a\r\n\r\nPOST /2?a=%20 HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nGET \r\n\r\n",
            "PUT /a%C3%A9 HTTP/1.1\r\nhost:a\r\nTransfer-Encoding: chunked\r\n\r\n3;x=y\r\nabc\r\nA\r\n0123456789\r\n0\r\nA: b\r\n\r\n",
            "GET http://a.b/c?d HTTP/1.0\r\nConnection: keep-alive\r\n\r\nOPTIONS * HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n",
            "POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\nX: é\t \r\n\r\nab",
            "\u{16}\u{3}\u{1}",
        ].map { [3] + Array($0.utf8) },
        words: [
            "\r\n", "\n", "\r", "\r\n\r\n", " ", "\t", ":", "?", "#", "%", "%2F", "%FF", "/", "HTTP/1.1", "HTTP/1.0",
            "0\r\n\r\n",
            "FFFFFFFFFFFFFFFF\r\n", "Host: a\r\n", "Content-Length: 1\r\n", "Content-Length: 9223372036854775807\r\n",
            "Transfer-Encoding: chunked\r\n", "Expect: 100-continue\r\n", "Connection: close\r\n", "\u{301}", "\u{0}",
            "GET / HTTP/1.1\r\nHost: a\r\n\r\n",
        ].map { Array($0.utf8) } + [[0xE9], [0xFF, 0xFE]]
    ) { bytes in
        guard let size = bytes.first else { return .refused }
        let connection = Array(bytes.dropFirst())
        let (requests, end) = read(connection, size: connection.count + 1)
        let pieces = read(connection, size: Int(size) % 16 + 1)
        guard requests.map(summary) == pieces.requests.map(summary), end == pieces.end else {
            return .broken(
                "at once: \(requests.map(summary)) \(end), in pieces: \(pieces.requests.map(summary)) \(pieces.end)")
        }
        guard let first = requests.first else { return .refused }
        if let rule = rule(brokenBy: first, in: connection) { return .broken(rule) }
        for request in requests {
            guard let again = read(written(request), size: .max).requests.first else {
                return .broken("\(summary(request)) is rejected once written")
            }
            guard summary(again, isFraming: false) == summary(request, isFraming: false) else {
                return .broken("\(summary(request)) reads back as \(summary(again))")
            }
        }
        return .accepted
    }

    /// Two parts of a form, with type, names and bytes separated by zero bytes: the body has the announced length, and a multipart
    /// reader finds the parts in it, with one line per field in their heads.
    static let parts = FuzzTarget(
        "parts",
        seeds: [
            "image/png\u{0}image\u{0}cat.png\u{0}bytes",
            "text/plain; charset=utf-8\u{0}a\"b\r\n\u{0}ü\u{0}\r\n--Boundary\r\n",
            "\u{0}\u{0}\u{0}", "a\r\nB: c\u{0}%22\u{0}%0D%0A\u{0}--",
        ].map { Array($0.utf8) },
        words: [
            "\u{0}", "\"", "\r\n", "\r", "\n", "%22", "%0A", "--", "\r\n--Boundary-", "\r\n\r\n", "\\", "é", "\u{301}",
        ].map {
            Array($0.utf8)
        }
    ) { bytes in
        let words = bytes.split(separator: 0, maxSplits: 3, omittingEmptySubsequences: false)
        guard words.count == 4 else { return .refused }
        let (type, name, filename) = (text(words[0]), text(words[1]), text(words[2]))
        let parts = [
            FormPart(name: name, text: filename),
            FormPart(type: MIMEType(type), name: name, filename: filename, data: Data(words[3])),
        ]
        var request = TransportRequest(.post, URL(fileURLWithPath: "/"))
        do {
            try RequestParameters.multipart(parts).apply(to: &request)
        } catch {
            return words[0].contains { $0 < 0x20 } ? .refused : .broken("a form is rejected: \(error)")
        }
        guard let body = request.body, let contentType = request.headers[.contentType] else {
            return .broken("the request has no body")
        }
        let data = waiting { () -> Data? in
            do {
                return try await body.reduce(into: Data()) { $0 += $1 }
            } catch {
                return nil
            }
        }
        guard let data, data.count == body.length else { return .broken("the body does not have the announced length") }
        guard let found = FormReader.parts(of: Array(data), contentType) else {
            return .broken("the body is not a multipart form")
        }
        let disposition = "form-data; name=\"\(name)\""
        // An unescaped quote would end the name.
        guard found.map(\.quotes) == [2, 4 + type.utf8.count { $0 == UInt8(ascii: "\"") }] else {
            return .broken("a name of \(found) contains a quote")
        }
        let expected = [
            FormReader.Part(fields: ["Content-Disposition: \(disposition)"], bytes: Array(filename.utf8)),
            FormReader.Part(
                fields: ["Content-Disposition: \(disposition); filename=\"\(filename)\"", "Content-Type: \(type)"],
                bytes: Array(words[3])),
        ].map(\.unescaped)
        return found.map(\.unescaped) == expected ? .accepted : .broken("\(found) is not \(expected)")
    }

    // MARK: Responses

    #if os(Linux)
    /// The result of parsing the lines of an input.
    private enum Reading: Equatable {
        case nothing
        case refused(String)
        case head(TransferHead)

        init(_ bytes: some Sequence<UInt8>) {
            self = .nothing
            var parser = HeadParser()
            for line in Array(bytes).split(separator: 0x0A, omittingEmptySubsequences: false) {
                switch (Array(line + [0x0A])).withUnsafeBytes({ parser.take($0) }) {
                case .next: break
                // A second head is an error.
                case .head(let head): self = self == .nothing ? .head(head) : .refused("two heads")
                case .refused(let reason):
                    self = .refused(reason)
                    return
                }
            }
        }

        static func == (left: Reading, right: Reading) -> Bool { "\(left)" == "\(right)" }
    }
    #endif

    // MARK: Requests

    /// The requests in bytes that arrive in pieces, and the end of their connection.
    private static func read(_ bytes: [UInt8], size: Int) -> (requests: [LoopbackRequest], end: String) {
        var offset = 0
        var reader = RequestReader(limits: LoopbackServer.Limits(), number: 1) { buffer in
            let end = offset + min(size, bytes.count - offset)
            defer { offset = end }
            buffer += bytes[offset..<end]
            return offset < end
        } proceed: {
        }
        var requests: [LoopbackRequest] = []
        do {
            while let (request, keepsAlive) = try reader.next() {
                requests.append(request)
                if !keepsAlive { return (requests, "closed") }
            }
            return (requests, "end")
        } catch {
            return (requests, "\(error)")
        }
    }

    /// Checks the first request against its bytes, parsed once more in the simplest way.
    private static func rule(brokenBy request: LoopbackRequest, in bytes: [UInt8]) -> String? {
        var rest = bytes[...]
        while rest.starts(with: "\r\n".utf8) { rest = rest.dropFirst(2) }
        let lines = rest.split(separator: Array("\r\n".utf8), omittingEmptySubsequences: false).prefix { !$0.isEmpty }
        let fields = lines.dropFirst().map { line in
            let parts = line.split(separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
            return text(parts[0]) + ": " + text((parts.last ?? []).trimmingSpaces)
        }
        let read = request.headers.fields.map { "\($0.name): \($0.value)" }
        // Compared by UTF-8, since Strings compare by canonical equivalence.
        guard read.map({ Array($0.utf8) }) == fields.map({ Array($0.utf8) }) else {
            return "the fields are \(read), expected \(fields)"
        }
        let halves = request.target.utf8.split(
            separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false)
        guard halves.count == 2 ? request.query.map({ Array($0.utf8) }) == Array(halves[1]) : request.query == nil
        else {
            return "\(request.query ?? "nil") is not the query of \(request.target)"
        }
        return request.target.utf8.contains(UInt8(ascii: "#")) ? "the target \(request.target) has a fragment" : nil
    }

    private static func summary(_ request: LoopbackRequest) -> String { summary(request, isFraming: true) }

    private static func summary(_ request: LoopbackRequest, isFraming: Bool) -> String {
        let fields = request.headers.fields.filter { isFraming || !framing.contains($0.name) }.map {
            "\($0.name): \($0.value)"
        }
        let query = request.query.map { "?" + $0 } ?? ""
        return "\(request.method) \(request.target) \(request.path)\(query) \(fields) \(Array(request.body))"
    }

    private static func written(_ request: LoopbackRequest) -> [UInt8] {
        var text =
            "\(request.method) \(request.target) HTTP/1.\(request.headers.values(for: "Host").count == 1 ? 1 : 0)\r\n"
        for field in request.headers.fields where !framing.contains(field.name) {
            text += "\(field.name): \(field.value)\r\n"
        }
        return Array("\(text)Content-Length: \(request.body.count)\r\n\r\n".utf8) + request.body
    }

    private static let framing: Set<HeaderName> = ["Content-Length", "Transfer-Encoding"]

    /// Decodes UTF-8, otherwise Latin-1.
    private static func text(_ bytes: some Collection<UInt8>) -> String {
        String(validating: bytes, as: UTF8.self)
            ?? String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }
}

/// A simple reader of `multipart/form-data`, RFC 7578.
private enum FormReader {
    struct Part: Equatable {
        var fields: [String]
        var bytes: [UInt8]

        var quotes: Int { fields.joined().utf8.count { $0 == UInt8(ascii: "\"") } }

        /// The part with unescaped names. (A name may contain text that looks like an escape.)
        var unescaped: Part {
            var part = self
            for (escape, character) in [("%22", "\""), ("%0D", "\r"), ("%0A", "\n")] {
                part.fields = part.fields.map {
                    $0.replacingOccurrences(of: escape, with: character, options: .literal)
                }
            }
            return part
        }
    }

    /// The parts of a body; nil if it is not well-formed.
    static func parts(of body: [UInt8], _ contentType: String) -> [Part]? {
        let start = "multipart/form-data; boundary="
        guard contentType.hasPrefix(start) else { return nil }
        let delimiter = Array("\r\n--\(contentType.dropFirst(start.count))".utf8)
        let pieces = (Array("\r\n".utf8) + body).split(separator: delimiter, omittingEmptySubsequences: false)
        guard let first = pieces.first, first.isEmpty, let last = pieces.last, last.elementsEqual("--\r\n".utf8) else {
            return nil
        }
        var parts: [Part] = []
        for piece in pieces.dropFirst().dropLast() {
            let halves = piece.dropFirst(2).split(
                separator: Array("\r\n\r\n".utf8), maxSplits: 1, omittingEmptySubsequences: false)
            guard piece.starts(with: "\r\n".utf8), halves.count == 2,
                let head = String(validating: halves[0], as: UTF8.self)
            else { return nil }
            parts.append(
                Part(fields: head.split(separator: "\r\n").map(String.init), bytes: Array(halves[1])))
        }
        return parts
    }
}

extension Collection<UInt8> where SubSequence: BidirectionalCollection {
    /// Without surrounding spaces and tabs.
    fileprivate var trimmingSpaces: [UInt8] {
        let rest = Array(drop { $0 == 0x20 || $0 == 0x09 })
        return Array(rest.prefix(upTo: (rest.lastIndex { $0 != 0x20 && $0 != 0x09 } ?? -1) + 1))
    }
}
