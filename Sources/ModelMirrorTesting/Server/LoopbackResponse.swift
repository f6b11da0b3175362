public import ModelMirrorFoundation
public import ModelMirrorNetworking

/// A response of a ``LoopbackServer``, made with the static functions below; some misbehave on purpose.
///
/// ```swift
/// server.on(.get, "/gists", .json(gists, headers: [.eTag: "\"1\""]))
/// server.on(.get, "/flaky", .sequence([.reset(), .status(503), .json("[]")]))
/// ```
///
/// The server sets `Content-Length` or `Transfer-Encoding`, unless ``headers`` contains one of them, which is then sent
/// unchanged, even if it is wrong. No body is sent where HTTP has none: in response to HEAD, and with 204 and 304.
public struct LoopbackResponse: CannedResponse {
    /// Writes a body, piece by piece.
    public typealias Write = @Sendable (_ writer: LoopbackWriter) throws -> Void

    enum Content: Sendable {
        case data(Data)
        /// A body made while it is sent, chunked or with an announced length.
        case written(length: Int?, Write)
        /// The whole response with its status line; the connection is closed after it.
        case raw(Write)
        case decided(@Sendable (LoopbackRequest) throws -> LoopbackResponse)
    }

    /// The status code.
    public var status: Int
    /// The header fields.
    public var headers: HTTPHeaders
    /// Whether the connection is closed after the response. Defaults to false.
    public var closesConnection = false

    let content: Content
    var before: [Write] = []

    init(status: Int = 200, headers: HTTPHeaders = [:], content: Content) {
        self.status = status
        self.headers = headers
        self.content = content
    }

    /// The same response with its head held back until the gate lets it through.
    public func held(at gate: Gate) -> LoopbackResponse { after { try $0.wait(at: gate) } }

    /// The same response after a delay. For demonstrations; use a ``Gate`` in tests.
    public func delayed(by duration: Duration) -> LoopbackResponse { after { try $0.pause(for: duration) } }

    private func after(_ step: @escaping Write) -> LoopbackResponse {
        var response = self
        response.before.append(step)
        return response
    }

    /// The same response, after which the connection is closed.
    public func closing() -> LoopbackResponse {
        var response = self
        response.closesConnection = true
        return response
    }

    /// A response with a body in one piece.
    public init(status: Int, headers: HTTPHeaders, body: Data) {
        self.init(status: status, headers: headers, content: .data(body))
    }

    /// A response that depends on the request.
    public static func decided(
        _ decide: @escaping @Sendable (LoopbackRequest) throws -> LoopbackResponse
    ) -> LoopbackResponse {
        LoopbackResponse(content: .decided(decide))
    }

    /// A response that depends on the header fields of the request.
    public static func chosen(
        _ choose: @escaping @Sendable (_ headers: HTTPHeaders) throws -> LoopbackResponse
    ) -> LoopbackResponse {
        decided { try choose($0.headers) }
    }

    /// A chunked body, one chunk per piece.
    public static func chunked(_ pieces: [Data], status: Int = 200, headers: HTTPHeaders = [:]) -> LoopbackResponse {
        streaming(status: status, headers: headers) { writer in
            for piece in pieces { try writer.write(piece) }
        }
    }

    /// A body made while it is sent. Writes block while the client does not read.
    ///
    /// - Parameters:
    ///   - length: The announced length in bytes; nil for chunked coding. If a different number is written, the connection is
    ///     closed.
    ///   - status: The status.
    ///   - headers: The header fields; `Content-Type` defaults to `application/octet-stream`.
    ///   - write: Writes the body, on the thread of the connection.
    public static func streaming(
        length: Int? = nil, status: Int = 200, headers: HTTPHeaders = [:], _ write: @escaping Write
    ) -> LoopbackResponse {
        LoopbackResponse(
            status: status, headers: headers.defaulting(to: "application/octet-stream"),
            content: .written(length: length, write))
    }

    /// A body of this many bytes, made while it is sent: the ``pattern(_:)`` from offset 0.
    public static func oversized(_ length: Int, headers: HTTPHeaders = [:]) -> LoopbackResponse {
        streaming(length: length, headers: headers) { writer in
            for start in stride(from: 0, to: length, by: 1 << 16) {
                try writer.write(pattern(start..<min(length, start + 1 << 16)))
            }
        }
    }

    /// Bytes that identify their offset: the low eight bits of the offset modulo 65,521, XORed with the next eight.
    public static func pattern(_ offsets: Range<Int>) -> Data {
        var data = Data(capacity: offsets.count)
        var offset = offsets.lowerBound
        while offset < offsets.upperBound {
            let start = offset % period.count
            let end = min(period.count, start + offsets.upperBound - offset)
            data.append(period[start..<end])
            offset += end - start
        }
        return data
    }

    // A prime, so that lost or swapped chunks of usual sizes are detected.
    private static let period = Data((0..<65_521).map { UInt8(truncatingIfNeeded: $0 ^ ($0 >> 8)) })
}
