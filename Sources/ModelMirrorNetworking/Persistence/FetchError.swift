public import Foundation

/// Why a request by a ``FetchPolicy`` failed, where neither the network's error nor the mapping's says it.
public enum FetchError: Error, Sendable, CustomStringConvertible, LocalizedError {
    /// The policy asks the store alone, and that has nothing to give.
    case nothingStored(Miss)
    /// There is no network, and the store has nothing to give.
    case noConnectivity(Miss)
    /// The network's objects could not be stored, and ``Persistence/failsWhenSavingFails`` is set.
    case savingFailed(url: URL, any Error)

    /// Why the store had nothing to give.
    public struct Miss: Sendable {
        /// The reasons.
        public enum Reason: Sendable {
            /// Nothing is stored.
            case absent
            /// What is stored is older than allowed.
            case expired(age: Duration, maxAge: Duration)
            /// The store threw an error, or what is stored cannot be mapped.
            case unreadable(any Error)
            /// Requests such as this are not stored: they have no key, or the account they are made for is unknown.
            case notStorable
            /// The client has no store.
            case noStore
        }

        /// What was asked for.
        public let url: URL
        /// Why there was nothing.
        public let reason: Reason

        /// A miss.
        package init(url: URL, reason: Reason) {
            self.url = url
            self.reason = reason
        }
    }

    /// One sentence.
    public var description: String {
        switch self {
        case .nothingStored(let miss): "\(miss.clause.capitalizedFirst); ask the network, by another policy."
        case .noConnectivity(let miss):
            "There is no network connection, and \(miss.clause); try again when there is one."
        case .savingFailed(let url, let error):
            "The response of \(url.summary) came, but was not stored: \(error)".ended
        }
    }

    /// The same sentence.
    public var errorDescription: String? { description }
}

extension FetchError.Miss {
    fileprivate var clause: String {
        switch reason {
        case .absent: "nothing is stored for \(url.summary)"
        case .expired(let age, let maxAge):
            "what is stored for \(url.summary) is \(age.seconds) old, older than the \(maxAge.seconds) allowed"
        case .unreadable(let error): "what is stored for \(url.summary) cannot be read (\("\(error)".withoutEnd))"
        case .notStorable: "requests such as this one for \(url.summary) are not stored"
        case .noStore: "the client that asks for \(url.summary) has no store"
        }
    }
}

extension URL {
    /// The URL without what may be secret: user, password, query and fragment; a query is hinted at.
    fileprivate var summary: String {
        guard var parts = URLComponents(url: self, resolvingAgainstBaseURL: true) else { return "an unreadable URL" }
        let hasQuery = parts.percentEncodedQuery?.isEmpty == false
        (parts.user, parts.password, parts.query, parts.fragment) = (nil, nil, nil, nil)
        return (parts.string ?? "an unreadable URL") + (hasQuery ? "?…" : "")
    }
}

extension Duration {
    /// Whole seconds, a fraction cut off: `75 s`.
    fileprivate var seconds: String { "\(components.seconds) s" }
}

extension String {
    fileprivate var withoutEnd: String { hasSuffix(".") ? String(dropLast()) : self }

    fileprivate var ended: String { last.map { ".!?".contains($0) } == true ? self : self + "." }

    fileprivate var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
