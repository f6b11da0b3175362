/// Tells whether there is a network, as the system sees it.
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
