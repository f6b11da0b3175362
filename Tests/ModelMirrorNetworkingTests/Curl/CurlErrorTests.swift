#if os(Linux)
import Foundation
import Testing

@testable import ModelMirrorNetworking

struct CurlErrorTests {
    private let url = URL(string: "https://ada:secret@example.com/a")!

    @Test(arguments: [
        (6, "hostNotFound", ""), (7, "cannotConnect", ""),
        (28, "timedOut", "no data arrived for longer than the timeout"),
        (56, "connectionLost", "the connection broke while the response was received"),
        (60, "notSecure", "the certificate of the server is not trusted"),
        (8, "badResponse", "the head of the response is not valid"),
        (1000, "other", "libcurl failed with its code 1000"),
    ])
    func describesEachCode(_ code: Int32, _ kind: String, _ sentence: String) {
        for (detail, reason) in [("", sentence), ("detail", sentence.isEmpty ? "detail" : "\(sentence) (detail)")] {
            guard case .connection(let failure) = CurlError.failure(code, detail: detail, url: url) else {
                Issue.record("code \(code) is not reported as a failed connection")
                continue
            }
            #expect(failure.kind.rawValue == kind)
            #expect(failure.reason == reason)
            #expect(failure.url.absoluteString == "https://example.com/a")
        }
    }

    @Test(
        arguments: [
            // How far an invalid response came.
            (
                8, "detail", "after the status line",
                "the head of the response is not valid after the status line (detail)"
            ),
            (28, "", "after the status line", "no data arrived for longer than the timeout"),
            // Without the proxy's user and password, also if libcurl's text is cut off before the @.
            (7, "Unsupported proxy scheme for 'ftp://ada:sec'r@et@proxy:9'", "", "Unsupported proxy scheme for …"),
            (
                7, "Unsupported proxy syntax in 'ada:secret@proxy:99999': Bad port", "", "Unsupported proxy syntax in …"
            ),
            (7, "Unsupported proxy syntax in 'http://ada:secret'", "", "Unsupported proxy syntax in …"),
            (7, "Unsupported proxy scheme for 'ftp://ada:secretsecretsecret", "", "Unsupported proxy scheme for …"),
            (7, "Something about 'ftp://ada:secret@proxy:9'", "", "Something about …"),
            (7, "ada:secret@proxy", "", "proxy"),
            (
                7, "no name matches target host name 'proxy.test'", "", "no name matches target host name 'proxy.test'"
            ),
            // Without the value of a field.
            (
                92,
                "Ignoring received invalid HTTP header field: frame type: 1, stream: 7, name: [a], value: [secret]", "",
                "the HTTP/2 stream was ended by the server "
                    + "(Ignoring received invalid HTTP header field: frame type: 1, stream: 7, name: [a)"
            ),
        ] as [(Int32, String, String, String)])
    func reportsThePlaceAndNoSecrets(_ code: Int32, _ detail: String, _ place: String, _ reason: String) {
        #expect(CurlError.failure(code, detail: detail, place: place, url: url).failureReason == reason)
    }

    @Test func namesTheCauseOfARefusedConnectionOnce() {
        #expect(
            "\(CurlError.failure(7, detail: "Failed to connect to example.com port 443", url: url))"
                == "No response from https://example.com/a: no server accepts connections there; "
                + "check host and port, and that the server is running (Failed to connect to example.com port 443).")
    }

    @Test(arguments: [
        (CurlEasy.Text.pinnedPublicKey, RequestError.ConnectionFailure.Kind.notSecure), (.proxy, .other),
    ])
    func namesTheRejectedOption(_ option: CurlEasy.Text, _ kind: RequestError.ConnectionFailure.Kind) {
        let error = CurlError.failure(CurlEasy.Refusal(option: option, code: 4), url: url)
        #expect(error.failureKind == kind)
        #expect(
            error.failureReason
                == "libcurl does not accept the option \(option): this libcurl was built without what the request needs"
        )
    }

    @Test func recognizesBrokenConnections() {
        let broken = (0..<200).filter { CurlError.isBrokenConnection($0) }
        #expect(broken == [16, 18, 42, 52, 55, 56, 65, 92])
    }
}
#endif
