/// A type whose values are equal if another value that they have is.
package protocol ComparedByIdentity: Hashable {
    associatedtype Identity: Hashable
    /// What is compared and hashed.
    var identity: Identity { get }
}

extension ComparedByIdentity {
    /// Whether the identities are equal.
    public static func == (left: Self, right: Self) -> Bool { left.identity == right.identity }

    /// Hashes the identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(identity) }
}
