import ModelMirrorNetworking
import Synchronization

/// The state shared by the threads of a ``LoopbackServer``: its routes and its log.
final class ServerState: Sendable {
    struct Log: Sendable {
        var exchanges: [LoopbackExchange] = []
        var count = 0
        var refusals: [String] = []
        var connectionCount = 0
    }

    typealias Answer = @Sendable (LoopbackRequest) throws -> LoopbackResponse

    let limits: LoopbackServer.Limits
    /// The limit of recorded exchanges, low enough that twice as many can be counted.
    private var recordedCount: Int { min(max(limits.recordedExchanges, 0), .max / 2) }
    let log = Observed(Log())
    private let routes = Mutex(RouteTable<LoopbackRequest, Answer>())

    init(limits: LoopbackServer.Limits) { self.limits = limits }

    func add(_ route: CannedRoute<LoopbackRequest, Answer>) { routes.withLock { $0.add(route) } }

    func removeRoutes() { routes.withLock { $0.removeAll() } }

    func answer(for request: LoopbackRequest) -> (LoopbackRequest, Answer) {
        let routes = routes.withLock(\.self)
        if let fault = routes.fault {
            return (request, { _ in .text("\(RequestError.invalidRequest(fault))", status: 500) })
        }
        guard let (parameters, answer) = routes.match(request) else {
            let known = routes.isEmpty ? "none" : routes.description
            let text = "No route for \(request.method) \(request.path). Routes: \(known)."
            return (request, { _ in .text(text, status: 404) })
        }
        var request = request
        request.parameters = parameters
        return (request, answer)
    }

    func begin(_ request: LoopbackRequest) -> LoopbackExchange {
        let exchange = LoopbackExchange(request: request)
        log.update { log in
            log.count += 1
            log.exchanges.append(exchange)
            // Half of the log is dropped at a time, so that a full log is not shifted at every request.
            if log.exchanges.count > 2 * self.recordedCount {
                log.exchanges.removeFirst(log.exchanges.count - self.recordedCount)
            }
        }
        return exchange
    }

    func note(_ refusal: LoopbackRefusal) {
        log.update { log in
            if log.refusals.count < self.recordedCount {
                log.refusals.append("\(refusal.status): \(refusal.reason)")
            }
        }
    }
}
