#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Android)
import Android
#endif

/// What the system says of a network interface.
struct NetworkInterface: Hashable, Sendable {
    var name: String
    /// Whether somebody has switched it on.
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
    /// nil, for on this platform nobody is asked.
    static func all() -> [NetworkInterface]? { nil }
    #endif
}
