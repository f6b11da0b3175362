public import ModelMirror
public import ModelMirrorFoundation

/// Why a request with a ``FetchPolicy`` failed, other than an error of the network or the mapping.
public enum FetchError: Error, Sendable, CustomStringConvertible, LocalizedError, SentenceError {
    /// The policy uses only the store, which has no usable response.
    case nothingStored(Miss)
    /// There is no network, and the store has no usable response.
    case noConnectivity(Miss)
    /// The response could not be stored, and ``Persistence/failsWhenSavingFails`` is set.
    case savingFailed(url: URL, any Error)
    /// These stored responses could not be removed; all others were.
    case removalFailed(keys: [String], any Error)

    /// Why the store had no usable response.
    public struct Miss: Sendable {
        /// Why a stored response was not used.
        public enum Reason: Sendable {
            /// Nothing is stored.
            case absent
            /// The stored response is older than allowed.
            case expired(age: Duration, maxAge: Duration)
            /// The store threw an error, or the stored response cannot be mapped.
            case unreadable(any Error)
            /// The request has no key, or its account is unknown.
            case notStorable
            /// The client has no store.
            case noStore
        }

        /// The URL of the request.
        public let url: URL
        /// The reason.
        public let reason: Reason
    }

    /// One sentence.
    public var description: String {
        switch self {
        case .nothingStored(let miss): "\(miss.clause.capitalised); choose a policy that uses the network."
        case .noConnectivity(let miss):
            "There is no network connection, and \(miss.clause); try again when there is one."
        case .savingFailed(let url, let error):
            "The response from \(url.withoutSecrets) arrived but was not stored: \(error)".ended
        // A key has the query of its URL.
        case .removalFailed(let keys, let error):
            "\(keys.count) stored \(keys.count == 1 ? "response" : "responses") could not be removed: \(error)".ended
        }
    }
}

extension FetchError.Miss {
    fileprivate var clause: String {
        switch reason {
        case .absent: "nothing is stored for \(url.withoutSecrets)"
        case .expired(let age, let maxAge):
            "the stored response for \(url.withoutSecrets) is \(age.seconds) old, older than the \(maxAge.seconds) allowed"
        case .unreadable(let error):
            "the stored response for \(url.withoutSecrets) cannot be read (\("\(error)".withoutFullStop))"
        case .notStorable:
            "the request for \(url.withoutSecrets) is not stored: it has no key, or its account is unknown"
        case .noStore: "the client that requests \(url.withoutSecrets) has no store"
        }
    }
}

extension Duration {
    /// Whole seconds, truncated: `75 s`; below one, a fraction: `0.25 s`.
    fileprivate var seconds: String {
        .zero < self && self < .seconds(1) ? "\(self / .seconds(1)) s" : "\(components.seconds) s"
    }
}
