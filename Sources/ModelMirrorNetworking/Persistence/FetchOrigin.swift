public import Foundation

/// Where a fetched value comes from.
public enum FetchOrigin: Hashable, Sendable {
    /// From the store, where it has been since the date.
    case store(Date)
    /// From the store, after the server confirmed it by a 304.
    case confirmedStore
    /// From the network.
    case network
}
