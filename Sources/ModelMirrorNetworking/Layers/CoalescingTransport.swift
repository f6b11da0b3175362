import ModelMirrorFoundation
import Synchronization

/// Sends concurrent equal GET requests once, and returns the response to each caller.
///
/// ```swift
/// let transport = CoalescingTransport()
/// async let first = transport.response(to: TransportRequest(.get, url))
/// async let second = transport.response(to: TransportRequest(.get, url))  // the same transfer
/// ```
///
/// Requests are equal if they are GET requests without a body for the same account and sign-in (``TransportIdentity``), with the same
/// URL, timeout, redirect policy and use of expensive networks, all or none with a deadline, and the same header fields in the same
/// order. Others are forwarded unchanged, and so are streams and downloads (``TransportRequest/isStream``), requests whose account is
/// unknown, those of a renewal, and those that began without a credential and go on under a renewal. A response to a request with
/// undeclared fields (``TransportRequest/declaredFields``), or with a credential of a layer whose identity was not passed on, is returned
/// to the first caller alone; the others send their own.
///
/// The body is collected before any caller gets the response, and each caller gets a body of its own: a shared response has no
/// progress, and its size is limited. A larger body fails all callers with ``RequestError/bodyTooLarge(limit:)`` as soon as
/// that is known; send large bodies through a transport without this one. Errors of the transfer also go to all callers.
///
/// A cancelled caller gets ``RequestError/cancelled`` at once without affecting the others; when the last one is cancelled, so
/// is the transfer. Nothing is cached: a request after the end or cancellation of a transfer starts a new one, and so does one after
/// a POST, PUT, DELETE or other unsafe request through this transport, which may have changed the response.
///
/// Put it around ``RetryTransport`` and ``AuthenticatingTransport``, so that attempts are shared.
public final class CoalescingTransport: Transport, ForwardingTransport {
    private struct Key: Hashable {
        let url: URL
        let headers: HTTPHeaders
        /// Those of another origin, which are not among the fields yet, make a 304 that others could not use.
        let validators: HTTPHeaders?
        let declaredFields: Set<HeaderName>
        let timeout: Duration?
        let redirects: TransportRequest.RedirectPolicy?
        let allowsExpensiveNetwork: Bool
        let hasLeftOrigin: Bool
        /// Without one, the transport below has its own.
        let hasDeadline: Bool
        let identity: TransportIdentity
        let signIns: [RequestBinding.Layer: RequestBinding.SignIn]
    }

    /// A running transfer and the requests that wait for it.
    private struct Transfer {
        /// The head has the binding of the request that was sent.
        let task: SharedTask<Response<Data>>
        var bindings: [RequestBinding]
        /// Notes the deadline of one more request.
        let extend: @Sendable (ContinuousClock.Instant?) -> Void
    }

    let base: any Transport
    private let limit: Int
    private let unshared: (@Sendable (TransportRequest) -> Void)?
    private let transfers = Mutex<[Key: Transfer]>([:])

    /// Shares the responses of another transport.
    ///
    /// - Parameters:
    ///   - base: The transport that sends. Defaults to ``SystemTransport/shared``.
    ///   - limit: The largest body in bytes, for each running transfer. Defaults to 16 MiB.
    ///   - unshared: Called with each request that is not shared because its account is unknown or a layer added an undeclared field,
    ///     on any thread.
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
    /// - Throws: Errors of the shared transfer; ``RequestError/bodyTooLarge(limit:)``; ``RequestError/cancelled`` if the calling
    ///   task was cancelled.
    public func response(to request: TransportRequest) async throws -> TransportResponse {
        // A request of a renewal may be equal to one that waits for the renewal.
        guard request.method == .get, request.body == nil, !request.isStream, CurrentRenewal.renewal == nil else {
            defer { if !request.method.isSafe { transfers.withLock { $0 = [:] } } }
            return try await base.response(to: request)
        }
        if Task.isCancelled { throw RequestError.cancelled }
        var request = request
        let bound = request.bind(over: base)
        defer { withExtendedLifetime(bound) {} }
        // An obstacle that is known before: the request went on under a renewal, or it or an earlier attempt has an undeclared field.
        guard request.identity != .unknown, let binding = request.binding, binding.obstacle == nil,
            binding.undeclaredNames(of: request).isEmpty
        else {
            unshared?(request)
            return try await base.response(to: request)
        }
        return try await request.beforeDeadline { [self, request] in
            // Within the deadline, because a waiter that has joined must wait for the value or leave.
            let (transfer, waiter, isFirst) = join(request, binding)
            var shared = try await transfer.value(for: waiter)
            let sent = shared.head.binding
            shared.head.binding = nil
            if !isFirst, let sent, sent.obstacle != nil || sent.hasHiddenLayers {
                unshared?(request)
                return try await base.response(to: request)
            }
            if let sent { binding.absorb(sent) }
            return Response(ResponseBody(shared.value), head: shared.head)
        }
    }

    private func join(
        _ request: TransportRequest, _ binding: RequestBinding
    ) -> (SharedTask<Response<Data>>, waiter: Int, isFirst: Bool) {
        let key = Key(
            url: request.url, headers: request.headers, validators: request.validators?.headers,
            declaredFields: request.declaredFields, timeout: request.timeout, redirects: request.redirects,
            allowsExpensiveNetwork: request.allowsExpensiveNetwork, hasLeftOrigin: request.hasLeftOrigin,
            hasDeadline: request.deadline != nil, identity: binding.identity, signIns: binding.signIns)
        // Read also while no more requests may join; nil once one has no deadline.
        let latest = Mutex(request.deadline)
        let (transfer, waiter, isNew) = transfers.withLock { transfers in
            // A transfer of an account that has signed out since is not for those who came after.
            if let task = transfers[key]?.task, transfers[key]?.bindings.contains(where: \.isUnsavable) == false,
                let waiter = task.join()
            {
                // In place, so that the list of many callers is not copied for each.
                transfers[key]?.bindings.append(binding)
                transfers[key]?.extend(request.deadline)
                return (task, waiter, false)
            }
            let transfer = SharedTask<Response<Data>> { [weak self] transfer in self?.forget(transfer, key) }
            transfers[key] = Transfer(task: transfer, bindings: [binding]) { deadline in
                latest.withLock { $0 = $0.flatMap { old in deadline.map { max(old, $0) } } }
            }
            return (transfer, transfer.firstWaiter, true)
        }
        guard isNew else { return (transfer, waiter, false) }
        var shared = request
        // Each caller has its own deadline; after the latest one, no caller would wait for a retry.
        shared.deadline = nil
        shared.sharedDeadline = { latest.withLock(\.self) }
        shared.binding = RequestBinding(sharing: binding)
        transfer.start { [self, shared, bound = binding.bound()] in
            // Held, since the first caller, whose client holds it, may leave.
            defer { withExtendedLifetime(bound) {} }
            let outcome = await outcome(of: shared)
            // Removed before it ends, so that a later request starts a new transfer.
            forget(transfer, key)
            transfer.finish(outcome)
        }
        return (transfer, waiter, true)
    }

    private func outcome(of request: TransportRequest) async -> Result<Response<Data>, any Error> {
        await result {
            let response = try await base.response(to: request)
            guard response.expectedLength ?? 0 <= limit else { throw RequestError.bodyTooLarge(limit: limit) }
            var complete = response.collected(try await response.body.collect(limit: limit))
            complete.head.binding = request.binding
            return complete
        }
    }

    private func forget(_ transfer: SharedTask<Response<Data>>, _ key: Key) {
        transfers.withLock { transfers in if transfers[key]?.task === transfer { transfers[key] = nil } }
    }
}
