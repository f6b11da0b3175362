#if canImport(Network) && !os(watchOS)
import Dispatch
import Network
import Synchronization

/// The network as `NWPathMonitor` sees it, for as long as this lives.
final class NetworkPath: Sendable {
    private struct State: Sendable {
        /// nil until the system has answered.
        var isConnected: Bool?
        var waiting: [CheckedContinuation<Bool, Never>] = []
    }

    private let monitor = Mutex(NWPathMonitor())
    private let state = Mutex(State())

    init() {
        monitor.withLock { monitor in
            monitor.pathUpdateHandler = { [weak self] path in
                // A path that needs a connection first, as a VPN on demand does, gets it when it is used.
                self?.update(path.status != .unsatisfied)
            }
            monitor.start(queue: DispatchQueue(label: "ModelMirror.NetworkPath"))
        }
    }

    deinit { monitor.withLock { $0.cancel() } }

    /// Whether there is a network now.
    func isConnected() async -> Bool {
        await withCheckedContinuation { continuation in
            let known = state.withLock { state in
                if state.isConnected == nil { state.waiting.append(continuation) }
                return state.isConnected
            }
            if let known { continuation.resume(returning: known) }
        }
    }

    private func update(_ isConnected: Bool) {
        let waiting = state.withLock { state in
            defer { state.waiting = [] }
            state.isConnected = isConnected
            return state.waiting
        }
        for continuation in waiting { continuation.resume(returning: isConnected) }
    }
}
#endif
