#if canImport(FoundationNetworking) && FoundationNetworking
import Foundation
import FoundationNetworking
import ModelMirror
import ModelMirrorNetworking

extension FuzzTarget {
    /// The URL of a response, that of a later request, and `Set-Cookie` lines: each line alone is kept and sent back exactly if a
    /// plain reader of RFC 6265 says so, all of them together send nothing else, and what a kept cookie prints reads back the same.
    static let cookies = FuzzTarget(
        "cookies",
        seeds: [
            "https://example.com/a/b\nhttps://www.example.com/a/b/c\nid=1; Domain=example.com; Path=/a; Secure; HttpOnly",
            "http://a.b.example.com/x/\nhttp://a.b.example.com/x/y\nn=\"v w\"; domain=.B.example.com; Max-Age=3600\nn=2; path=/x",
            "http://localhost:8080\nhttp://localhost/\na=1; Domain=localhost\nb=; Expires=Wed, 21 Oct 2065 07:28:00 GMT",
            "http://127.0.0.1/a%20b/\nhttp://127.0.0.1/a%20b/c\na=1; Domain=0.0.1\nb=2; Path=/a%20b; Max-Age=-1\n=3\nc",
            "https://a.b/\nhttps://a.b/\n__Host-a=1; Secure; Path=/\n__Secure-b=2; Secure; Domain=a.b",
            "https://[::1]/\nhttps://[::1]/?q\na=1; Expires=Wed, 21-Oct-2065 07:28:00 GMT; Max-Age=0\nb==2; SameSite=Lax",
        ].map { Array($0.utf8) },
        words: [
            ";", "; ", "=", ",", "\n", " ", "\t", "\u{0}", "\u{301}", "é", "\"", ".", "..", "/", "//", "%2F", "?",
            "Path=",
            "Path=/", "Domain=", "Domain=.example.com", "Domain=com", "Max-Age=", "Max-Age=99999999999999999999",
            "Max-Age=-99999999999999999999", "Expires=", "Thu, 01 Jan 1970 00:00:00 GMT", "Secure", "http://",
            "https://", "__Host-", "__Secure-", "; Secure; Path=/",
            "example.com", "a.", "9999",
        ].map { Array($0.utf8) } + [[0xE9], [0xFF, 0xFE]]
    ) { bytes in
        let lines = String(decoding: bytes, as: UTF8.self).components(separatedBy: "\n")
        guard lines.count > 2, let origin = URL(string: lines[0]), let target = URL(string: lines[1]) else {
            return .refused
        }
        let now = Date(timeIntervalSince1970: Date().timeIntervalSince1970.rounded(.down))
        let taken = lines[2...].map { ($0, PlainCookie($0, from: origin, now)) }
        for (line, plain) in taken {
            let cookie = SessionCookies.cookie(line, from: origin, now)
            let pair = plain.flatMap { $0.belongs(to: target, now) ? "\($0.name)=\($0.value)" : nil }
            let sent = Jar().sent(to: target, after: [line], from: origin)
            guard sent == pair else {
                return .broken("\(line) of \(origin) sends \(sent ?? "nothing") to \(target), not \(pair ?? "nothing")")
            }
            guard let cookie else {
                if let plain { return .broken("\(line) is refused, not \(plain)") }
                continue
            }
            let printed = PlainCookie(cookie)
            guard printed == plain else {
                return .broken("\(line) is \(printed), not \(plain.map { "\($0)" } ?? "refused")")
            }
            guard let again = SessionCookies.cookie(printed.text, from: origin, now), PlainCookie(again) == printed
            else {
                return .broken("\(printed.text) does not read back")
            }
        }
        let all = Jar().sent(to: target, after: Array(lines[2...]), from: origin)
        let allowed = Set(
            taken.compactMap { $1 }.filter { $0.belongs(to: target, now) }.map { "\($0.name)=\($0.value)" })
        guard Set((all ?? "").components(separatedBy: "; ")).subtracting([""]).isSubset(of: allowed) else {
            return .broken("\(all ?? "") is sent, of which only \(allowed.sorted()) may be")
        }
        return taken.contains { $1 != nil } ? .accepted : .refused
    }

    /// The cookies of a program of its own.
    private struct Jar {
        private let cookies: SessionCookies?

        init() { cookies = SessionCookies(takenFrom: .ephemeral) }

        func sent(to target: URL, after lines: [String], from origin: URL) -> String? {
            var headers = HTTPHeaders()
            for line in lines { headers.append(line, for: .setCookie) }
            cookies?.take(headers, from: origin)
            return cookies?.adding(to: TransportRequest(.get, target)).headers[.cookie]
        }
    }
}

/// A cookie, as the words of RFC 6265, sections 5.2 to 5.4, say, but for what `SessionCookies` refuses beyond them.
private struct PlainCookie: Equatable {
    var name = ""
    var value = ""
    var domain = ""
    var isHostOnly = true
    var path = "/"
    var isSecure = false
    var end: Date?

    init(_ cookie: HTTPCookie) {
        (name, value, path, isSecure, end) = (
            cookie.name, cookie.value, cookie.path, cookie.isSecure, cookie.expiresDate
        )
        isHostOnly = !cookie.domain.hasPrefix(".")
        domain = isHostOnly ? cookie.domain : String(cookie.domain.dropFirst())
    }

    init?(_ line: String, from url: URL, _ now: Date) {
        guard let host = url.host?.lowercased(), !host.hasPrefix(".") else { return nil }
        let parts = line.utf8.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false).map { part in
            let sides = part.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            return sides.map {
                String(decoding: $0, as: UTF8.self).trimmingCharacters(in: CharacterSet(charactersIn: " \t"))
            }
        }
        // The names are tokens, and values have no control characters and are ASCII.
        guard parts[0].count == 2, !parts[0][0].isEmpty, parts[0][0].utf8.allSatisfy(PlainCookie.token.contains),
            parts[0][1].utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F })
        else { return nil }
        (name, value, domain) = (parts[0][0], parts[0][1], host)
        let path = url.path(percentEncoded: true)
        if let last = path.utf8.lastIndex(of: UInt8(ascii: "/")), last > path.startIndex {
            self.path = String(path[..<last])
        }
        func last(_ attribute: String, _ counts: (String) -> Bool) -> String? {
            parts.dropFirst().last { $0[0].lowercased() == attribute && $0.count == 2 && counts($0[1]) }?[1]
        }
        isSecure = parts.dropFirst().contains { $0[0].lowercased() == "secure" }
        if let path = last("path", { $0.utf8.first == UInt8(ascii: "/") }) { self.path = path }
        if let text = last("domain", { !$0.isEmpty }) {
            let domain = (text.utf8.first == UInt8(ascii: ".") ? String(text.utf8.dropFirst()) ?? "" : text)
                .lowercased()
            // There is no list of public suffixes, so no other host gets the cookie.
            guard ".\(host)".hasSuffix(".\(domain)") else { return nil }
        }
        // RFC 6265bis: such names promise that no other host or insecure response set them, nor does such a response set `Secure`.
        let start = name.lowercased()
        if isSecure || start.hasPrefix("__secure-") || start.hasPrefix("__host-") {
            guard isSecure, url.scheme?.lowercased() == "https" else { return nil }
        }
        if start.hasPrefix("__host-") {
            guard last("domain", { !$0.isEmpty }) == nil, self.path == "/" else { return nil }
        }
        if let age = last("max-age", PlainCookie.isNumber) {
            // At most 400 days.
            end = now.addingTimeInterval(max(min(Double(age) ?? 0, 34_560_000), 0))
        } else if let text = last("expires", { PlainCookie.date($0, now) != nil }) {
            end = PlainCookie.date(text, now)
        }
    }

    func belongs(to url: URL, _ now: Date) -> Bool {
        guard let host = url.host?.lowercased(), end.map({ $0 > now }) ?? true else { return false }
        if isSecure, url.scheme?.lowercased() != "https" { return false }
        guard host == domain || !isHostOnly && host.hasSuffix(".\(domain)") else { return false }
        let path = url.path(percentEncoded: true)
        let asked = Array((path.isEmpty ? "/" : path).utf8)
        let own = Array(self.path.utf8)
        guard asked.starts(with: own) else { return false }
        return asked.count == own.count || own.last == UInt8(ascii: "/") || asked[own.count] == UInt8(ascii: "/")
    }

    var text: String {
        var text = "\(name)=\(value)"
        // Only the default path, that of the response's URL, may have a semicolon.
        if !path.contains(";") { text += "; Path=\(path)" }
        if !isHostOnly { text += "; Domain=\(domain)" }
        if isSecure { text += "; Secure" }
        if let end, let date = HTTPDate.text(end) { text += "; Expires=\(date)" }
        return text
    }

    private static func isNumber(_ text: String) -> Bool {
        let digits = text.utf8.first == UInt8(ascii: "-") ? text.utf8.dropFirst() : text.utf8[...]
        return !digits.isEmpty && digits.allSatisfy { $0 >= 0x30 && $0 <= 0x39 }
    }

    private static func date(_ text: String, _ now: Date) -> Date? {
        HTTPDate.parse(Array(text.utf8), now: now)
            ?? HTTPDate.parse(Array(text.replacing("-", with: " ").utf8), now: now)
    }

    private static let token = Set("!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".utf8)
}
#endif
