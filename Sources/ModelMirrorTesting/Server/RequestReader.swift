import ModelMirrorFoundation
import ModelMirrorNetworking

/// Reads requests one after the other from the bytes of a connection.
package struct RequestReader {
    private let limits: LoopbackServer.Limits
    private let number: Int
    private let fill: (inout [UInt8]) throws -> Bool
    private let proceed: () throws -> Void
    private var buffer: [UInt8] = []
    private var position = 0

    /// - Parameters:
    ///   - limits: The largest head and body.
    ///   - number: The number of the connection.
    ///   - fill: Appends the next bytes to a buffer; false at the end of the client's input.
    ///   - proceed: Tells the client to send the body.
    package init(
        limits: LoopbackServer.Limits, number: Int, fill: @escaping (inout [UInt8]) throws -> Bool,
        proceed: @escaping () throws -> Void
    ) {
        self.limits = limits
        self.number = number
        self.fill = fill
        self.proceed = proceed
    }

    /// The next request, and whether the client keeps the connection; nil at the end.
    ///
    /// - Throws: `LoopbackRefusal`; errors of the connection.
    package mutating func next() throws -> (LoopbackRequest, keepsAlive: Bool)? {
        guard let bytes = try headBytes() else { return nil }
        let head = try RequestHead(parsing: bytes)
        let body: Data
        do {
            body = try readBody(of: head)
        } catch LoopbackConnection.End.clientLeft {
            throw LoopbackRefusal(400, "The request \(head.method) \(head.target) ends within its body.")
        }
        let request = LoopbackRequest(
            method: head.method, target: head.target, path: head.path, query: head.query, headers: head.headers,
            body: body, connection: number, isHTTP10: !head.isVersion11)
        return (request, head.keepsAlive)
    }

    private mutating func headBytes() throws -> ArraySlice<UInt8>? {
        // Empty lines before a request are skipped, RFC 9112 section 2.2.
        while true {
            while buffer.count - position < 2 {
                guard try fillBuffer() else {
                    if buffer.count > position { throw LoopbackRefusal(400, "The request ends within its first line.") }
                    return nil
                }
            }
            guard buffer[position] == 13, buffer[position + 1] == 10 else { break }
            position += 2
        }
        // A TLS client waits for an answer to its hello, which contains no line end: RFC 8446 section 5.1.
        if buffer[position] == 22, buffer[position + 1] == 3 {
            throw LoopbackRefusal(
                400, "This is a TLS handshake, but this server speaks plain HTTP: use http URLs.")
        }
        var searched = position
        while true {
            let end = endOfHead(from: searched)
            try checkLineFeeds(in: searched..<(end ?? buffer.count))
            if let end {
                let head = buffer[position..<end]
                guard head.count <= limits.headBytes else { throw headTooLarge }
                position = end + 4
                return head
            }
            guard buffer.count - position <= limits.headBytes else { throw headTooLarge }
            let seen = max(0, buffer.count - position - 3)
            guard try fillBuffer() else { throw LoopbackRefusal(400, "The request ends within its head.") }
            searched = position + seen
        }
    }

    private var headTooLarge: LoopbackRefusal {
        LoopbackRefusal(431, "The head of the request is larger than \(limits.headBytes.bytes).")
    }

    /// Refuses a line feed that is alone: a client that ends its lines so would wait for ever, since its head has no end.
    private func checkLineFeeds(in range: Range<Int>) throws {
        var rest = buffer[range]
        while let feed = rest.firstIndex(of: 10) {
            guard feed > position, buffer[feed - 1] == 13 else { throw RequestHead.brokenLine }
            rest = rest[(feed + 1)...]
        }
    }

    private func endOfHead(from start: Int) -> Int? {
        guard buffer.count >= 4 else { return nil }
        return buffer.withUnsafeBufferPointer { bytes in
            var index = start
            while index + 3 < bytes.count {
                if bytes[index] == 13, bytes[index + 1] == 10, bytes[index + 2] == 13, bytes[index + 3] == 10 {
                    return index
                }
                index += 1
            }
            return nil
        }
    }

    private mutating func readBody(of head: RequestHead) throws -> Data {
        if head.framing == .length(0) { return Data() }
        if case .length(let length) = head.framing, length > limits.bodyBytes { throw bodyTooLarge }
        if head.expectsContinue, buffer.count == position {
            try proceed()
        }
        var body = Data()
        switch head.framing {
        case .length(let length): try take(length, into: &body)
        case .chunked:
            while true {
                let size = try chunkSize()
                if size == 0 { break }
                guard size <= limits.bodyBytes - body.count else { throw bodyTooLarge }
                try take(size, into: &body)
                guard try line().isEmpty else {
                    throw LoopbackRefusal(400, "A chunk of the body is longer than its size says.")
                }
            }
            // Trailer fields are read and dropped, because they are not needed.
            var count = 0
            while case let text = try line(), !text.isEmpty {
                count += text.utf8.count
                guard count <= limits.headBytes else { throw headTooLarge }
            }
        }
        return body
    }

    private var bodyTooLarge: LoopbackRefusal {
        LoopbackRefusal(413, "The body of the request is larger than \(limits.bodyBytes.bytes).")
    }

    private mutating func chunkSize() throws -> Int {
        let text = try line()
        let digits = Substring(text.prefix { $0 != ";" }.utf8.trimming(\.isBlank))
        guard !digits.isEmpty, digits.utf8.allSatisfy(\.isHexadecimalByte), let size = Int(digits, radix: 16) else {
            throw LoopbackRefusal(400, "The chunk size \"\(text)\" is not a hexadecimal number.")
        }
        return size
    }

    private mutating func line() throws -> String {
        var searched = position
        while true {
            if let feed = buffer[searched...].firstIndex(of: 10) {
                guard feed > position, buffer[feed - 1] == 13 else {
                    throw LoopbackRefusal(
                        400, "A line of the chunked body does not end in carriage return and line feed.")
                }
                defer { position = feed + 1 }
                return String(decoding: buffer[position..<feed - 1], as: UTF8.self)
            }
            let seen = buffer.count - position
            guard seen <= limits.headBytes else { throw headTooLarge }
            guard try fillBuffer() else { throw LoopbackConnection.End.clientLeft }
            searched = position + seen
        }
    }

    private mutating func take(_ count: Int, into body: inout Data) throws {
        var left = count
        while left > 0 {
            if position == buffer.count, try !fillBuffer() { throw LoopbackConnection.End.clientLeft }
            let piece = min(left, buffer.count - position)
            body.append(contentsOf: buffer[position..<position + piece])
            position += piece
            left -= piece
        }
    }

    private mutating func fillBuffer() throws -> Bool {
        if position > 0 {
            buffer.removeSubrange(..<position)
            position = 0
        }
        return try fill(&buffer)
    }
}

extension UInt8 {
    fileprivate var isHexadecimalByte: Bool { Character(UnicodeScalar(self)).isHexDigit && self < 128 }
}
