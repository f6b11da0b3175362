import ModelMirrorFoundation
import ModelMirrorNetworking

/// The status line and header fields of a response, RFC 9112 sections 4 and 5.
struct ResponseHead {
    let status: Int
    let headers: HTTPHeaders

    /// Whether a response with this status may have a body.
    var allowsBody: Bool { status >= 200 && status != 204 && status != 304 }

    /// Whether the body ends with the connection: its last transfer coding is not chunked (RFC 9112 section 6.3).
    var endsWithConnection: Bool {
        guard let coding = headers.values(for: "Transfer-Encoding").last else { return false }
        return !coding.lowercased().hasSuffix("chunked")
    }

    enum Framing {
        case length(Int)
        case chunked
        case endOfConnection
    }

    /// The bytes, including the empty line.
    ///
    /// - Parameters:
    ///   - framing: How the client finds the end of the body.
    ///   - closes: Whether the connection ends after the response.
    func bytes(_ framing: Framing, closes: Bool) -> Data {
        var text = "HTTP/1.1 \(status) \(ResponseHead.reasons[status] ?? "Status")\r\n"
        for field in headers.fields { text += "\(field.name): \(field.value)\r\n" }
        if allowsBody, headers[.contentLength] == nil, headers["Transfer-Encoding"] == nil {
            switch framing {
            case .length(let length): text += "Content-Length: \(length)\r\n"
            case .chunked: text += "Transfer-Encoding: chunked\r\n"
            case .endOfConnection: break
            }
        }
        if closes, headers["Connection"] == nil { text += "Connection: close\r\n" }
        return Data((text + "\r\n").utf8)
    }

    private static let reasons = [
        200: "OK", 201: "Created", 202: "Accepted", 204: "No Content", 206: "Partial Content", 301: "Moved Permanently",
        302: "Found", 303: "See Other", 304: "Not Modified", 307: "Temporary Redirect", 308: "Permanent Redirect",
        400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found", 408: "Request Timeout",
        409: "Conflict", 413: "Content Too Large", 416: "Range Not Satisfiable", 422: "Unprocessable Content",
        429: "Too Many Requests", 431: "Request Header Fields Too Large", 500: "Internal Server Error",
        501: "Not Implemented", 502: "Bad Gateway", 503: "Service Unavailable", 504: "Gateway Timeout",
        505: "HTTP Version Not Supported",
    ]
}
