public import Foundation
public import ModelMirror
public import ModelMirrorNetworking

/// Well-behaved responses.
extension LoopbackResponse {
    /// A status without a body.
    public static func status(_ status: Int, headers: HTTPHeaders = [:]) -> LoopbackResponse {
        LoopbackResponse(status: status, headers: headers, content: .data(Data()))
    }

    /// Bytes. Without a `Content-Type` in `headers`, they are `application/octet-stream`.
    public static func data(_ data: Data, status: Int = 200, headers: HTTPHeaders = [:]) -> LoopbackResponse {
        LoopbackResponse(
            status: status, headers: headers.defaulting(to: "application/octet-stream"), content: .data(data))
    }

    /// Text in UTF-8. Without a `Content-Type` in `headers`, it is `text/plain`.
    public static func text(_ text: String, status: Int = 200, headers: HTTPHeaders = [:]) -> LoopbackResponse {
        data(Data(text.utf8), status: status, headers: headers.defaulting(to: "text/plain; charset=utf-8"))
    }

    /// JSON text, sent as it is: it may be broken.
    public static func json(_ text: String, status: Int = 200, headers: HTTPHeaders = [:]) -> LoopbackResponse {
        json(Data(text.utf8), status: status, headers: headers)
    }

    /// The bytes of JSON text, sent as they are.
    public static func json(_ data: Data, status: Int = 200, headers: HTTPHeaders = [:]) -> LoopbackResponse {
        .data(data, status: status, headers: headers.defaulting(to: "application/json"))
    }

    /// JSON from a value.
    ///
    /// - Throws: `ModelError`, if the value cannot be written, such as a number that is not finite.
    public static func json(
        value: JSONValue, status: Int = 200, headers: HTTPHeaders = [:]
    ) throws(ModelError) -> LoopbackResponse {
        json(try value.jsonData(), status: status, headers: headers)
    }

    /// JSON from an object.
    ///
    /// - Throws: `ModelError`, if the object cannot be written.
    public static func json(
        model: AbstractModel, status: Int = 200, headers: HTTPHeaders = [:]
    ) throws(ModelError) -> LoopbackResponse {
        json(try model.jsonData(), status: status, headers: headers)
    }

    /// Pieces of a body, in chunked coding, a chunk each.
    public static func chunked(_ pieces: [Data], status: Int = 200, headers: HTTPHeaders = [:]) -> LoopbackResponse {
        streaming(status: status, headers: headers) { writer in
            for piece in pieces { try writer.write(piece) }
        }
    }

    /// A body that is made while it is sent. Writes block while the client does not read.
    ///
    /// - Parameters:
    ///   - length: The length that the head announces; nil for chunked coding. If another count of bytes is written,
    ///     the connection is closed.
    ///   - write: Writes the body, on the thread of the connection.
    public static func streaming(
        length: Int? = nil, status: Int = 200, headers: HTTPHeaders = [:], _ write: @escaping Write
    ) -> LoopbackResponse {
        LoopbackResponse(
            status: status, headers: headers.defaulting(to: "application/octet-stream"),
            content: .written(length: length, write))
    }

    /// A body of so many bytes, made while it is sent: those of ``pattern(_:)`` from 0 on.
    public static func oversized(_ length: Int, headers: HTTPHeaders = [:]) -> LoopbackResponse {
        streaming(length: length, headers: headers) { writer in
            for start in stride(from: 0, to: length, by: 1 << 16) {
                try writer.write(pattern(start..<min(length, start + 1 << 16)))
            }
        }
    }

    /// Bytes by which a place can be told: with the offset modulo 65,521, its lowest eight bits xor the next eight.
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

    // A prime, so that chunks of a usual size cannot be lost or change places unseen.
    private static let period = Data((0..<65_521).map { UInt8(truncatingIfNeeded: $0 ^ ($0 >> 8)) })

    /// A redirect.
    ///
    /// - Parameters:
    ///   - location: An absolute URL or a path.
    ///   - status: 301, 302, 303, 307 or 308.
    public static func redirect(
        to location: String, status: Int = 302, headers: HTTPHeaders = [:]
    ) -> LoopbackResponse {
        .status(status, headers: headers.merging([.location: location]))
    }

    /// 429 with `Retry-After`.
    ///
    /// - Parameter retryAfter: Seconds.
    public static func tooManyRequests(retryAfter: Int) -> LoopbackResponse {
        tooManyRequests(retryAfter: String(retryAfter))
    }

    /// 429 with `Retry-After`.
    ///
    /// - Parameter retryAfter: The value of the field, such as `Fri, 31 Dec 1999 23:59:59 GMT`.
    public static func tooManyRequests(retryAfter: String) -> LoopbackResponse {
        .status(429, headers: [.retryAfter: retryAfter])
    }
}

extension HTTPHeaders {
    /// These fields, with a content type if there is none.
    func defaulting(to contentType: String) -> HTTPHeaders {
        var headers = self
        if headers[.contentType] == nil { headers[.contentType] = contentType }
        return headers
    }
}
