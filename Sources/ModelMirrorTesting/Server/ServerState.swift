import ModelMirrorNetworking
import Synchronization

/// What the threads of a ``LoopbackServer`` share: its routes and what happened so far.
final class ServerState: Sendable {
    struct Log: Sendable {
        var exchanges: [LoopbackExchange] = []
        var count = 0
        var refusals: [String] = []
        var connectionCount = 0
    }

    let limits: LoopbackServer.Limits
    let log = Observed(Log())
    private let routes = Mutex<[LoopbackRoute]>([])

    init(limits: LoopbackServer.Limits) { self.limits = limits }

    func add(_ route: LoopbackRoute) { routes.withLock { $0.append(route) } }

    func removeRoutes() { routes.withLock { $0 = [] } }

    /// What answers a request: the last route that fits; for HEAD without a route of its own, that of GET.
    func answer(
        for request: LoopbackRequest
    ) -> (LoopbackRequest, @Sendable (LoopbackRequest) throws -> LoopbackResponse) {
        let routes = routes.withLock(\.self)
        var methods = [request.method]
        if request.method == .head { methods.append(.get) }
        for method in methods {
            for route in routes.reversed() where route.method == nil || route.method == method {
                if let parameters = route.pattern.parameters(in: request.path) {
                    var request = request
                    request.parameters = parameters
                    return (request, route.answer)
                }
            }
        }
        return (
            request,
            { request in
                let known = routes.isEmpty ? "none" : routes.map(\.description).joined(separator: ", ")
                return .text("No route for \(request.method) \(request.path). Routes: \(known).", status: 404)
            }
        )
    }

    /// Records a request.
    func begin(_ request: LoopbackRequest) -> LoopbackExchange {
        let exchange = LoopbackExchange(request: request)
        log.update { log in
            log.count += 1
            log.exchanges.append(exchange)
            // Dropped half at a time, so that a full log does not move at every request.
            if log.exchanges.count > 2 * self.limits.recordedExchanges {
                log.exchanges.removeFirst(log.exchanges.count - self.limits.recordedExchanges)
            }
        }
        return exchange
    }

    /// Records a request that was not taken.
    func note(_ refusal: LoopbackRefusal) {
        log.update { log in
            if log.refusals.count < self.limits.recordedExchanges {
                log.refusals.append("\(refusal.status): \(refusal.reason)")
            }
        }
    }
}
