import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension RequestError {
    /// What an error of URLSession is, the same on every platform.
    ///
    /// - Parameters:
    ///   - error: The error.
    ///   - url: Whom the request was for.
    ///   - hasHead: Whether the head of the response had arrived.
    init(_ error: any Error, url: URL, hasHead: Bool) {
        guard let error = error as? URLError else {
            self = .connection(ConnectionFailure(.other, url: url.withoutUserInfo, reason: String(describing: error)))
            return
        }
        if error.code == .cancelled {
            self = .cancelled
            return
        }
        // What Foundation says when it knows nothing but the code, which the kind says better.
        let said = error.localizedDescription
        let reason = said.hasPrefix("The operation could not be completed.") ? "" : said
        let kind = ConnectionFailure.Kind(error.code, reason: said, isSecure: url.scheme == "https", hasHead: hasHead)
        self = .connection(ConnectionFailure(kind, url: url.withoutUserInfo, reason: reason))
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
    /// What libcurl says. Most of its errors come with one code, `unknown`, and can be told by its sentence alone.
    private init(platform code: URLError.Code, reason: String, isSecure: Bool, hasHead: Bool) {
        let reason = reason.lowercased()
        func says(_ words: String...) -> Bool { words.contains(where: reason.contains) }
        switch code {
        // The connection was closed before a byte came.
        case .badServerResponse: self = .connectionLost
        // The URL was looked at before it was sent, so what is not supported is the version of the answer.
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
        switch code {
        case .badServerResponse: self = .badResponse
        default: self = hasHead ? .connectionLost : .other
        }
    }
    #endif
}
