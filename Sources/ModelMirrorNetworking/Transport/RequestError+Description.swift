public import ModelMirror
public import ModelMirrorFoundation

/// One sentence per error: what, where, found, expected, what to do. The URLs of connections and responses are shown without user,
/// password and query, which may be secret.
extension RequestError: CustomStringConvertible, LocalizedError, SentenceError {
    /// One sentence.
    public var description: String {
        switch self {
        case .cancelled: "The request was cancelled."
        case .alreadyTaken:
            "The value was already taken: only the first call returns it, so keep its result."
        case .noConnectivity:
            "There is no network connection, so the request was not sent; try again when there is one."
        case .accountChanged:
            "The request's account signed out, or another one signed in, before the request ended; start it again for the current "
                + "account."
        case .invalidURL(let text):
            "\(text.excerpt.inQuotes) is not a URL that can be requested; expected an http or https URL with a host, or a path "
                + "and a client with a baseURL."
        case .invalidRequest(let reason): "The request cannot be sent: \(reason)."
        case .connection(let failure): failure.description
        case .tooManyRedirects(let limit):
            "The server redirected more often than the limit of \(limit) allows; raise the limit or look for a loop."
        case .bodyTooLarge(let limit):
            "The body of the response is larger than the limit of \(limit.bytes); if such bodies are expected, raise the client's "
                + "bodyLimit, or the limit of the download, the transport or collect."
        case .unacceptableStatus(let response):
            "\(response.summary), a status that is not accepted\(response.bodyExcerpt)\(response.renewalClause)."
        case .unacceptableContentType(let response):
            "\(response.summary) and the content type \((response.headers[.contentType] ?? "").excerpt.inQuotes), expected "
                + "\(response.expectedContent)\(response.typeAdvice)\(response.bodyExcerpt)."
        case .emptyBody(let response):
            "\(response.summary) and an empty body, expected \(response.expectedContent); if the body may be empty, use an "
                + "Optional or send."
        case .statusFailure(let failure): failure.description
        }
    }
}

extension RequestError.ConnectionFailure: CustomStringConvertible, LocalizedError, SentenceError {
    /// One sentence.
    public var description: String {
        let quality = [Kind.connectionLost: "complete ", .badResponse: "valid "][kind] ?? ""
        let beginning = "No \(quality)response from \(url.withoutSecrets)\(attempts.clause)"
        let cause = reason.isEmpty || isPastDeadline ? "" : " (\(reason.excerpt))"
        if kind == .badResponse, reason.isEmpty {
            return "\(beginning): the response is not HTTP; check host and port."
        }
        let clause = isPastDeadline ? "\(reason); raise it if the server needs longer" : kind.clause
        return "\(beginning): \(clause)\(cause)."
    }
}

extension RequestError.StatusFailure: CustomStringConvertible {
    /// One sentence.
    public var description: String {
        let status = status.map { " and the envelope's status \($0.excerpt.inQuotes)" } ?? ""
        let code = code.map { ", code \($0.excerpt)" } ?? ""
        let message = message.map { ": \($0.excerpt)" } ?? ""
        return ("\(response.summary)\(status)\(code)\(message)".withoutFullStop + response.renewalClause).ended
    }
}

extension RequestError.ConnectionFailure.Kind {
    fileprivate var clause: String {
        switch self {
        case .hostNotFound: "the host was not found; check its name"
        case .cannotConnect: "no server accepts connections there; check host and port, and that the server is running"
        case .connectionLost: "the connection was lost before the response was complete"
        case .timedOut: "no byte arrived within the timeout; raise it if the server needs longer"
        case .offline: "there is no network"
        case .notSecure: "no secure connection could be made; check the certificate, and that this port speaks TLS"
        case .badResponse: "the response cannot be used"
        case .other: "the connection failed"
        }
    }
}

extension RequestError.FailedResponse {
    /// `GET https://example.com/gists was answered with 404 (Not Found)`.
    fileprivate var summary: String {
        let phrase = Self.phrases[self.status].map { " (\($0))" } ?? ""
        return "\(response.head.source) was answered with \(self.status)\(phrase)\(self.attempts.clause)"
    }

    /// What to do about the content type; nothing for server-sent events, which have only one.
    fileprivate var typeAdvice: String {
        if self.headers[.contentType]?.lowercased().hasPrefix("text/html") == true {
            return "; this is a page, such as that of a sign-in or a proxy: check the address and the credential"
        }
        return expectedContent == "text/event-stream"
            ? "" : "; add it to acceptedContentTypes if the body is JSON, or request Data"
    }

    fileprivate var bodyExcerpt: String {
        let text = String(decoding: body.prefix(1024), as: UTF8.self).excerpt
        let isCut = (isBodyCut || body.count > 1024) && !text.hasSuffix("…")
        return text.isEmpty ? "" : "; its body is \((text + (isCut ? "…" : "")).inQuotes)"
    }

    /// Why the credential could not be renewed, and why an error hook could not map the body.
    fileprivate var renewalClause: String {
        clause("renewing the credential failed", self.renewalError)
            + clause("mapping the body for an error failed", mappingError)
    }

    private func clause(_ what: String, _ error: (any Error)?) -> String {
        guard let error else { return "" }
        return "; \(what): \("\(error)".excerpt.withoutFullStop)"
    }

    /// The reason phrases of failure statuses, from RFC 9110 section 15 and RFC 6585.
    private static let phrases = [
        300: "Multiple Choices", 301: "Moved Permanently", 302: "Found", 303: "See Other", 304: "Not Modified",
        307: "Temporary Redirect", 308: "Permanent Redirect", 400: "Bad Request", 401: "Unauthorized",
        402: "Payment Required", 403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed", 406: "Not Acceptable",
        407: "Proxy Authentication Required", 408: "Request Timeout", 409: "Conflict", 410: "Gone",
        411: "Length Required", 412: "Precondition Failed", 413: "Content Too Large", 414: "URI Too Long",
        415: "Unsupported Media Type", 416: "Range Not Satisfiable", 417: "Expectation Failed",
        421: "Misdirected Request", 422: "Unprocessable Content", 426: "Upgrade Required",
        428: "Precondition Required", 429: "Too Many Requests", 431: "Request Header Fields Too Large",
        500: "Internal Server Error", 501: "Not Implemented", 502: "Bad Gateway", 503: "Service Unavailable",
        504: "Gateway Timeout", 505: "HTTP Version Not Supported", 511: "Network Authentication Required",
    ]
}

extension BinaryInteger {
    /// A clause with the number of attempts; empty for one.
    fileprivate var clause: String { self > 1 ? " after \(self) attempts" : "" }

    /// The number with its noun: `1 byte`.
    package var bytes: String { self == 1 ? "1 byte" : "\(self) bytes" }
}

extension URL {
    /// The URL without user, password, query and fragment; a query becomes `?…`.
    var withoutSecrets: String {
        let plain = withoutUserInfo
        if plain.hasUserInfo { return "an unreadable URL" }
        let (start, items, _) = plain.partsAroundQuery
        return start + (items.isEmpty ? "" : "?…")
    }
}

extension String {
    /// At most 200 characters on one line, without surrounding white space.
    fileprivate var excerpt: String {
        let words = split {
            $0.isWhitespace || $0.unicodeScalars.allSatisfy { $0.properties.generalCategory == .control }
        }
        let line = words.joined(separator: " ")
        return line.count > 200 ? line.prefix(199) + "…" : line
    }

    fileprivate var inQuotes: String { "\"\(self)\"" }

    /// The text with a full stop, unless it ends as a sentence does.
    var ended: String { last.map { ".!?".contains($0) } == true ? self : self + "." }

    /// The text without a trailing full stop, so that a sentence can continue.
    package var withoutFullStop: String { hasSuffix(".") ? String(dropLast()) : self }

    /// The part of a response that is not valid, in quotes: at most 60 characters, with escapes for those that are not visible.
    var quotation: String {
        let start = unicodeScalars.prefix(60)
        let shown = start.map { scalar in
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator: scalar.escaped(asASCII: true)
            default: scalar.escaped(asASCII: false)
            }
        }
        return (shown.joined() + (start.endIndex == unicodeScalars.endIndex ? "" : "…")).inQuotes
    }
}
