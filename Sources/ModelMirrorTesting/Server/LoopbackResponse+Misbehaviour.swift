import Foundation

/// Responses that break the rules of HTTP.
extension LoopbackResponse {
    /// A body in chunked coding whose pieces each wait at a gate. The head goes out at once.
    public static func slow(_ pieces: [String], at gate: Gate) -> LoopbackResponse {
        streaming { writer in
            for piece in pieces {
                try writer.wait(at: gate)
                try writer.write(piece)
            }
        }
    }

    /// A body in chunked coding with a pause before each piece. For demonstrations; use a ``Gate`` in tests.
    public static func slow(_ pieces: [String], every pause: Duration) -> LoopbackResponse {
        streaming { writer in
            for piece in pieces {
                try writer.pause(for: pause)
                try writer.write(piece)
            }
        }
    }

    /// The head announces all of the body, then the connection is closed in the midst of it.
    ///
    /// - Parameter count: How many bytes of the body are sent.
    public static func truncated(_ body: String, after count: Int) -> LoopbackResponse {
        wrongContentLength(body.utf8.count, body: String(decoding: body.utf8.prefix(count), as: UTF8.self))
    }

    /// Chunked coding, and the connection is closed before the last chunk.
    public static func truncatedChunks(_ pieces: [String]) -> LoopbackResponse {
        raw { writer in
            try writer.write("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n")
            for piece in pieces {
                try writer.write("\(String(piece.utf8.count, radix: 16))\r\n\(piece)\r\n")
            }
        }
    }

    /// A head that announces one length before a body of another, then the end of the connection.
    public static func wrongContentLength(_ announced: Int, body: String) -> LoopbackResponse {
        raw { writer in
            try writer.write(
                "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: \(announced)\r\n\r\n\(body)")
        }
    }

    /// Some bytes, then RST.
    ///
    /// - Parameters:
    ///   - text: What is sent before, as it is; defaults to nothing. The client may lose it together with the
    ///     connection.
    ///   - gate: Where to wait between the two, so that a test can see the bytes arrive first.
    public static func reset(after text: String = "", at gate: Gate? = nil) -> LoopbackResponse {
        raw { writer in
            try writer.write(text)
            if let gate { try writer.wait(at: gate) }
            try writer.reset()
        }
    }

    /// Bytes that are not HTTP, then the end of the connection.
    public static func garbage(_ text: String = "NOT HTTP AT ALL\r\n\r\n") -> LoopbackResponse {
        raw { try $0.write(text) }
    }

    /// The connection is closed before any byte.
    public static func closed() -> LoopbackResponse { raw { _ in } }

    /// Nothing at all, until the gate is opened; then the connection is closed.
    public static func hanging(until gate: Gate = Gate()) -> LoopbackResponse {
        raw { try $0.wait(at: gate) }
    }

    /// What `write` writes, byte for byte, instead of a response; then the connection is closed.
    public static func raw(_ write: @escaping Write) -> LoopbackResponse { LoopbackResponse(content: .raw(write)) }
}
