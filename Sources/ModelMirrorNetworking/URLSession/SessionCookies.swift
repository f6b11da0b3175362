#if canImport(FoundationNetworking) && FoundationNetworking
package import Foundation
package import FoundationNetworking
import ModelMirror

/// The cookies of a ``URLSessionTransport`` on Linux, parsed and selected by RFC 6265 section 5.
///
/// FoundationNetworking's own parsing of `Set-Cookie` can crash the process, and its selection ignores paths, so only its
/// storage is used. There is no public suffix list, so a cookie belongs to the host that set it alone, whatever its `Domain`.
package final class SessionCookies: Sendable {
    private let storage: HTTPCookieStorage
    private let takesCookies: Bool

    /// Takes over the cookies of a configuration, which then handles none itself; nil if it sends none.
    package init?(takenFrom configuration: URLSessionConfiguration) {
        defer { configuration.keepsNoCookies() }
        guard configuration.httpShouldSetCookies, let storage = configuration.httpCookieStorage else { return nil }
        self.storage = storage
        takesCookies = configuration.httpCookieAcceptPolicy != .never
    }

    /// A request with the cookies stored for its URL, followed by its own.
    package func adding(to request: TransportRequest) -> TransportRequest {
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
    package func take(_ headers: HTTPHeaders, from url: URL) {
        guard takesCookies, headers[.setCookie] != nil else { return }
        let now = Date()
        // Over http, anybody on the way could replace them (RFC 6265bis section 5.7).
        let untouched = (storage.cookies ?? []).filter { cookie in
            !url.isSecure && SessionCookies.isSecure(cookie) && cookie.domain == url.host?.lowercased()
        }
        for text in headers.values(for: .setCookie) {
            guard let cookie = SessionCookies.cookie(text, from: url, now) else { continue }
            if untouched.contains(where: { $0.name == cookie.name && cookie.path.hasPrefix($0.path) }) { continue }
            if let end = cookie.expiresDate, end <= now {
                storage.deleteCookie(cookie)
            } else {
                storage.setCookie(cookie)
            }
        }
    }

    // MARK: Section 5.4

    private static func belongs(_ cookie: HTTPCookie, to url: URL, _ now: Date) -> Bool {
        guard let host = url.host?.lowercased(), !isSecure(cookie) || url.isSecure else { return false }
        if let end = cookie.expiresDate, end <= now { return false }
        let domain = cookie.domain.lowercased()
        guard domain == host || domain.hasPrefix(".") && ".\(host)".hasSuffix(domain) else { return false }
        let path = url.sentPath
        return path == cookie.path || path.hasPrefix(cookie.path.hasSuffix("/") ? cookie.path : cookie.path + "/")
    }

    private static func isSecure(_ cookie: HTTPCookie) -> Bool { cookie.isSecure || cookie.comment == secureComment }

    // MARK: Sections 5.2 and 5.3

    package static func cookie(_ text: String, from url: URL, _ now: Date) -> HTTPCookie? {
        // By bytes: a combining mark behind a semicolon does not hide it.
        var parts = text.utf8.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false).map(pair)
        // `HTTPCookie` marks a domain by the dot that it begins with.
        guard let host = url.host?.lowercased(), !host.hasPrefix(".") else { return nil }
        let (name, value) = parts.removeFirst()
        guard name.isToken, let value, value.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else { return nil }
        var properties: [HTTPCookiePropertyKey: Any] = [
            .name: name, .value: value, .domain: host, .path: defaultPath(url),
        ]
        var domain: String?
        var hasAge = false
        for (name, value) in parts {
            switch (name.lowercased(), value) {
            case ("secure", _): (properties[.secure], properties[.comment]) = ("TRUE", secureComment)
            case ("path", let path?) where path.utf8.first == UInt8(ascii: "/"): properties[.path] = path
            case ("domain", let text?) where !text.isEmpty: domain = text.lowercased()
            case ("max-age", let age?) where age.wholeMatch(of: /-?[0-9]+/) != nil:
                hasAge = true
                let seconds = Int(age) ?? (age.hasPrefix("-") ? 0 : longestAge)
                properties[.expires] = now.addingTimeInterval(Double(min(max(seconds, 0), longestAge)))
            case ("expires", let text?) where !hasAge: properties[.expires] = date(text, now) ?? properties[.expires]
            default: break
            }
        }
        if let domain {
            let end = domain.utf8.first == UInt8(ascii: ".") ? domain : ".\(domain)"
            guard ".\(host)".hasSuffix(end) else { return nil }
        }
        // RFC 6265bis sections 4.1.3 and 5.7, as in libcurl.
        let isHost = name.lowercased().hasPrefix("__host-")
        let isSecure = properties[.secure] != nil
        if isSecure, !url.isSecure { return nil }
        if isHost || name.lowercased().hasPrefix("__secure-"), !isSecure { return nil }
        if isHost, domain != nil || properties[.path] as? String != "/" { return nil }
        return HTTPCookie(properties: properties)
    }

    /// The comment of a cookie with `Secure`: the storage keeps comments on the disk, but loses the attribute itself.
    private static let secureComment = "Secure"

    /// 400 days, in seconds.
    private static let longestAge = 34_560_000

    private static func pair(_ text: Substring.UTF8View) -> (name: String, value: String?) {
        let sides = text.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            .map { String(decoding: $0.trimming(\.isBlank), as: UTF8.self) }
        return (sides[0], sides.count == 2 ? sides[1] : nil)
    }

    private static func defaultPath(_ url: URL) -> String {
        let path = url.sentPath
        guard let end = path.lastIndex(of: "/"), end > path.startIndex else { return "/" }
        return String(path[..<end])
    }

    /// Also accepts dashes with a four-digit year, as many servers write them.
    private static func date(_ text: String, _ now: Date) -> Date? {
        HTTPDate.parse(Array(text.utf8), now: now)
            ?? HTTPDate.parse(Array(text.replacing("-", with: " ").utf8), now: now)
    }
}
#endif
