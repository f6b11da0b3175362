import Foundation
import ModelMirrorNetworking
import Testing

@Suite("URLs of requests")
struct URLConvertibleTests {
    @Test(
        "A relative URL is appended to the path of the base",
        arguments: [
            ("https://api.example.com/v3", "users/7", "https://api.example.com/v3/users/7"),
            ("https://api.example.com/v3/", "/users/7?full=1", "https://api.example.com/v3/users/7?full=1"),
            ("https://api.example.com", "users", "https://api.example.com/users"),
            ("https://api.example.com/v3?key=1#x", "?page=2", "https://api.example.com/v3?page=2"),
            (
                "https://api.example.com:8080/v3", "//other.example.com/x",
                "https://api.example.com:8080/v3/other.example.com/x"
            ),
            ("https://api.example.com/v3", "", "https://api.example.com/v3"),
            ("https://api.example.com/v3", "/", "https://api.example.com/v3/"),
            ("https://api.example.com/a%20b", "c d/é", "https://api.example.com/a%20b/c%20d/%C3%A9"),
            ("https://api.example.com", "http://127.0.0.1:80/x", "http://127.0.0.1:80/x"),
            ("https://api.example.com", "HTTPS://Example.com", "HTTPS://Example.com"),
        ])
    func relative(base: String, text: String, expected: String) throws {
        #expect(try text.url(relativeTo: URL(string: base)).absoluteString == expected)
        guard !text.isEmpty, let url = URL(string: text) else { return }
        #expect(try url.url(relativeTo: URL(string: base)).absoluteString == expected)
    }

    @Test(
        "What nobody can be asked for is refused",
        arguments: [
            "", "users", "ftp://example.com", "file:///etc/passwd", "http://", "http:///x", "mailto:a@b", "http://a b",
        ])
    func refused(text: String) {
        #expect { try text.url(relativeTo: nil) } throws: { error in
            if case RequestError.invalidURL(text) = error { true } else { false }
        }
        #expect(throws: RequestError.self) { try text.url(relativeTo: URL(string: "ftp://example.com")) }
    }

    @Test("A base that nobody can be asked for is shown with what was appended")
    func badBase() {
        #expect { try "users".url(relativeTo: URL(string: "localhost:8080/v3")) } throws: { error in
            "\(error)"
                == "No URL to ask for can be made of \"localhost:8080/v3/users\"; expected an http or https URL with a host, or a "
                + "path and a repository with a baseURL."
        }
    }
}
