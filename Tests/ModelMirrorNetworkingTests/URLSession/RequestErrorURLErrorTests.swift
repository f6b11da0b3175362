#if !os(Linux) || FoundationNetworking
import Foundation
import Testing

@testable import ModelMirrorNetworking

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

struct RequestErrorURLErrorTests {
    typealias Kind = RequestError.ConnectionFailure.Kind

    @Test(arguments: [
        (URLError.Code.cannotFindHost, Kind.hostNotFound), (.dnsLookupFailed, .hostNotFound),
        (.cannotConnectToHost, .cannotConnect), (.networkConnectionLost, .connectionLost), (.timedOut, .timedOut),
        (.notConnectedToInternet, .offline), (.dataNotAllowed, .offline), (.secureConnectionFailed, .notSecure),
        (.serverCertificateUntrusted, .notSecure), (.appTransportSecurityRequiresSecureConnection, .notSecure),
        (.cannotParseResponse, .badResponse),
    ])
    func mapsCodes(_ code: URLError.Code, _ kind: Kind) {
        #expect(failure(URLError(code))?.kind == kind)
    }

    @Test func mapsCancelling() {
        guard case .cancelled = RequestError(URLError(.cancelled), url: example, hasHead: true) else {
            Issue.record("The error is not RequestError.cancelled.")
            return
        }
    }

    @Test func leavesOutTheCredentials() {
        #expect(failure(URLError(.timedOut))?.url.absoluteString == "https://example.com/a")
    }

    @Test func leavesOutAnUninformativeDescription() {
        let text = NSError(domain: NSURLErrorDomain, code: NSURLErrorTimedOut).localizedDescription
        #expect(text.contains("NSURLErrorDomain"))
        let bare = URLError(.timedOut, userInfo: [NSLocalizedDescriptionKey: text])
        #expect(failure(bare)?.reason.isEmpty == true)
        let telling = URLError(.timedOut, userInfo: [NSLocalizedDescriptionKey: "The request timed out."])
        #expect(failure(telling)?.reason == "The request timed out.")
    }

    @Test func mapsUnknownErrorsToOther() {
        let error = NSError(
            domain: "kCFErrorDomainCFNetwork", code: 310,
            userInfo: [
                NSLocalizedDescriptionKey: "The proxy failed.", "NSErrorFailingURLStringKey": "https://a/?secret",
            ])
        #expect(failure(error)?.kind == .other)
        #expect(failure(error)?.reason == "The proxy failed.")
    }

    #if canImport(FoundationNetworking)
    /// libcurl's descriptions, before and after the head.
    @Test(arguments: [
        ("Empty reply from server", -1011, false, Kind.connectionLost),
        ("Received HTTP/0.9 when not allowed", -1002, false, .badResponse),
        ("transfer closed with 3 bytes remaining to read", -1, false, .connectionLost),
        ("transfer closed with 3 bytes remaining to read", -1, true, .connectionLost),
        ("Failure when receiving data from the peer", -1, true, .connectionLost),
        ("Failed writing header", -1, false, .badResponse), ("Header without colon", -1, false, .badResponse),
        ("Nul byte in header", -1, false, .badResponse), ("Invalid Content-Length: value", -1, false, .badResponse),
        ("Illegal or missing hexadecimal sequence in chunked-encoding", -1, true, .badResponse),
        ("Error while processing content unencoding: incorrect header check", -1, true, .badResponse),
        ("SSL certificate problem: self-signed certificate", -1, false, .notSecure),
        ("SSL peer certificate or SSH remote key was not OK", -1, false, .notSecure),
        ("Out of memory", -1, false, .other),
    ])
    func mapsDescriptionsOfLibcurl(_ sentence: String, _ code: Int, _ hasHead: Bool, _ kind: Kind) {
        let error = URLError(
            code == -1 ? .unknown : code == -1011 ? .badServerResponse : .unsupportedURL,
            userInfo: [NSLocalizedDescriptionKey: sentence])
        let found = failure(error, hasHead: hasHead)
        #expect(found?.kind == kind)
        #expect(found?.reason == sentence)
    }
    #endif

    private let example = URL(string: "https://ada:secret@example.com/a")!

    private func failure(_ error: any Error, hasHead: Bool = false) -> RequestError.ConnectionFailure? {
        guard case .connection(let failure) = RequestError(error, url: example, hasHead: hasHead) else { return nil }
        return failure
    }
}
#endif
