import Foundation
import ModelMirrorNetworking
import Testing

struct TransportRequestValidationTests {
    @Test(
        arguments: [
            ("/users", "/users is not an absolute http or https URL with a host"),
            ("ftp://example.com/a", "ftp://example.com/a is not an absolute http or https URL with a host"),
            ("file:///etc/passwd", "file:///etc/passwd is not an absolute http or https URL with a host"),
            ("http:///a", "http:///a is not an absolute http or https URL with a host"), ("http://example.com", nil),
            ("HTTPS://example.com/a?b#c", nil),
            ("http://[::1]:8080/", nil),
            // No secret is shown.
            (
                "ftp://ada:secret@example.com/a?key=secret#secret",
                "ftp://example.com/a?… is not an absolute http or https URL with a host"
            ),
            ("a?secret", "a?… is not an absolute http or https URL with a host"),
            ("ftp://%FF:secret@example.com/", "ftp://example.com/ is not an absolute http or https URL with a host"),
        ] as [(String, String?)])
    func requiresAbsoluteHTTPURLs(_ text: String, _ reason: String?) throws {
        let url = try #require(URL(string: text))
        #expect(refusal(TransportRequest(.get, url)) == reason.map { "the URL " + $0 })
    }

    @Test(arguments: [
        ("", false), ("GE T", false), ("GET\r\n", false), ("GÉT", false), ("GET:", false), ("M-SEARCH", true),
    ])
    func requiresTokensAsMethods(_ name: String, _ isToken: Bool) {
        #expect(
            refusal(TransportRequest(HTTPMethod(name), example))
                == (isToken ? nil : "the method \(name.debugDescription) is not a token of RFC 9110"))
    }

    @Test(
        arguments: [
            ("X A", "1", "the header name \"X A\" is not a token of RFC 9110"),
            ("", "1", "the header name \"\" is not a token of RFC 9110"),
            ("X-A:", "1", "the header name \"X-A:\" is not a token of RFC 9110"),
            ("X-A", "1\r\nX-B: 2", "the value of the header \"X-A\" contains a line break"),
            ("X-A", "1\n", "the value of the header \"X-A\" contains a line break"),
            ("X-A", "\r", "the value of the header \"X-A\" contains a line break"),
            ("X-A", "a\0b", "the value of the header \"X-A\" contains a NUL"),
            ("host", "a", "the header \"host\" is set by the transport; leave it out"),
            ("Content-Length", "1", "the header \"Content-Length\" is set by the transport; leave it out"),
            ("Transfer-Encoding", "chunked", "the header \"Transfer-Encoding\" is set by the transport; leave it out"),
            ("X-A", "", nil), ("!#$%&'*+-.^_`|~1aZ", "\t ü \u{7F}", nil), ("Hose", "1", nil),
        ] as [(String, String, String?)])
    func checksFields(_ name: String, _ value: String, _ reason: String?) {
        #expect(refusal(TransportRequest(.get, example, headers: [HeaderName(name): value])) == reason)
    }

    @Test(arguments: [HTTPMethod.get, .head, .trace])
    func rejectsBodiesOfMethodsThatCarryNone(_ method: HTTPMethod) {
        #expect(
            refusal(TransportRequest(method, example, body: .data(Data([1]))))
                == "a \(method) request carries no body; send it with POST, PUT or PATCH")
        #expect(refusal(TransportRequest(.delete, example, body: .data(Data([1])))) == nil)
    }

    @Test func rejectsNegativeAndZeroNumbers() {
        #expect(
            refusal(TransportRequest(.post, example, body: .chunks(length: -1) { { nil } }))
                == "the body declares -1 bytes")
        var request = TransportRequest(.get, example)
        request.timeout = .zero
        #expect(refusal(request) == "the timeout 0.0 seconds is not greater than zero")
        request.timeout = .milliseconds(1)
        request.redirects = .follow(limit: -1)
        #expect(refusal(request) == "the limit of -1 redirects is negative")
        request.redirects = .follow(limit: 0)
        #expect(refusal(request) == nil)
    }

    private let example = URL(string: "https://example.com/")!

    private func refusal(_ request: TransportRequest) -> String? {
        do {
            try request.validate()
            return nil
        } catch .invalidRequest(let reason) {
            return reason
        } catch {
            return "\(error)"
        }
    }
}
