import Foundation
import Testing

@testable import ModelMirrorNetworking

@Suite("Descriptions of request errors")
struct RequestErrorDescriptionTests {
    private static func response(
        _ status: Int, _ body: String = "", type: String? = nil,
        url: String = "https://u:p@example.com/a?token=secret#x"
    ) -> RequestError.FailedResponse {
        RequestError.FailedResponse(
            Response(
                Data(body.utf8), method: .post, url: URL(string: url) ?? URL(filePath: "/"), status: status,
                headers: type.map { [.contentType: $0] } ?? [:]), isBodyCut: false)
    }

    /// A reference that is resolved against its base.
    private static let relative =
        URL(string: "b?token=secret#x", relativeTo: URL(string: "https://u:p@example.com/a/")) ?? URL(filePath: "/")

    private static func failure(_ message: String?, _ code: String?, _ status: String?) -> RequestError {
        .statusFailure(.init(message: message, code: code, status: status, response: response(200)))
    }

    @Test(
        "Each error is described in one sentence, without secrets",
        arguments: [
            (.cancelled, "The request was cancelled."),
            (
                .accountChanged,
                "The request's account signed out, or another one signed in, before the request ended; start it again for the "
                    + "current account."
            ),
            (
                .invalidRequest("the value of the header \"X-A\" contains a line break"),
                "The request cannot be sent: the value of the header \"X-A\" contains a line break."
            ),
            (
                .connection(.init(.hostNotFound, url: response(0).url, reason: "")),
                "No response from https://example.com/a?…: the host was not found; check its name."
            ),
            (
                .connection(.init(.other, url: response(0).url, reason: "errno 5\n")),
                "No response from https://example.com/a?…: the connection failed (errno 5)."
            ),
            (
                .connection(.init(.connectionLost, url: response(0).url, reason: "3 bytes remaining")),
                "No complete response from https://example.com/a?…: the connection was lost before the response was complete (3 "
                    + "bytes remaining)."
            ),
            (
                .connection(.init(.cannotConnect, url: response(0).url, reason: "")),
                "No response from https://example.com/a?…: no server accepts connections there; check host and port, and that "
                    + "the server is running."
            ),
            (
                .connection(.init(.hostNotFound, url: relative, reason: "")),
                "No response from https://example.com/a/b?…: the host was not found; check its name."
            ),
            (
                .connection(.init(.timedOut, url: response(0).url, reason: "")),
                "No response from https://example.com/a?…: no byte arrived within the timeout; raise it if the server needs "
                    + "longer."
            ),
            (
                .connection(.init(.notSecure, url: response(0).url, reason: "wrong version number")),
                "No response from https://example.com/a?…: no secure connection could be made; check the certificate, and that "
                    + "this port speaks TLS (wrong version number)."
            ),
            (
                .connection(.init(.badResponse, url: response(0).url, reason: "")),
                "No valid response from https://example.com/a?…: the response is not HTTP; check host and port."
            ),
            (
                .emptyBody(response(204)),
                "POST https://example.com/a?… was answered with 204 and an empty body, expected JSON; if the body may be "
                    + "empty, use an Optional or send."
            ),
            (
                .tooManyRedirects(limit: 10),
                "The server redirected more often than the limit of 10 allows; raise the limit or look for a loop."
            ),
            (
                .bodyTooLarge(limit: 1),
                "The body of the response is larger than the limit of 1 byte; if such bodies are expected, raise the client's "
                    + "bodyLimit, or the limit of the download, the transport or collect."
            ),
            (
                .unacceptableStatus(response(418)),
                "POST https://example.com/a?… was answered with 418, a status that is not accepted."
            ),
            (
                .unacceptableStatus(response(401, " {\n  \"a\":\t1\n}\u{0}")),
                "POST https://example.com/a?… was answered with 401 (Unauthorized), a status that is not accepted; its body is "
                    + "\"{ \"a\": 1 }\"."
            ),
            (
                .unacceptableContentType(response(200, String(repeating: "é", count: 300), type: "text/plain")),
                "POST https://example.com/a?… was answered with 200 and the content type \"text/plain\", expected JSON; add "
                    + "it to acceptedContentTypes if the body is JSON, or request Data; its body is \"\(String(repeating: "é", count: 199))…\"."
            ),
            (failure("Full!", nil, nil), "POST https://example.com/a?… was answered with 200: Full!"),
            (
                failure(nil, "7", "FAIL"),
                "POST https://example.com/a?… was answered with 200 and the envelope's status \"FAIL\", code 7."
            ),
        ] as [(RequestError, String)])
    func sentences(error: RequestError, sentence: String) {
        #expect("\(error)" == sentence)
        #expect(error.localizedDescription == sentence)
    }

    @Test(
        "A failure that the body describes has the reason why the credential was not renewed",
        arguments: [("Sign in.", "Sign in"), ("Sign in!", "Sign in!"), ("Sign in", "Sign in")])
    func renewal(message: String, shown: String) {
        var response = Response(
            Data(), method: .get, url: URL(string: "https://example.com/a") ?? URL(filePath: "/"), status: 401)
        response.head.renewalError = RequestError.noConnectivity
        let failure = RequestError.StatusFailure(
            message: message, code: nil, status: nil, response: .init(response, isBodyCut: false))
        #expect(
            "\(RequestError.statusFailure(failure))"
                == "GET https://example.com/a was answered with 401 (Unauthorized): \(shown); renewing the credential failed: There "
                + "is no network connection, so the request was not sent; try again when there is one.")
    }

    @Test("Errors about a response provide the response")
    func responses() {
        let errors = [
            .unacceptableStatus(Self.response(404)), .emptyBody(Self.response(204)), Self.failure(nil, nil, nil),
            .cancelled,
        ]
        #expect(errors.map { $0.response?.status } == [404, 204, 200, nil])
    }
}
