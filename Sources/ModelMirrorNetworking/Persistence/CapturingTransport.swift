import Foundation
import Synchronization

/// Asks the network for one fetch: sends the validators of what is stored, serves that on a 304, and keeps what comes
/// otherwise, so that it can be stored when it turned out to be good.
final class CapturingTransport: Transport {
    private struct State {
        var head: TransportResponse?
        var body = Data()
        var confirmed: StoredResponse?
        var date = Date()
    }

    private let network: @Sendable (TransportRequest) async throws -> TransportResponse
    private let stored: StoredResponse?
    private let now: @Sendable () -> Date
    private let state = Mutex(State())

    /// - Parameter stored: What the server is asked to confirm.
    init(
        network: @escaping @Sendable (TransportRequest) async throws -> TransportResponse,
        confirming stored: StoredResponse?,
        now: @escaping @Sendable () -> Date
    ) {
        self.network = network
        self.stored = stored
        self.now = now
    }

    func response(to request: TransportRequest) async throws -> TransportResponse {
        let (asked, stored) = conditional(request)
        var response = try await network(asked)
        if response.status == 304, let stored, !stored.canBeConfirmed(by: response.headers) {
            response = try await network(request)
        } else if response.status == 304, let stored {
            let confirmed = stored.confirmed(by: response.headers, at: now())
            state.withLock { $0.confirmed = confirmed }
            return confirmed.response
        }
        let date = now()
        let head = TransportResponse(status: response.status, headers: response.headers, url: response.url)
        let body = response.body
        state.withLock { $0 = State(head: head, date: date) }
        response.body = ResponseBody { [self] in
            // A body is one source for all its iterators, which each go on where the last one stopped.
            var iterator = body.makeAsyncIterator()
            let chunk = try await iterator.next()
            if let chunk { state.withLock { $0.body.append(chunk) } }
            return chunk
        }
        return response
    }

    /// Whether the server confirmed what is stored.
    var isConfirmed: Bool { state.withLock { $0.confirmed != nil } }

    /// The response, after its body was read to the end; nil if there was none, or it must not be stored.
    func storable() -> StoredResponse? {
        state.withLock { state in
            let response = state.confirmed ?? state.head.map { StoredResponse($0, body: state.body, date: state.date) }
            guard let response, response.status != 206, !response.forbidsStoring else { return nil }
            return response
        }
    }

    /// The request with the validators of what is stored, unless it is conditional already: then a 304 is the caller's. With
    /// other methods than GET, a server would answer 412 in place of 304 (RFC 9110 section 13.1.2).
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

extension StoredResponse {
    /// Whether the server says that the response is not to be stored (RFC 9111 section 5.2.2.5), or that it fits no other
    /// request (section 4.1).
    fileprivate var forbidsStoring: Bool {
        contains("no-store", in: .cacheControl) || contains("*", in: "Vary")
    }

    private func contains(_ word: String, in name: HeaderName) -> Bool {
        (headers[name] ?? "").split(separator: ",").contains {
            $0.trimmingCharacters(in: .whitespaces).lowercased() == word
        }
    }
}
