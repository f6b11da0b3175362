#if os(Linux)
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Converts libcurl's codes into errors of a request.
///
/// libcurl's texts decide nothing here, because they differ between versions; they are only appended to the sentence.
enum CurlError {
    private struct Row {
        let kind: RequestError.ConnectionFailure.Kind
        let sentence: String
        /// Whether the connection broke, so that another may work if there was no response.
        let isBroken: Bool

        init(_ kind: RequestError.ConnectionFailure.Kind, _ sentence: String, isBroken: Bool = false) {
            self.kind = kind
            self.sentence = sentence
            self.isBroken = isBroken
        }
    }

    /// The code of a complete transfer.
    static let none: Int32 = 0
    /// The code of a URL that libcurl does not accept.
    static let malformedURL: Int32 = 3
    /// The code of a lack of memory, and up to libcurl 8.5 of a line of the head that is longer than 100 kB.
    static let memory: Int32 = 27
    /// The code of a failure to receive, also of a proxy that refuses the tunnel.
    static let receiving: Int32 = 56
    /// The code of a connection that cannot be made.
    static let connecting: Int32 = 7
    /// The code of an argument that libcurl does not accept.
    static let argument: Int32 = 43
    /// The code of a client certificate or its key.
    static let clientCertificate: Int32 = 58
    /// The code of a line of the head that is too long.
    static let longLine: Int32 = 100
    /// Not a code of libcurl: chunked coding that is not valid.
    static let chunks: Int32 = -1
    /// Not a code of libcurl: HTTP/2 that is not valid.
    static let invalidHTTP2: Int32 = -2
    /// The code of a request that may not be sent on another connection.
    static let notSentAgain: Int32 = 42
    /// The code of a body that cannot be sent again.
    static let rewinding: Int32 = 65

    // The codes that can occur with HTTP and the options used. Unchanged since 7.68 except where noted.
    private static let rows: [Int32: Row] = [
        1: Row(.badResponse, "libcurl does not know this kind of HTTP"),
        2: Row(.other, "libcurl could not be started"),
        malformedURL: Row(.badResponse, "libcurl does not accept the URL"),
        4: Row(.other, "this libcurl was built without what the request needs"),
        5: Row(.hostNotFound, "the name of the proxy has no address"),
        6: Row(.hostNotFound, "the host name has no address"),
        connecting: Row(.cannotConnect, "no connection could be made"),
        8: Row(.badResponse, "the head of the response is not valid"),
        16: Row(.connectionLost, "the HTTP/2 connection broke", isBroken: true),
        18: Row(.connectionLost, "the response ended before its body was whole", isBroken: true),
        23: Row(.badResponse, "the response could not be taken"),
        25: Row(.badResponse, "the server does not accept a body of unknown length"),
        26: Row(.other, "the body could not be read"),
        memory: Row(.other, "libcurl ran out of memory"),
        28: Row(.timedOut, "no data arrived for longer than the timeout"),
        35: Row(.notSecure, "the TLS handshake failed"),
        notSentAgain: Row(.connectionLost, "the connection broke before the response", isBroken: true),
        argument: Row(.other, "libcurl does not accept an argument"),
        48: Row(.other, "libcurl does not know an option"),
        52: Row(.connectionLost, "the connection was closed before the response", isBroken: true),
        53: Row(.notSecure, "the TLS engine is missing"),
        54: Row(.notSecure, "the TLS engine cannot be used"),
        55: Row(.connectionLost, "the connection broke while the request was sent", isBroken: true),
        receiving: Row(.connectionLost, "the connection broke while the response was received", isBroken: true),
        clientCertificate: Row(.notSecure, "the client certificate cannot be used"),
        59: Row(.notSecure, "the TLS ciphers cannot be used"),
        60: Row(.notSecure, "the certificate of the server is not trusted"),
        61: Row(.badResponse, "the transfer coding of the response is not known"),
        63: Row(.badResponse, "the response is too large for libcurl to count"),
        rewinding: Row(.connectionLost, "the connection broke, and the body cannot be sent again", isBroken: true),
        66: Row(.notSecure, "the TLS engine cannot be started"),
        77: Row(.notSecure, "the file of certificate authorities cannot be read"),
        80: Row(.connectionLost, "the secure connection was not closed properly", isBroken: true),
        82: Row(.notSecure, "the list of revoked certificates cannot be read"),
        83: Row(.notSecure, "the issuer of the certificate is not the expected one"),
        90: Row(.notSecure, "the public key of the server is none of those that are pinned"),
        91: Row(.notSecure, "the status of the certificate is not valid"),
        92: Row(.connectionLost, "the HTTP/2 stream was ended by the server", isBroken: true),
        95: Row(.connectionLost, "the HTTP/3 connection broke", isBroken: true),
        96: Row(.cannotConnect, "no QUIC connection could be made"),
        97: Row(.cannotConnect, "the proxy refused the connection"),
        98: Row(.notSecure, "the server asks for a client certificate"),
        99: Row(.other, "waiting for the sockets failed"),
        longLine: Row(.badResponse, "a line of the head is too long"),
        chunks: Row(.badResponse, "the chunked coding of the body is not valid"),
        // The fault may be in another response of the same connection.
        invalidHTTP2: Row(.badResponse, "the HTTP/2 response is not valid", isBroken: true),
        101: Row(.notSecure, "Encrypted Client Hello failed"),
    ]

    /// Whether a code means that the connection broke, so that another may work if there was no response.
    static func isBrokenConnection(_ code: Int32) -> Bool { rows[code]?.isBroken ?? false }

    /// The failure for a code.
    ///
    /// - Parameters:
    ///   - detail: libcurl's text; empty for none. User and password of a proxy and the value of a field are left out.
    ///   - place: How far the response came, for a fault of the server; empty for none.
    ///   - url: The URL of the request.
    static func failure(_ code: Int32, detail: String, place: String = "", url: URL) -> RequestError {
        let row = rows[code] ?? Row(.other, "libcurl failed with its code \(code)")
        var reason = row.sentence
        if row.kind == .badResponse, !place.isEmpty { reason += " \(place)" }
        if !detail.isEmpty { reason += " (\(detail.withoutUserInfo.withoutFieldValue.prefix(200)))" }
        return .connection(row.kind, to: url, reason)
    }

    /// The failure for an option that libcurl does not accept.
    static func failure(_ refusal: CurlEasy.Refusal, url: URL) -> RequestError {
        let why = rows[refusal.code]?.sentence ?? "code \(refusal.code)"
        return .connection(
            refusal.option.isOfTLS ? .notSecure : .other, to: url,
            "libcurl does not accept the option \(refusal.option): \(why)")
    }
}

extension String {
    /// This text of libcurl without what is between the first quote and the last `@`: `Unsupported proxy scheme for 'proxy:9'`.
    fileprivate var withoutUserInfo: String {
        guard let at = lastIndex(of: "@") else { return self }
        let start = self[..<at].firstIndex(of: "'").map(index(after:)) ?? startIndex
        return String(self[..<start] + self[index(after: at)...])
    }
}
#endif
