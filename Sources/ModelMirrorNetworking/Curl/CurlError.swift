#if os(Linux)
import ModelMirrorFoundation

/// Converts libcurl's codes into errors of a request.
///
/// libcurl's texts decide nothing here, because they differ between versions; they are only appended to the sentence.
enum CurlError {
    /// The code of a complete transfer.
    static let none: Int32 = 0
    /// The code of a URL that libcurl does not accept.
    static let malformedURL: Int32 = 3
    /// The code of a head that is not valid.
    static let invalidHead: Int32 = 8
    /// The code of a lack of memory, and up to libcurl 8.5 of a line of the head that is longer than 100 kB.
    static let memory: Int32 = 27
    /// The code of a failure to receive, also of a proxy that refuses the tunnel.
    static let receiving: Int32 = 56
    /// The code of a connection that cannot be made.
    static let connecting: Int32 = 7
    /// The code of an argument that libcurl does not accept, and from 7.83 of a field with a carriage return in its name.
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
    private static let rows: [Int32: (kind: RequestError.ConnectionFailure.Kind, sentence: String)] = [
        1: (.badResponse, "libcurl does not know this kind of HTTP"),
        2: (.other, "libcurl could not be started"),
        malformedURL: (.badResponse, "libcurl does not accept the URL"),
        4: (.other, "this libcurl was built without what the request needs"),
        5: (.hostNotFound, "the name of the proxy has no address"),
        // Their kinds say the same.
        6: (.hostNotFound, ""),
        connecting: (.cannotConnect, ""),
        invalidHead: (.badResponse, "the head of the response is not valid"),
        16: (.connectionLost, "the HTTP/2 connection broke"),
        18: (.connectionLost, "the response ended before its body was complete"),
        23: (.badResponse, "the response could not be taken"),
        25: (.badResponse, "the server does not accept a body of unknown length"),
        26: (.other, "the body could not be read"),
        memory: (.other, "libcurl ran out of memory"),
        28: (.timedOut, "no data arrived for longer than the timeout"),
        35: (.notSecure, "the TLS handshake failed"),
        notSentAgain: (.connectionLost, "the connection broke before the response"),
        argument: (.other, "libcurl does not accept an argument"),
        48: (.other, "libcurl does not know an option"),
        52: (.connectionLost, "the connection was closed before the response"),
        55: (.connectionLost, "the connection broke while the request was sent"),
        receiving: (.connectionLost, "the connection broke while the response was received"),
        clientCertificate: (.notSecure, "the client certificate cannot be used"),
        59: (.notSecure, "the TLS ciphers cannot be used"),
        60: (.notSecure, "the certificate of the server is not trusted"),
        61: (.badResponse, "the transfer coding of the response is not known"),
        rewinding: (.connectionLost, "the connection broke, and the body cannot be sent again"),
        77: (.notSecure, "the file of certificate authorities cannot be read"),
        90: (.notSecure, "the public key of the server is none of those that are pinned"),
        92: (.connectionLost, "the HTTP/2 stream was ended by the server"),
        97: (.cannotConnect, "the proxy refused the connection"),
        98: (.notSecure, "the server requires a client certificate"),
        99: (.other, "waiting for the sockets failed"),
        longLine: (.badResponse, "a line of the head is too long"),
        chunks: (.badResponse, "the chunked coding of the body is not valid"),
        invalidHTTP2: (.badResponse, "the HTTP/2 response is not valid"),
    ]

    /// Whether a code means that the connection broke, so that another may work if there was no response.
    static func isBrokenConnection(_ code: Int32) -> Bool {
        // With invalid HTTP/2, the fault may be in another response of the same connection.
        rows[code]?.kind == .connectionLost || code == invalidHTTP2
    }

    /// The failure for a code.
    ///
    /// - Parameters:
    ///   - detail: libcurl's text; empty for none. User and password of a proxy and the value of a field are left out.
    ///   - place: How far the response came, for a fault of the server; empty for none.
    ///   - url: The URL of the request.
    static func failure(_ code: Int32, detail: String = "", place: String = "", url: URL) -> RequestError {
        let row = rows[code] ?? (.other, "libcurl failed with its code \(code)")
        var reason = row.sentence
        if row.kind == .badResponse, !place.isEmpty { reason += " \(place)" }
        if !detail.isEmpty {
            let text = detail.withoutUserInfo.withoutFieldValue.prefix(200)
            reason = reason.isEmpty ? String(text) : "\(reason) (\(text))"
        }
        return .connection(row.kind, to: url, reason)
    }

    /// The failure for an option that libcurl does not accept.
    static func failure(_ refusal: CurlEasy.Refusal, url: URL) -> RequestError {
        let why = rows[refusal.code]?.sentence ?? "code \(refusal.code)"
        return .connection(
            CurlEasy.Text.ofTLS.contains(refusal.option) ? .notSecure : .other, to: url,
            "libcurl does not accept the option \(refusal.option): \(why)")
    }
}

extension String {
    /// This text of libcurl without the URL of a proxy that it quotes, perhaps cut off before its `@`: `Unsupported proxy scheme for …`.
    fileprivate var withoutUserInfo: String {
        if let quote = firstIndex(of: "'"), contains("@") || self[..<quote].contains("proxy") {
            return self[..<quote] + "…"
        }
        return lastIndex(of: "@").map { String(self[index(after: $0)...]) } ?? self
    }
}
#endif
