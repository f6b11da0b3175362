import ModelMirrorFoundation
import ModelMirrorNetworking

/// The request line and header fields, RFC 9112 sections 3 and 5, parsed strictly: a deviation that a server may tolerate is
/// probably a bug in the client under test.
struct RequestHead {
    /// How the length of the body is determined.
    enum Framing: Equatable {
        case length(Int)
        case chunked
    }

    let method: HTTPMethod
    let target: String
    let path: String
    let query: String?
    let headers: HTTPHeaders
    let framing: Framing
    let keepsAlive: Bool
    let isVersion11: Bool

    /// Whether the client waits for `100 Continue` before it sends the body.
    var expectsContinue: Bool { headers["Expect"]?.lowercased() == "100-continue" }

    /// Parses a head.
    init(parsing bytes: ArraySlice<UInt8>) throws(LoopbackRefusal) {
        let lines = try RequestHead.lines(of: bytes)
        let parts = lines[0].split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 3, !parts[0].isEmpty, parts[0].utf8.allSatisfy(\.isTokenByte), !parts[1].isEmpty else {
            throw LoopbackRefusal(400, "The request line \"\(lines[0])\" is not a method, a target and a version.")
        }
        switch parts[2] {
        case "HTTP/1.1": isVersion11 = true
        case "HTTP/1.0": isVersion11 = false
        default: throw LoopbackRefusal(505, "The version \"\(parts[2])\" is not HTTP/1.1 or HTTP/1.0.")
        }
        method = HTTPMethod(String(parts[0]))
        target = String(parts[1])
        (path, query) = try RequestHead.split(target)

        var headers = HTTPHeaders()
        for line in lines.dropFirst() {
            guard let colon = line.utf8.firstIndex(of: UInt8(ascii: ":")), colon != line.startIndex,
                line[..<colon].utf8.allSatisfy(\.isTokenByte)
            else { throw LoopbackRefusal(400, "The header line \"\(line)\" is not a name, a colon and a value.") }
            let value = line[line.utf8.index(after: colon)...].utf8.trimming(\.isBlank)
            headers.append(String(Substring(value)), for: HeaderName(String(line[..<colon])))
        }
        self.headers = headers
        if isVersion11, headers.values(for: "Host").count != 1 {
            throw LoopbackRefusal(
                400, "An HTTP/1.1 request has one Host field, this has \(headers.values(for: "Host").count).")
        }
        framing = try RequestHead.framing(headers)
        let options = (headers["Connection"] ?? "").lowercased().split(separator: ",").map {
            Substring($0.utf8.trimming(\.isBlank))
        }
        keepsAlive = isVersion11 ? !options.contains("close") : options.contains("keep-alive")
    }

    /// The refusal of a head with a carriage return or line feed that is alone.
    static let brokenLine = LoopbackRefusal(
        400, "A line of the head does not end in carriage return and line feed.")

    private static func lines(of bytes: ArraySlice<UInt8>) throws(LoopbackRefusal) -> [Substring] {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw LoopbackRefusal(400, "The head of the request is not UTF-8.")
        }
        guard !text.utf8.contains(0) else {
            throw LoopbackRefusal(400, "The head of the request contains a zero byte.")
        }
        let lines = text.split(separator: "\r\n", omittingEmptySubsequences: false)
        // "\r\n" is one Character in Swift, so any remaining CR or LF is alone.
        guard !lines.contains(where: { $0.utf8.contains(10) || $0.utf8.contains(13) }) else {
            throw brokenLine
        }
        guard !lines.dropFirst().contains(where: { $0.hasPrefix(" ") || $0.hasPrefix("\t") }) else {
            throw LoopbackRefusal(400, "A header field is folded over two lines, which RFC 9112 section 5.2 forbids.")
        }
        return lines
    }

    private static func split(_ target: String) throws(LoopbackRefusal) -> (path: String, query: String?) {
        var rest = target[...]
        if let scheme = ["http://", "https://"].first(where: { rest.lowercased().hasPrefix($0) }) {
            // Absolute form, section 3.2.2.
            rest = rest.dropFirst(scheme.count)
            rest = rest.unicodeScalars.firstIndex { $0 == "/" || $0 == "?" }.map { rest[$0...] } ?? "/"
            if rest.unicodeScalars.first == "?" { rest = "/" + rest }
        }
        guard rest.unicodeScalars.first == "/" || rest == "*" else {
            throw LoopbackRefusal(400, "The target \"\(target)\" does not begin with a slash.")
        }
        guard !target.unicodeScalars.contains("#") else {
            throw LoopbackRefusal(400, "The target \"\(target)\" contains a fragment.")
        }
        let parts = rest.unicodeScalars.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
            .map(Substring.init)
        guard let path = PercentEscaping.unescaped(parts[0]) else {
            throw LoopbackRefusal(400, "The percent-encoding of the path \"\(parts[0])\" is broken.")
        }
        return (path, parts.count == 2 ? String(parts[1]) : nil)
    }

    private static func framing(_ headers: HTTPHeaders) throws(LoopbackRefusal) -> Framing {
        let codings = headers.values(for: "Transfer-Encoding")
        let lengths = headers.values(for: .contentLength)
        if !codings.isEmpty {
            // Both together enable request smuggling, section 6.1.
            guard lengths.isEmpty else {
                throw LoopbackRefusal(400, "The request has both Transfer-Encoding and Content-Length.")
            }
            guard codings.count == 1, codings[0].lowercased() == "chunked" else {
                throw LoopbackRefusal(
                    501, "The Transfer-Encoding \"\(codings.joined(separator: ", "))\" is not chunked.")
            }
            return .chunked
        }
        guard let text = lengths.first else { return .length(0) }
        guard lengths.count == 1, !text.isEmpty, text.utf8.allSatisfy(\.isDigit), let length = Int(text) else {
            throw LoopbackRefusal(400, "The Content-Length \"\(lengths.joined(separator: ", "))\" is not one number.")
        }
        return .length(length)
    }
}

/// A refused request: the status of the response, and the reason.
struct LoopbackRefusal: Error, Equatable {
    let status: Int
    let reason: String

    init(_ status: Int, _ reason: String) {
        self.status = status
        self.reason = reason
    }
}
