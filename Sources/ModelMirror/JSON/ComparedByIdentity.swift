/// A type whose values are equal if another value that they have is.
package protocol ComparedByIdentity: Hashable {
    associatedtype ComparedValue: Hashable
    /// What is compared and hashed.
    var comparedValue: ComparedValue { get }
}

extension ComparedByIdentity {
    /// Whether the compared values are equal.
    public static func == (left: Self, right: Self) -> Bool { left.comparedValue == right.comparedValue }

    /// Hashes the compared value.
    public func hash(into hasher: inout Hasher) { hasher.combine(comparedValue) }
}
