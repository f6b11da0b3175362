import Foundation
import ModelMirrorNetworking
import Testing

struct HTTPHeadersTests {
    @Test("Printed, each field is a line, and secret values are not shown")
    func description() {
        var headers: HTTPHeaders = [
            .accept: "application/json", .authorization: "Bearer s", "cookie": "s", "Set-Cookie": "s", "X-API-Key": "s",
            "X-Pin": "s", "Idempotency-Key": "1", "X-Note": "a\r\nX-B: \u{1B}", "Location": "https://u:s@a.org/b?c=1#s",
        ]
        headers.append("text/csv", for: .accept)
        let lines = """
            Accept: application/json
            Authorization: REDACTED
            cookie: REDACTED
            Set-Cookie: REDACTED
            X-API-Key: REDACTED
            X-Pin: REDACTED
            Idempotency-Key: 1
            X-Note: a\\u{D}\\u{A}X-B: \\u{1B}
            Location: https://a.org/b?c=1
            Accept: text/csv
            """
        #expect(headers.description == lines)
        // Also as a part of another value.
        let request = TransportRequest(.get, URL(filePath: "/"), headers: [.authorization: "Bearer secret"])
        #expect(!"\(request) \([request.headers])".contains("secret"))
        #expect("\(HTTPHeaders([]))" == "")
    }
}
