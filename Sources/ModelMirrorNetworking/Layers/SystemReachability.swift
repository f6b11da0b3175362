#if canImport(Network) && !os(watchOS)
import Dispatch
import Network
import Synchronization
#elseif canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// Tells whether there is a network, according to the system.
///
/// On Apple platforms that is what `NWPathMonitor` says; the first answer may take it some milliseconds. On watchOS, where
/// that one is of no use to apps, the answer is always yes. Elsewhere there is a network if any interface is up and running
/// and has an IP address, loopback aside.
///
/// It knows nothing of servers on the machine itself, which can be reached without any network.
public final class SystemReachability: Reachability {
    #if canImport(Network) && !os(watchOS)
    private let path = NetworkPath()
    #endif

    /// Begins to watch the network, where the system offers that; ends with its life.
    public init() {}

    /// Whether there is a network now.
    public func isConnected() async -> Bool {
        #if os(watchOS)
        true
        #elseif canImport(Network)
        await path.isConnected()
        #else
        // Where the interfaces cannot be listed, the request itself will tell.
        NetworkInterface.all()?.contains(where: \.leadsOut) ?? true
        #endif
    }
}

/// A network interface, as the system describes it.
struct NetworkInterface: Hashable, Sendable {
    var name: String
    /// Whether it is switched on.
    var isUp: Bool
    /// Whether there is something at its other end: a cable, a radio network.
    var isRunning: Bool
    /// Whether what it sends comes back to the machine itself.
    var isLoopback: Bool
    /// Whether it has an IPv4 or IPv6 address.
    var hasAddress: Bool

    /// Whether it could carry a request to another machine.
    var leadsOut: Bool { isUp && isRunning && !isLoopback && hasAddress }

    #if canImport(Glibc) || canImport(Musl) || canImport(Android)
    /// An entry for each address of each interface, and those of interfaces that have none; nil if the system does not say.
    static func all() -> [NetworkInterface]? {
        var first: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&first) == 0 else { return nil }
        defer { freeifaddrs(first) }
        // The list belongs to this function until it is freed; what is kept of it are copies.
        return sequence(first: first) { $0?.pointee.ifa_next }.prefix { $0 != nil }.compactMap { $0?.pointee }.map {
            let flags = Int($0.ifa_flags)
            let family = $0.ifa_addr.map { Int32($0.pointee.sa_family) }
            return NetworkInterface(
                name: String(cString: $0.ifa_name),
                isUp: flags & Int(IFF_UP) != 0,
                isRunning: flags & Int(IFF_RUNNING) != 0,
                isLoopback: flags & Int(IFF_LOOPBACK) != 0,
                hasAddress: family == AF_INET || family == AF_INET6)
        }
    }
    #else
    /// nil: this platform has no such call.
    static func all() -> [NetworkInterface]? { nil }
    #endif
}

#if canImport(Network) && !os(watchOS)
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
