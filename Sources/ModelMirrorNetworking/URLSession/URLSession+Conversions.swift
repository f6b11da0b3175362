#if !os(Linux) || FoundationNetworking
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension RequestError {
    /// Converts an error of URLSession, the same on every platform.
    ///
    /// - Parameters:
    ///   - error: The error.
    ///   - url: The URL of the request.
    ///   - hasHead: Whether the head of the response had arrived.
    init(_ error: any Error, url: URL, hasHead: Bool) {
        guard let error = error as? URLError, error.code != .cancelled else {
            // A full description may show the request's URL and with it secrets.
            self = error is URLError ? .cancelled : .connection(.other, to: url, error.localizedDescription)
            return
        }
        // Foundation's text when it knows only the code, which the kind describes better.
        let said = error.localizedDescription
        let bare = NSError(domain: URLError.errorDomain, code: error.errorCode).localizedDescription
        let reason = said == bare ? "" : said
        let kind = ConnectionFailure.Kind(error.code, reason: said, isSecure: url.isSecure, hasHead: hasHead)
        self = .connection(kind, to: url, reason)
    }
}

extension RequestError.ConnectionFailure.Kind {
    init(_ code: URLError.Code, reason: String, isSecure: Bool, hasHead: Bool) {
        switch code {
        case .cannotFindHost, .dnsLookupFailed: self = .hostNotFound
        case .cannotConnectToHost: self = .cannotConnect
        case .networkConnectionLost: self = .connectionLost
        case .timedOut: self = .timedOut
        case .notConnectedToInternet, .internationalRoamingOff, .callIsActive, .dataNotAllowed: self = .offline
        case .secureConnectionFailed, .serverCertificateHasBadDate, .serverCertificateUntrusted,
            .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid, .clientCertificateRejected,
            .clientCertificateRequired, .appTransportSecurityRequiresSecureConnection:
            self = .notSecure
        case .cannotParseResponse, .cannotDecodeRawData, .cannotDecodeContentData: self = .badResponse
        default: self.init(platform: code, reason: reason, isSecure: isSecure, hasHead: hasHead)
        }
    }

    #if canImport(FoundationNetworking)
    /// Classifies libcurl's errors. Most have the code `unknown`, and differ only in their text.
    private init(platform code: URLError.Code, reason: String, isSecure: Bool, hasHead: Bool) {
        let reason = reason.lowercased()
        func says(_ words: String...) -> Bool { words.contains(where: reason.contains) }
        switch code {
        // The connection was closed before a byte arrived.
        case .badServerResponse: self = .connectionLost
        // The URL was validated before it was sent, so it is the response's HTTP version that is not supported.
        case .unsupportedURL: self = .badResponse
        case _ where says("unencoding", "chunked-encoding"): self = .badResponse
        case _ where hasHead || says("closed", "peer", "send", "recv", "partial", "read function"):
            self = isSecure && !hasHead && says("ssl", "tls", "certificate") ? .notSecure : .connectionLost
        case _ where isSecure && says("ssl", "tls", "certificate"): self = .notSecure
        case _ where says("connect to server", "failed to connect"): self = .cannotConnect
        case _ where says("header", "content-length", "weird", "http"): self = .badResponse
        default: self = .other
        }
    }
    #else
    private init(platform code: URLError.Code, reason: String, isSecure: Bool, hasHead: Bool) {
        self = code == .badServerResponse ? .badResponse : hasHead ? .connectionLost : .other
    }
    #endif
}

#if !canImport(FoundationNetworking)
extension TransportMetrics {
    /// The measurements of URLSession for a request.
    init(_ transaction: URLSessionTaskTransactionMetrics, total: TimeInterval) {
        self.init()
        let start = transaction.fetchStartDate
        func after(_ date: Date?) -> Duration? {
            guard let start, let date else { return nil }
            return .seconds(date.timeIntervalSince(start))
        }
        self.start = start
        nameLookup = after(transaction.domainLookupEndDate)
        connect = after(transaction.connectEndDate)
        secureConnect = after(transaction.secureConnectionEndDate)
        firstByte = after(transaction.responseStartDate)
        self.total = after(transaction.responseEndDate) ?? .seconds(total)
        sentBytes = transaction.countOfRequestBodyBytesSent
        receivedBytes = transaction.countOfResponseBodyBytesReceived
        isReusedConnection = transaction.isReusedConnection
        // ALPN names, RFC 7301 section 6: `http/1.1`, `h2`, `h3`.
        httpVersion = transaction.networkProtocolName.map { name in
            name.hasPrefix("http/") ? String(name.dropFirst(5)) : name.hasPrefix("h") ? String(name.dropFirst()) : name
        }
    }
}
#endif

extension HTTPHeaders {
    /// The fields of a URLSession response, sorted by name, because it does not keep their order. It joins fields with the same
    /// name; `Set-Cookie`, whose values cannot be joined, is split again.
    init(_ response: HTTPURLResponse) {
        var fields: [Field] = []
        for case (let name as String, let value as String) in response.allHeaderFields {
            let name = HeaderName(name)
            let values = name == .setCookie ? HTTPHeaders.cookies(in: value) : [value]
            fields += values.map { Field(name: name, value: $0) }
        }
        fields.sort { $0.name.description < $1.name.description }
        self.init(fields)
    }

    /// The cookies in values of `Set-Cookie` joined by commas. A comma separates two only if a name and `=` follow, unlike that
    /// of a date, `Wed, 21 Oct 2065 07:28:00 GMT`.
    static func cookies(in joined: String) -> [String] {
        let separator = /, *(?=[-!#$%&'*+.^_`|~0-9A-Za-z]+=)/
        return joined.split(separator: separator, omittingEmptySubsequences: false).map(String.init)
    }
}
#endif
