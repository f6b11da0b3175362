import Foundation
import ModelMirrorNetworking
import Testing

struct HTTPHeadersTests {
    @Test("Printed, each field is a line, and secret values are not shown")
    func description() {
        var headers: HTTPHeaders = [
            .accept: "application/json", .authorization: "Bearer s", "cookie": "s", "Set-Cookie": "s", "X-API-Key": "s",
            "X-Pin": "s", .wwwAuthenticate: "Basic", "Access-Control-Allow-Credentials": "true", "Idempotency-Key": "1",
            "X-Note": "a\r\nX-B: \u{1B}", "Location": "https://u:s@a.org/b?c=1#s",
        ]
        headers.append("text/csv", for: .accept)
        let lines = """
            Accept: application/json
            Authorization: REDACTED
            cookie: REDACTED
            Set-Cookie: REDACTED
            X-API-Key: REDACTED
            X-Pin: REDACTED
            WWW-Authenticate: Basic
            Access-Control-Allow-Credentials: true
            Idempotency-Key: 1
            X-Note: a\\u{D}\\u{A}X-B: \\u{1B}
            Location: https://a.org/b?c=1
            Accept: text/csv
            """
        #expect(headers.description == lines)
        // Also as a part of another value.
        #expect("\([headers])" == "[\(lines)]")
        #expect("\(HTTPHeaders([]))" == "")
    }

    @Test("A printed request has its method, URL and fields, without secrets")
    func request() throws {
        let url = try #require(URL(string: "https://me:secret@a.example/b?c=1#secret"))
        var request = TransportRequest(.post, url, headers: [.authorization: "Bearer secret", .accept: "text/csv"])
        #expect("\(request)" == "POST https://a.example/b?c=1\nAuthorization: REDACTED\nAccept: text/csv")
        request.headers = [:]
        #expect("\([request])" == "[POST https://a.example/b?c=1]")
    }
}
