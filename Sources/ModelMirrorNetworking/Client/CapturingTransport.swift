import ModelMirrorFoundation
import Synchronization

/// The network's response in one fetch, kept until it is known to be storable.
final class Capture: Sendable {
    private struct State {
        var head: ResponseHead?
        var body = Data()
        var confirmed: StoredResponse?
        var date = Date()
    }

    private let state = Mutex(State())

    /// The head of the response as it arrived; nil without one.
    var head: ResponseHead? { state.withLock { $0.head } }

    var isConfirmed: Bool { state.withLock { $0.confirmed != nil } }

    fileprivate func begin(_ head: ResponseHead, at date: Date) {
        state.withLock { $0 = State(head: head, date: date) }
    }

    fileprivate func append(_ chunk: Data) { state.withLock { $0.body.append(chunk) } }

    fileprivate func confirm(_ response: StoredResponse) { state.withLock { $0.confirmed = response } }

    /// The response, once its body has been read to the end; nil if there is none.
    func response() -> StoredResponse? {
        state.withLock { state in
            state.confirmed ?? state.head.map { StoredResponse($0, body: state.body, date: state.date) }
        }
    }
}

/// The transport of one fetch: sends the validators of the stored response, serves it on a 304, and captures any other
/// response.
struct CapturingTransport: ForwardingTransport {
    let base: any Transport
    /// The response that the server is asked to confirm.
    let stored: StoredResponse?
    let capture: Capture
    let persistence: Persistence

    func response(to request: TransportRequest) async throws -> TransportResponse {
        let (asked, stored) = conditional(request)
        // Before it is sent: the server may have made the response at any time since then.
        let date = persistence.now()
        var response = try await base.response(to: asked)
        await persistence.noteChange(by: request, response)
        if response.status == 304, let stored {
            // A validator says nothing of another resource, to which the request may be redirected by now (RFC 9110 section 8.8).
            if stored.isOf(response.url), stored.canBeConfirmed(by: response.headers) {
                let confirmed = stored.confirmed(by: response.headers, at: date)
                capture.confirm(confirmed)
                var served = confirmed.response
                (served.origin, served.attempts) = (.confirmedStore, response.attempts)
                return served
            }
            response = try await base.response(to: request)
        }
        capture.begin(response.head, at: date)
        let body = response.body
        response.body = ResponseBody { [capture] in
            let chunk = try await body.nextChunk()
            if let chunk { capture.append(chunk) }
            return chunk
        }
        return response
    }

    /// The request with the stored response's validators, unless it is already conditional: then a 304 is the caller's. Only
    /// for GET: except for HEAD, a server answers other methods with 412 instead of 304 (RFC 9110 section 13.1.2).
    private func conditional(_ request: TransportRequest) -> (TransportRequest, StoredResponse?) {
        let conditions: [HeaderName] = [
            .ifNoneMatch, .ifModifiedSince, "If-Match", "If-Unmodified-Since", .ifRange, .range,
        ]
        guard request.method == .get, let stored, stored.eTag != nil || stored.lastModified != nil,
            conditions.allSatisfy({ request.headers[$0] == nil })
        else { return (request, nil) }
        var request = request
        if let tag = stored.eTag { request.headers[.ifNoneMatch] = tag }
        if let date = stored.lastModified { request.headers[.ifModifiedSince] = date }
        return (request, stored)
    }
}
