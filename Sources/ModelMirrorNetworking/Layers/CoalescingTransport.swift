import Foundation
import Synchronization

/// Sends equal GET requests that are under way at the same time once, and gives each caller the response.
///
/// ```swift
/// let transport = CoalescingTransport()
/// async let first = transport.response(to: TransportRequest(.get, url))
/// async let second = transport.response(to: TransportRequest(.get, url))  // the same transfer
/// ```
///
/// Equal are GET requests without a body that have the same URL, the same header fields in the same order, and the same
/// timeout, redirect policy and use of expensive networks, and are for the same account
/// (``Transport/identity(for:)``). All others pass unchanged, and so do those of which no transport tells for whom they are.
///
/// The body is collected before anybody gets the response, and each caller gets a body of their own: a shared response
/// has no progress, and no more than a limit of bytes. A larger body fails all callers with
/// ``RequestError/bodyTooLarge(limit:)``, as soon as that is known; send what is large through a transport without this
/// one. An error of the transfer goes to all callers, too.
///
/// A caller who is cancelled gets ``RequestError/cancelled`` at once and leaves the others alone; when the last of them is
/// cancelled, so is the transfer. So it is with the deadline of each. This is no cache: a request that comes when the transfer has ended, or has been
/// cancelled, begins a new one.
///
/// Put it around ``RetryTransport`` and ``AuthenticatingTransport``, so that attempts are shared.
public final class CoalescingTransport: Transport {
    /// What makes requests equal.
    private struct Key: Hashable {
        let url: URL
        let headers: HTTPHeaders
        let timeout: Duration?
        let redirects: TransportRequest.RedirectPolicy?
        let allowsExpensiveNetwork: Bool
        let identity: TransportIdentity?
    }

    /// A response with its body, to be given any number of times.
    private struct Whole: Sendable {
        let head: TransportResponse
        let body: Data

        var response: TransportResponse {
            var response = head
            response.body = ResponseBody(body)
            return response
        }
    }

    private let base: any Transport
    private let limit: Int
    private let unshared: (@Sendable (TransportRequest) -> Void)?
    private let flights = Mutex<[Key: Flight<Whole>]>([:])

    /// Creates a transport that shares what another receives.
    ///
    /// - Parameters:
    ///   - base: The transport that sends. Defaults to ``SystemTransport/shared``.
    ///   - limit: The most bytes of a body; defaults to 16 MiB. Each transfer that is under way may hold as many.
    ///   - unshared: Told of each request that would have been shared if its account were known.
    public init(
        _ base: any Transport = SystemTransport.shared, limit: Int = 16 << 20,
        unshared: (@Sendable (_ request: TransportRequest) -> Void)? = nil
    ) {
        self.base = base
        self.limit = max(limit, 0)
        self.unshared = unshared
    }

    /// Sends a request, or waits for the response to an equal one.
    ///
    /// - Throws: What the shared transfer threw; ``RequestError/bodyTooLarge(limit:)``; ``RequestError/cancelled`` if the
    ///   calling task was cancelled.
    public func response(to request: TransportRequest) async throws -> TransportResponse {
        guard request.method == .get, request.body == nil else { return try await base.response(to: request) }
        if Task.isCancelled { throw RequestError.cancelled }
        var request = request
        request.bindIdentity(over: base)
        guard request.identity != .unknown else {
            unshared?(request)
            return try await base.response(to: request)
        }
        let (flight, seat) = join(request)
        return try await request.beforeDeadline { try await flight.value(inSeat: seat).response }
    }

    /// That of the transport inside.
    public func identity(for request: TransportRequest) -> TransportIdentity { base.identity(for: request) }

    private func join(_ request: TransportRequest) -> (Flight<Whole>, seat: Int) {
        let key = Key(
            url: request.url, headers: request.headers, timeout: request.timeout, redirects: request.redirects,
            allowsExpensiveNetwork: request.allowsExpensiveNetwork, identity: request.identity)
        let (flight, seat, isNew) = flights.withLock { flights in
            if let flight = flights[key], let seat = flight.takeSeat() { return (flight, seat, false) }
            let flight = Flight<Whole> { [weak self] flight in self?.forget(flight, key) }
            flights[key] = flight
            return (flight, flight.firstSeat, true)
        }
        guard isNew else { return (flight, seat) }
        var shared = request
        // Others may have more time.
        shared.deadline = nil
        flight.start { [self, shared] in
            let outcome = await outcome(of: shared)
            // First forgotten, then landed: who comes after the end starts anew.
            forget(flight, key)
            flight.land(outcome)
        }
        return (flight, seat)
    }

    private func outcome(of request: TransportRequest) async -> Result<Whole, any Error> {
        do {
            var response = try await base.response(to: request)
            // What a 304 announces does not come.
            if response.status != 304, let expected = response.expectedLength, expected > limit {
                throw RequestError.bodyTooLarge(limit: limit)
            }
            let body = try await response.body.collect(limit: limit)
            response.body = ResponseBody(Data())
            return .success(Whole(head: response, body: body))
        } catch {
            return .failure(error)
        }
    }

    private func forget(_ flight: Flight<Whole>, _ key: Key) {
        flights.withLock { flights in
            if flights[key] === flight { flights[key] = nil }
        }
    }
}
