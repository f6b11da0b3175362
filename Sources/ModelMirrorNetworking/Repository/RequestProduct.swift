import Synchronization

/// What a request gave: the first value made of it, and the way to make more.
///
/// Each consumer needs a value of its own, since objects may be changed by whoever gets them. The first one is at hand, for the
/// others the kept body is mapped anew.
final class RequestProduct<Value>: Sendable {
    private let first: OneShot<Value>
    private let isFirstShared = Atomic(false)
    private let again: @Sendable () throws -> sending Value

    /// - Parameters:
    ///   - first: A value.
    ///   - again: Makes another one that shares nothing with those before.
    init(_ first: sending Value, again: @escaping @Sendable () throws -> sending Value) {
        self.first = OneShot(first)
        self.again = again
    }

    /// A value for one more consumer.
    ///
    /// - Throws: What mapping throws. It did not the first time; a model whose hooks depend on the time of day may now.
    func share() throws -> OneShot<Value> {
        isFirstShared.exchange(true, ordering: .relaxed) ? OneShot(try again()) : first
    }

    /// A product whose values are made of those of this one.
    ///
    /// - Throws: What mapping throws.
    func map<Other>(
        _ transform: @escaping @Sendable (sending Value) -> sending Other
    ) throws -> RequestProduct<Other> {
        RequestProduct<Other>(transform(try share().take())) { transform(try self.share().take()) }
    }
}
