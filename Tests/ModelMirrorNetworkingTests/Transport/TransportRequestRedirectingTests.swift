import Foundation
import Testing

@testable import ModelMirrorNetworking

struct TransportRequestRedirectingTests {
    @Test(arguments: [
        (301, "GET", "GET"), (301, "HEAD", "HEAD"), (301, "POST", "GET"), (301, "PUT", "PUT"), (302, "POST", "GET"),
        (302, "DELETE", "DELETE"), (303, "POST", "GET"), (303, "PUT", "GET"), (303, "HEAD", "HEAD"),
        (303, "DELETE", "GET"), (307, "POST", "POST"), (308, "POST", "POST"), (308, "PUT", "PUT"),
    ])
    func rewritesMethods(_ status: Int, _ method: String, _ expected: String) throws {
        let request = TransportRequest(
            HTTPMethod(method), example,
            headers: [.contentType: "text/plain", "Content-Language": "en", .accept: "a/b"],
            body: .data(Data("a".utf8)))
        let next = try #require(
            try request.redirected(status: status, headers: [.location: "/b"], policy: .follow(limit: 20), count: 0))
        #expect(next.method.rawValue == expected)
        let keepsBody = method == expected && !(status == 303)
        if keepsBody {
            #expect(next.body?.length == 1)
            #expect(next.headers == request.headers)
        } else if method != expected {
            #expect(next.body == nil)
            #expect(next.headers == [.accept: "a/b"])
        }
    }

    @Test(arguments: [
        ("/b", "https://example.com/b"), ("b", "https://example.com/a/b"), ("?q=1", "https://example.com/a/x?q=1"),
        ("//other.org/c", "https://other.org/c"), ("http://example.com:8080/", "http://example.com:8080/"),
        ("../c", "https://example.com/c"), ("https://u:p@example.com/d", "https://example.com/d"),
    ])
    func resolvesLocations(_ location: String, _ expected: String) throws {
        let next = try TransportRequest(.get, example).redirected(
            status: 302, headers: [.location: location], policy: .follow(limit: 20), count: 0)
        #expect(next?.url.absoluteString == expected)
    }

    @Test(arguments: [
        ("/b", true), ("https://EXAMPLE.com:443/b", true), ("http://example.com/b", false),
        ("https://example.com:8443/", false), ("https://www.example.com/", false),
    ])
    func keepsCredentialsAtTheOrigin(_ location: String, _ keeps: Bool) throws {
        let headers: HTTPHeaders = [
            .authorization: "a", "X-Kept": "1", "cookie": "b", "PROXY-authorization": "c",
        ]
        let next = try TransportRequest(.get, example, headers: headers).redirected(
            status: 307, headers: [.location: location], policy: .follow(limit: 20), count: 0)
        #expect(next?.headers == (keeps ? headers : ["X-Kept": "1"]))
        // Also the client certificate, which does not come back with the origin.
        #expect(next?.hasLeftOrigin == !keeps)
        let back = try next?.redirected(
            status: 307, headers: [.location: example.absoluteString], policy: .follow(limit: 20), count: 1)
        #expect(back?.hasLeftOrigin == !keeps)
    }

    /// `lowercased()` makes ẞ to ß, but IDNA makes it to ss.
    @Test("A host that differs in the case of a letter beyond ASCII is another origin")
    func keepsCredentialsFromHostsOfOtherLetters() throws {
        let url = try #require(URL(string: "https://stra%C3%9Fe.example/"))
        let request = TransportRequest(.get, url, headers: [.authorization: "a"])
        for (location, headers) in [
            ("https://STRA%C3%9Fe.example/", request.headers), ("https://stra%E1%BA%9Ee.example/", [:]),
        ] {
            let next = try request.redirected(
                status: 307, headers: [.location: location], policy: .follow(limit: 1), count: 0)
            #expect(next?.headers == headers)
        }
    }

    @Test(arguments: [
        ("X-API-Key", false), ("apikey", false), ("PRIVATE-TOKEN", false), ("X-Auth-User", false), ("X-JWT", false),
        ("Session-Id", false), ("X-Client-Secret", false), ("X-Password", false),
        ("Cookie2", false), ("X-Pin", false), ("X-Passcode", false), ("X-Pwd", false), ("X-GitHub-OTP", false),
        ("X-CSRF", false), ("Access-Control-Token", false),
        ("X-Pinned", true), ("X-Mapping", true), ("Idempotency-Key", true), ("Accept-Token", true), ("X-Client", true),
    ])
    func keepsFieldsNamedLikeCredentialsAtTheOrigin(_ name: String, _ isSent: Bool) throws {
        var request = TransportRequest(.get, example, headers: ["X-Kept": "1", HeaderName(name): "a"])
        func headers(at location: String) throws -> HTTPHeaders? {
            try request.redirected(
                status: 307, headers: [.location: location], policy: .follow(limit: 1), count: 0)?.headers
        }
        #expect(try headers(at: "/b") == request.headers)
        #expect(try headers(at: "http://example.com/b") == (isSent ? request.headers : ["X-Kept": "1"]))
        request.declaredFields = [HeaderName(name)]
        #expect(try headers(at: "http://example.com/b") == request.headers)
    }

    @Test(
        arguments: [200, 300, 304, 305, 306, 404].map { ($0, [.location: "/b"]) } + [(302, [:])]
            as [(Int, HTTPHeaders)])
    func returnsOtherStatusesAndRedirectsWithoutLocation(_ status: Int, _ headers: HTTPHeaders) throws {
        #expect(
            try TransportRequest(.get, example).redirected(
                status: status, headers: headers, policy: .follow(limit: 20), count: 0) == nil)
    }

    @Test(
        arguments: [
            ("ftp://example.com/", "ftp://example.com/"), ("javascript:alert(1)", "javascript:…"),
            ("http:///nowhere", "http:…"), ("file:///etc/passwd", "file:…"), ("///?key=secret", "…"),
            ("app://ada:secret@done/?code=secret#secret", "app://done/?…"), ("app:key=secret", "app:…"),
            ("http://[x/?key=secret", "…"),
        ])
    func rejectsLocations(_ location: String, _ shown: String) {
        let error = #expect(throws: RequestError.self) {
            try TransportRequest(.get, example).redirected(
                status: 302, headers: [.location: location], policy: .follow(limit: 20), count: 0)
        }
        #expect(error?.failureKind == .badResponse)
        #expect(error?.failureReason == "the redirect points at \"\(shown)\", which is not an http or https URL")
    }

    /// Joined, they would be the address of neither.
    @Test func rejectsSeveralLocations() throws {
        func redirected(_ locations: String...) throws -> TransportRequest? {
            try TransportRequest(.get, example).redirected(
                status: 302, headers: HTTPHeaders(locations.map { HTTPHeaders.Field(name: .location, value: $0) }),
                policy: .follow(limit: 20), count: 0)
        }
        #expect(try redirected("/b", "/b")?.url.absoluteString == "https://example.com/b")
        let error = #expect(throws: RequestError.self) { try redirected("/b", "/c") }
        #expect(error?.failureKind == .badResponse)
        #expect(error?.failureReason == "the redirect has more than one Location")
    }

    @Test("The redirect policy stops at once or after its limit")
    func policies() throws {
        let request = TransportRequest(.get, example)
        #expect(try request.redirected(status: 302, headers: [.location: "/b"], policy: .stop, count: 0) == nil)
        let next = try request.redirected(status: 302, headers: [.location: "/b"], policy: .follow(limit: 2), count: 1)
        #expect(next?.url.absoluteString == "https://example.com/b")
        let error = #expect(throws: RequestError.self) {
            try request.redirected(status: 302, headers: [.location: "/b"], policy: .follow(limit: 2), count: 2)
        }
        guard case .tooManyRedirects(limit: 2)? = error else {
            Issue.record("\(error as Any)")
            return
        }
    }

    private let example = URL(string: "https://example.com/a/x")!
}
