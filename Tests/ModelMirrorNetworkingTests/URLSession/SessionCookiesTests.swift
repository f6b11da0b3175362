#if canImport(FoundationNetworking) && FoundationNetworking
import Foundation
import FoundationNetworking
import ModelMirrorNetworking
import Testing

struct SessionCookiesTests {
    /// The cookies sent to a URL after a response of another.
    private func sent(to target: String, after line: String, from origin: String) throws -> String? {
        let cookies = try #require(SessionCookies(takenFrom: .ephemeral))
        cookies.take([.setCookie: line], from: try #require(URL(string: origin)))
        return cookies.adding(to: TransportRequest(.get, try #require(URL(string: target)))).headers[.cookie]
    }

    @Test(
        "A cookie is sent to the host that set it alone, whatever its Domain",
        arguments: ["", "; Domain=co.uk", "; Domain=evil.co.uk", "; Domain=.Evil.co.uk", "; Domain="])
    func hosts(_ domain: String) throws {
        let hosts = ["evil.co.uk", "good.co.uk", "www.evil.co.uk", "co.uk"]
        let found = try hosts.filter { host in
            try sent(to: "http://\(host)/", after: "a=1; Path=/\(domain)", from: "http://evil.co.uk/") == "a=1"
        }
        #expect(found == ["evil.co.uk"])
    }

    @Test("A cookie of another domain is rejected", arguments: ["good.co.uk", "www.evil.co.uk", "il.co.uk", "."])
    func otherDomains(_ domain: String) throws {
        let line = "a=1; Domain=\(domain)"
        for host in ["evil.co.uk", domain] where host != "." {
            #expect(try sent(to: "http://\(host)/", after: line, from: "http://evil.co.uk/") == nil)
        }
    }

    @Test(
        "A cookie that promises security, or whose name promises that or a host, is kept only if it keeps the promise",
        arguments: [
            ("__Host-a=1; Secure; Path=/", "https", true), ("__Host-a=1; Secure", "https", true),
            ("__Host-a=1; Path=/", "https", false), ("__host-a=1; Secure; Path=/b", "https", false),
            ("__Host-a=1; Secure; Path=/; Domain=example.com", "https", false),
            ("__Host-a=1; Secure; Path=/", "http", false),
            ("__Secure-a=1; Secure; Path=/b; Domain=example.com", "https", true),
            ("__SECURE-a=1", "https", false), ("__Secure-a=1; Secure", "http", false),
            ("Secure-a=1", "http", true), ("a=1; Secure", "https", true), ("a=1; Secure", "http", false),
            ("a=1; seCure=0", "http", false),
        ])
    func prefixes(_ line: String, _ scheme: String, _ isKept: Bool) throws {
        let cookie = try sent(to: "https://example.com/b", after: line, from: "\(scheme)://example.com/")
        #expect(cookie == (isKept ? String(line.prefix { $0 != ";" }) : nil))
    }

    @Test(
        "A response over http neither replaces nor hides nor deletes a cookie with Secure",
        arguments: ["a=2; Path=/", "a=2; Path=/b", "a=; Path=/; Max-Age=0"])
    func secureCookieStays(_ line: String) throws {
        let cookies = try #require(SessionCookies(takenFrom: .ephemeral))
        let (secure, open, other) = try (
            #require(URL(string: "https://example.com/b")), #require(URL(string: "http://example.com/b")),
            #require(URL(string: "http://other.com/b"))
        )
        func sent(to url: URL) -> String? { cookies.adding(to: TransportRequest(.get, url)).headers[.cookie] }
        cookies.take([.setCookie: "a=1; Secure; Path=/"], from: secure)
        cookies.take([.setCookie: line], from: open)
        #expect(sent(to: secure) == "a=1")
        cookies.take([.setCookie: "a=2; Path=/"], from: other)
        #expect(sent(to: other) == "a=2")
        cookies.take([.setCookie: "a=3; Path=/"], from: secure)
        #expect(sent(to: secure) == "a=3")
    }

    @Test("A cookie with Secure is not sent over http by a later run, for which the storage has lost the attribute")
    func secureCookieOfAnEarlierRun() throws {
        let configuration = URLSessionConfiguration.ephemeral
        let storage = try #require(configuration.httpCookieStorage)
        let cookies = try #require(SessionCookies(takenFrom: configuration))
        cookies.take(
            [.setCookie: "a=1; Secure; Path=/; Max-Age=60"], from: try #require(URL(string: "https://example.com/")))
        let kept = try #require(storage.cookies?.first)
        // As the storage reads its file, where the attribute is not the text that it reads.
        let properties: [HTTPCookiePropertyKey: Any] = [
            .name: kept.name, .value: kept.value, .domain: kept.domain, .path: kept.path, .secure: true,
            .expires: kept.expiresDate as Any, .comment: kept.comment as Any,
        ]
        let read = try #require(HTTPCookie(properties: properties))
        #expect(kept.isSecure && !read.isSecure)
        storage.setCookie(read)
        let sent = try ["http", "https"].map { scheme in
            let url = try #require(URL(string: "\(scheme)://example.com/"))
            return cookies.adding(to: TransportRequest(.get, url)).headers[.cookie]
        }
        #expect(sent == [nil, "a=1"])
    }
}
#endif
