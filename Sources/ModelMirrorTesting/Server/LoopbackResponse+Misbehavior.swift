import ModelMirrorFoundation

/// Responses that violate HTTP.
extension LoopbackResponse {
    /// A chunked body whose pieces each wait at a gate. The head is sent at once.
    public static func slow(_ pieces: [String], at gate: Gate) -> LoopbackResponse {
        streaming { writer in
            for piece in pieces {
                try writer.wait(at: gate)
                try writer.write(piece)
            }
        }
    }

    /// A chunked body with a pause before each piece. For demonstrations; use a ``Gate`` in tests.
    public static func slow(_ pieces: [String], every pause: Duration) -> LoopbackResponse {
        streaming { writer in
            for piece in pieces {
                try writer.pause(for: pause)
                try writer.write(piece)
            }
        }
    }

    /// A head that announces the whole body, then only part of the body; then the connection is closed.
    ///
    /// - Parameters:
    ///   - body: The whole body.
    ///   - count: The number of its bytes to send.
    public static func truncated(_ body: String, after count: Int) -> LoopbackResponse {
        wrongContentLength(body.utf8.count, body: Data(body.utf8.prefix(count)))
    }

    /// A chunked body without the last chunk; then the connection is closed.
    public static func truncatedChunks(_ pieces: [String]) -> LoopbackResponse {
        raw { writer in
            try writer.write("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n")
            for piece in pieces {
                try writer.write("\(String(piece.utf8.count, radix: 16))\r\n\(piece)\r\n")
            }
        }
    }

    /// A head with the wrong length for its body; then the connection is closed.
    public static func wrongContentLength(_ announced: Int, body: String) -> LoopbackResponse {
        wrongContentLength(announced, body: Data(body.utf8))
    }

    private static func wrongContentLength(_ announced: Int, body: Data) -> LoopbackResponse {
        let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: \(announced)\r\n\r\n"
        return raw { try $0.write(Data(head.utf8) + body) }
    }

    /// Some bytes, then a connection reset (RST).
    ///
    /// - Parameters:
    ///   - text: The bytes to send first; defaults to none. The client may lose them with the connection.
    ///   - gate: The gate to wait at before the reset, so that the bytes arrive first; nil for none.
    public static func reset(after text: String = "", at gate: Gate? = nil) -> LoopbackResponse {
        raw { writer in
            try writer.write(text)
            if let gate { try writer.wait(at: gate) }
            try writer.reset()
        }
    }

    /// Bytes that are not HTTP; then the connection is closed.
    public static func garbage(_ text: String = "NOT HTTP AT ALL\r\n\r\n") -> LoopbackResponse {
        raw { try $0.write(text) }
    }

    /// Closes the connection without sending a byte.
    public static func closed() -> LoopbackResponse { raw { _ in } }

    /// Sends nothing until the gate opens, and then closes the connection.
    public static func hanging(until gate: Gate = Gate()) -> LoopbackResponse {
        raw { try $0.wait(at: gate) }
    }

    /// Raw bytes that a closure writes in place of a response; then the connection is closed.
    public static func raw(_ write: @escaping Write) -> LoopbackResponse { LoopbackResponse(content: .raw(write)) }
}
