#if canImport(Network) && !os(watchOS)
import Dispatch
import Network
import Synchronization
#else
import ModelMirrorFoundation
#endif

/// Reports whether the system has a network.
///
/// On Apple platforms it asks `NWPathMonitor`, whose first answer may take some milliseconds. On watchOS, where apps cannot use
/// that, it always returns true. Elsewhere there is a network if any interface except loopback is up, running and has an IP
/// address.
///
/// Servers on the same machine are reachable without a network; this does not account for them.
final class SystemReachability: Sendable {
    #if canImport(Network) && !os(watchOS)
    private struct State: Sendable {
        /// Nil until the system has answered.
        var isConnected: Bool?
        var waiting: [CheckedContinuation<Bool, Never>] = []
    }

    private let monitor = Mutex(NWPathMonitor())
    private let state = Mutex(State())

    init() {
        monitor.withLock { monitor in
            monitor.pathUpdateHandler = { [weak self] path in
                // A path that requires a connection, such as VPN on demand, connects when it is used.
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
            state.isConnected = isConnected
            return exchange(&state.waiting, with: [])
        }
        for continuation in waiting { continuation.resume(returning: isConnected) }
    }
    #else
    /// Whether there is a network now.
    func isConnected() async -> Bool {
        #if os(watchOS)
        true
        #else
        // If the interfaces cannot be listed, the request itself will tell.
        NetworkInterface.all()?.contains(where: \.leadsOut) ?? true
        #endif
    }
    #endif
}

struct NetworkInterface: Hashable, Sendable {
    var name: String
    /// Whether it is switched on.
    var isUp: Bool
    /// Whether it is connected, for example to a cable or a radio network.
    var isRunning: Bool
    /// Whether it is connected to the machine itself.
    var isLoopback: Bool
    var hasAddress: Bool

    var leadsOut: Bool { isUp && isRunning && !isLoopback && hasAddress }

    #if canImport(Glibc) || canImport(Musl)
    /// One entry per address of each interface, and one for each interface without any; nil if the system does not list them.
    static func all() -> [NetworkInterface]? {
        var first: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&first) == 0 else { return nil }
        defer { freeifaddrs(first) }
        // The list is valid until it is freed; the result contains copies.
        return sequence(first: first) { $0?.pointee.ifa_next }.prefix { $0 != nil }.compactMap { $0?.pointee }.map {
            let flags = Int($0.ifa_flags)
            let family = $0.ifa_addr.map { Int32($0.pointee.sa_family) }
            return NetworkInterface(
                name: String(cString: $0.ifa_name), isUp: flags & Int(IFF_UP) != 0,
                isRunning: flags & Int(IFF_RUNNING) != 0, isLoopback: flags & Int(IFF_LOOPBACK) != 0,
                hasAddress: family == AF_INET || family == AF_INET6)
        }
    }
    #endif
}
