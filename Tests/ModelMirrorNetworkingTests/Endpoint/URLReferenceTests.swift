import Foundation
import ModelMirrorNetworking
import Testing

@Suite("URLReference")
struct URLReferenceTests {
    private let base = URL(string: "https://api.example.com:8080/v3")

    private func text(_ path: URLReference) throws -> String { try path.url(relativeTo: base).absoluteString }

    /// The reason why an address is rejected; nil if it is accepted, or for another kind of error.
    private func refusal(_ path: URLReference) -> String? {
        do { _ = try path.url(relativeTo: base) } catch RequestError.invalidRequest(let reason) { return reason } catch
        {}
        return nil
    }

    // MARK: Relative to the base

    @Test(
        "A relative address is appended to the base's path, and an absolute one is kept",
        arguments: [
            ("https://api.example.com/v3", "users/7", "https://api.example.com/v3/users/7"),
            ("https://api.example.com/v3/", "/users/7?full=1", "https://api.example.com/v3/users/7?full=1"),
            ("https://api.example.com", "users", "https://api.example.com/users"),
            ("https://api.example.com/v3?key=1#x", "?page=2", "https://api.example.com/v3?page=2"),
            ("https://api.example.com/v3?key=1#x", "users", "https://api.example.com/v3/users"),
            ("https://me:it@[::1]:8080?key=1", "users", "https://me:it@[::1]:8080/users"),
            ("https://api.example.com#x?y", "users", "https://api.example.com/users"),
            ("https://api.example.com/v3", "users#top", "https://api.example.com/v3/users#top"),
            ("https://api.example.com/v3", "", "https://api.example.com/v3"),
            ("https://api.example.com/v3", "/", "https://api.example.com/v3/"),
            ("https://api.example.com/v3", "users//7/", "https://api.example.com/v3/users//7/"),
            ("https://api.example.com/a%20b", "c d/é", "https://api.example.com/a%20b/c%20d/%C3%A9"),
            ("https://api.example.com", "a%2Fb/%20", "https://api.example.com/a%2Fb/%20"),
            ("https://api.example.com", "http://127.0.0.1:80/x", "http://127.0.0.1:80/x"),
            ("https://api.example.com", "HTTPS://Example.com", "HTTPS://Example.com"),
        ] as [(String, URLReference, String)])
    func relative(base: String, path: URLReference, expected: String) throws {
        #expect(try path.url(relativeTo: URL(string: base)).absoluteString == expected)
        #expect(try URLReference(verbatim: path.text).url(relativeTo: URL(string: base)).absoluteString == expected)
        guard !path.text.isEmpty, let url = URL(string: path.text) else { return }
        #expect(try URLReference.url(url).url(relativeTo: URL(string: base)).absoluteString == expected)
    }

    @Test("A .root path replaces the path of the base")
    func root() throws {
        for (path, expected) in [
            (.root("oauth/token"), "oauth/token"), (.root("/oauth/token?a=1"), "oauth/token?a=1"),
            (.root("users/\("a/b")"), "users/a%2Fb"), (.root(""), ""),
        ] as [(URLReference, String)] {
            #expect(try text(path) == "https://api.example.com:8080/\(expected)")
        }
        for (base, expected) in [
            ("https://me:it@[::1]:8080/v1/?a=1/2#b/c", "https://me:it@[::1]:8080/token"),
            ("https://a.example", "https://a.example/token"), ("https://a.example?b/c", "https://a.example/token"),
        ] {
            #expect(try URLReference.root("token").url(relativeTo: URL(string: base)).absoluteString == expected)
        }
        let base = try #require(URL(string: "v1/", relativeTo: URL(string: "https://a.example/api/")))
        #expect(try URLReference.root("token").url(relativeTo: base).absoluteString == "https://a.example/token")
        #expect(try URLReference("token").url(relativeTo: base).absoluteString == "https://a.example/api/v1/token")
        #expect(
            refusal(.root("https://other.example/x"))
                == #"the address "https://other.example/x" is absolute; .root takes a path"#)
    }

    @Test("URL and verbatim addresses are used unchanged but for escaping")
    func links() throws {
        let link = try #require(URL(string: "https://other.example/a/../b?c=d%20e"))
        let relative = try #require(URL(string: "next?page=2", relativeTo: URL(string: "https://other.example/a/")))
        for (address, expected) in [
            (.url(link), "https://other.example/a/../b?c=d%20e"),
            (.url(relative), "https://other.example/a/next?page=2"),
            (URLReference(verbatim: "https://other.example/x y?é=1"), "https://other.example/x%20y?%C3%A9=1"),
            (URLReference(verbatim: "users/a b"), "https://api.example.com:8080/v3/users/a%20b"),
        ] as [(URLReference, String)] {
            #expect(try text(address) == expected)
        }
    }

    // MARK: Interpolation

    @Test(
        "An interpolated value is one path segment",
        arguments: [
            ("octocat", "users/octocat/gists"), ("a/b?c#d", "users/a%2Fb%3Fc%23d/gists"),
            ("é %", "users/%C3%A9%20%25/gists"), ("%2e%2e", "users/%252e%252e/gists"), ("~-._", "users/~-._/gists"),
            ("https://evil.example", "users/https%3A%2F%2Fevil.example/gists"),
        ])
    func segments(_ user: String, _ expected: String) throws {
        let path: URLReference = "users/\(user)/gists"
        #expect(path.text == expected)
        #expect(path.description == expected)
        #expect(try text(path) == "https://api.example.com:8080/v3/\(expected)")
    }

    @Test("An interpolated path keeps its slashes, a value in a query is one item, and numbers are written as printed")
    func otherInterpolations() {
        let text = "a&b=c d/é#?"
        for (address, expected) in [
            ("repos/\(path: "owner/name")/x", "repos/owner/name/x"),
            ("repos/\(path: "a b?c#d/e%f")", "repos/a%20b%3Fc%23d/e%25f"),
            ("gists?q=\(text)&page=\(2)", "gists?q=a%26b%3Dc%20d%2F%C3%A9%23%3F&page=2"), ("gists?q=\("")", "gists?q="),
            ("gists?next=\("https://a.example/")", "gists?next=https%3A%2F%2Fa.example%2F"),
        ] as [(URLReference, String)] {
            #expect(address.text == expected)
        }
    }

    @Test("Hosts and ports can be interpolated into the host of a literal")
    func hosts() throws {
        for (address, expected) in [
            ("https://\("api.example.org")/x", "https://api.example.org/x"),
            ("https://\("api").example.org:\(8443)/x/\("a/b")", "https://api.example.org:8443/x/a%2Fb"),
            ("http://\("::1"):\(80)/x", "http://[::1]:80/x"),
            ("http://\("[2001:db8::7]")/x", "http://[2001:db8::7]/x"),
            ("https://api.example.org?q=\("a/b")", "https://api.example.org?q=a%2Fb"),
        ] as [(URLReference, String)] {
            #expect(try text(address) == expected)
        }
    }

    // MARK: Rejections

    @Test(
        "An invalid host or port is rejected",
        arguments: [
            (
                "https://\("evil.example/")api.example.com",
                #""evil.example/" in "https://evil.example/" is not a valid host"#
            ),
            ("https://\("a@evil.example")/x", #""a@evil.example" in "https://a@evil.example" is not a valid host"#),
            ("https://\("")/x", #""" in "https://" is not a valid host"#),
            ("https://\("a b")/x", #""a b" in "https://a b" is not a valid host"#),
            ("https://\("h:80")/x", #""h:80" in "https://h:80" is not a valid host"#),
            ("https://\("h?")/x", #""h?" in "https://h?" is not a valid host"#),
            ("https://h\("/x")", #""/x" in "https://h/x" is not a valid host"#),
            ("https://h\(path: "/x")", #""/x" in "https://h/x" is not a valid host"#),
            (
                "https://h:\("80@evil.example")/x",
                #""80@evil.example" in "https://h:80@evil.example" is not a valid port"#
            ),
            ("https://h:\(65536)/x", #""65536" in "https://h:65536" is not a valid port"#),
            ("https://h:\("")/x", #""" in "https://h:" is not a valid port"#),
        ] as [(URLReference, String)])
    func noHosts(path: URLReference, reason: String) { #expect(refusal(path) == reason) }

    @Test(
        "An interpolation that makes the address absolute is rejected with the alternatives",
        arguments: [
            ("\("https://evil.example")/api", "https://evil.example"),
            ("\(path: "https://evil.example/x")", "https://evil.example/x"),
            ("\("HTTP://evil.example")", "HTTP://evil.example"), ("\("//evil.example")/api", "//evil.example"),
            ("\("https")://evil.example/x", "https://evil.example/x"),
            ("http\("s")://evil.example/x", "https://evil.example/x"),
            ("http\("")://evil.example/x", "http://evil.example/x"), ("\("http"):evil", "http:evil"),
            ("\(URL(filePath: "/etc"))", "file:///etc"), ("\("ftp://a.example")", "ftp://a.example"),
        ] as [(URLReference, String)])
    func absolute(path: URLReference, address: String) throws {
        let reason = try #require(refusal(path))
        #expect(reason.hasPrefix("an interpolated value would make the address \"\(address)"))
        #expect(
            reason.hasSuffix(
                "absolute; for an address known only at run time use .url(link) or URLReference(verbatim: text), and set a base "
                    + "URL on the client"))
    }

    @Test(
        "Dot segments are rejected: plain or escaped, literal or interpolated",
        arguments: [
            ("../x", ".."), ("users/../x", ".."), ("users/..", ".."), ("users/./x", "."), (".", "."),
            ("users/%2e%2E/x", "%2e%2E"), ("users/.%2e", ".%2e"), ("users/%2E/x", "%2E"), ("..?q=1", ".."),
            ("users/\("..")/gists", ".."), ("users/\(".")", "."), ("users/\(path: "a/../../b")", ".."),
            ("users/\(".").", ".."), ("https://h.example/a/../b", ".."), (.root("../x"), ".."),
            (URLReference(verbatim: "../x"), ".."),
            (URLReference(verbatim: "users/../\u{301}admin"), ".."), (URLReference(verbatim: "a/..?\u{301}b"), ".."),
            (URLReference(verbatim: "a/..#\u{301}b"), ".."),
        ] as [(URLReference, String)])
    func dots(path: URLReference, segment: String) {
        #expect(
            refusal(path)
                == "the address \"\(path.text)\" contains the segment \"\(segment)\", which would change the path; write the path "
                + "without it, from the origin as .root(\"…\"), or as .url(link)")
    }

    @Test(
        "An empty interpolated segment is rejected, such as an identifier not yet known",
        arguments: [
            ("users/\("")/gists", "users/"), ("users/\("")", "users/"), ("\("")/gists", ""), ("\("")", ""),
            ("users/\("")?q=1", "users/"), ("users/\("")#x", "users/"), ("users/\("")\("")/x", "users/"),
            ("users/\(path: "")/gists", "users/"), ("https://h.example/\("")/x", "https://h.example/"),
        ] as [(URLReference, String)])
    func emptySegments(path: URLReference, before: String) {
        #expect(
            refusal(path) == "the value interpolated after \"\(before)\" is empty, so the address would lose a segment"
        )
    }

    @Test("Colons, dots and empty values within a segment are accepted")
    func accepted() throws {
        for (path, expected) in [
            ("x:y/7", "x:y/7"), ("tags/a:b", "tags/a:b"), ("\("a:b")/c", "a%3Ab/c"), ("mailto:a@b", "mailto:a@b"),
            ("a..b/...", "a..b/..."), ("a?path=../b#../c", "a?path=../b#../c"), ("users/x\("")/gists", "users/x/gists"),
            ("users/\("").json", "users/.json"), ("users/\("")\("a")", "users/a"),
            ("\(path: "owner/name")", "owner/name"),
        ] as [(URLReference, String)] {
            #expect(try text(path) == "https://api.example.com:8080/v3/\(expected)")
        }
    }

    @Test("A path that begins with two slashes is rejected, also as a URL")
    func twoSlashes() throws {
        let reason =
            #"the address "//other.example/x" begins with two slashes, which mean another host; write one, or the whole URL"#
        for address in [
            "//other.example/x", "/\(path: "/other.example/x")", .root("//other.example/x"),
            URLReference(verbatim: "//other.example/x"), .url(try #require(URL(string: "//other.example/x"))),
        ] as [URLReference] {
            #expect(refusal(address) == reason)
        }
    }

    @Test(
        "An address that is not an http URL with a host is rejected",
        arguments: [
            "", "users", "ftp://example.com", "file:///etc/passwd", "http://", "http:///x", "mailto:a@b", "http://a b",
            "http:x",
        ])
    func refused(text: String) {
        #expect { try URLReference(verbatim: text).url(relativeTo: nil) } throws: { error in
            if case RequestError.invalidURL(text) = error { true } else { false }
        }
        #expect(throws: RequestError.self) {
            try URLReference(verbatim: text).url(relativeTo: URL(string: "ftp://example.com"))
        }
    }

    @Test("An invalid base URL is reported together with the appended path")
    func badBase() {
        #expect { try URLReference("users").url(relativeTo: URL(string: "localhost:8080/v3")) } throws: { error in
            "\(error)"
                == "\"localhost:8080/v3/users\" is not a URL that can be requested; expected an http or https URL with a host, or "
                + "a path and a client with a baseURL."
        }
    }
}
