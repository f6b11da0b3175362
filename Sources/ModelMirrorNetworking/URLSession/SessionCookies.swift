#if canImport(FoundationNetworking) && FoundationNetworking
import Foundation
import FoundationNetworking
import ModelMirror

/// The cookies of a ``URLSessionTransport`` on Linux, parsed and selected by RFC 6265 section 5.
///
/// FoundationNetworking's own parsing of `Set-Cookie` can crash the process, and its selection ignores paths, so only its
/// storage is used. There is no public suffix list: a `Domain` of one label is rejected.
final class SessionCookies: Sendable {
    private let storage: HTTPCookieStorage
    private let takesCookies: Bool

    /// Takes over the cookies of a configuration, which then handles none itself; nil if it sends none.
    init?(takenFrom configuration: URLSessionConfiguration) {
        defer { configuration.keepsNoCookies() }
        guard configuration.httpShouldSetCookies, let storage = configuration.httpCookieStorage else { return nil }
        self.storage = storage
        takesCookies = configuration.httpCookieAcceptPolicy != .never
    }

    /// A request with the cookies stored for its URL, followed by its own.
    func adding(to request: TransportRequest) -> TransportRequest {
        let now = Date()
        let kept = (storage.cookies ?? [])
            .filter { SessionCookies.belongs($0, to: request.url, now) }
            .sorted { $0.path.utf8.count > $1.path.utf8.count }
        guard !kept.isEmpty else { return request }
        var request = request
        let pairs = kept.map { "\($0.name)=\($0.value)" } + request.headers.values(for: .cookie)
        request.headers[.cookie] = pairs.joined(separator: "; ")
        return request
    }

    /// Stores the cookies of a response.
    func take(_ headers: HTTPHeaders, from url: URL) {
        guard takesCookies else { return }
        let now = Date()
        for text in headers.values(for: .setCookie) {
            guard let cookie = SessionCookies.cookie(text, from: url, now) else { continue }
            if let end = cookie.expiresDate, end <= now {
                storage.deleteCookie(cookie)
            } else {
                storage.setCookie(cookie)
            }
        }
    }

    // MARK: Section 5.4

    private static func belongs(_ cookie: HTTPCookie, to url: URL, _ now: Date) -> Bool {
        guard let host = url.host?.lowercased(), !cookie.isSecure || url.scheme?.lowercased() == "https" else {
            return false
        }
        if let end = cookie.expiresDate, end <= now { return false }
        let domain = cookie.domain.lowercased()
        guard domain == host || domain.hasPrefix(".") && ".\(host)".hasSuffix(domain) else { return false }
        let path = url.path.isEmpty ? "/" : url.path
        return path == cookie.path || path.hasPrefix(cookie.path.hasSuffix("/") ? cookie.path : cookie.path + "/")
    }

    // MARK: Sections 5.2 and 5.3

    static func cookie(_ text: String, from url: URL, _ now: Date) -> HTTPCookie? {
        var parts = text.split(separator: ";", omittingEmptySubsequences: false).map(pair)
        guard let host = url.host?.lowercased() else { return nil }
        let (name, value) = parts.removeFirst()
        guard name.isToken, let value, value.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else { return nil }
        var properties: [HTTPCookiePropertyKey: Any] = [
            .name: name, .value: value, .domain: host, .path: defaultPath(url),
        ]
        var hasAge = false
        for (name, value) in parts {
            switch (name.lowercased(), value) {
            case ("secure", _): properties[.secure] = "TRUE"
            case ("path", let path?) where path.hasPrefix("/"): properties[.path] = path
            case ("domain", let domain?) where !domain.isEmpty:
                let domain = domain.hasPrefix(".") ? domain.dropFirst().lowercased() : domain.lowercased()
                if domain == host { break }
                guard domain.contains("."), host.hasSuffix(".\(domain)"), !isAddress(host) else { return nil }
                properties[.domain] = ".\(domain)"
            case ("max-age", let age?) where isNumber(age):
                hasAge = true
                properties[.expires] = now.addingTimeInterval(Double(min(Int(age) ?? longestAge, longestAge)))
            case ("expires", let text?) where !hasAge:
                properties[.expires] = date(text, now) ?? properties[.expires]
            default: break
            }
        }
        return HTTPCookie(properties: properties)
    }

    /// 400 days, in seconds.
    private static let longestAge = 34_560_000

    private static func pair(_ text: Substring) -> (name: String, value: String?) {
        let sides = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            .map { $0.trimmingCharacters(in: .whitespaces) }
        return (sides[0], sides.count == 2 ? sides[1] : nil)
    }

    private static func defaultPath(_ url: URL) -> String {
        let path = url.path
        guard let end = path.lastIndex(of: "/"), end > path.startIndex else { return "/" }
        return String(path[..<end])
    }

    private static func isAddress(_ host: String) -> Bool {
        host.contains(":") || host.split(separator: ".").last.map { Int($0) != nil } == true
    }

    private static func isNumber(_ text: String) -> Bool {
        let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
        return !digits.isEmpty && digits.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }

    /// Also accepts dashes with a four-digit year, as many servers write them.
    private static func date(_ text: String, _ now: Date) -> Date? {
        HTTPDate.parse(Array(text.utf8), now: now)
            ?? HTTPDate.parse(Array(text.replacing("-", with: " ").utf8), now: now)
    }
}
#endif
