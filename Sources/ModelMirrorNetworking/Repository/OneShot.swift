import Synchronization

/// A value that one taker gets.
///
/// Objects are not Sendable; what makes the box safe is that the value goes in and out as `sending`: whoever made it has no
/// hold on it any more, and whoever takes it is the only one.
final class OneShot<Value>: Sendable {
    private let content: Mutex<Value?>

    init(_ value: sending Value) { content = Mutex(value) }

    /// The value, for the first caller.
    ///
    /// - Throws: ``RequestError/alreadyTaken``.
    func take() throws(RequestError) -> sending Value {
        guard let value = takeIfThere() else { throw .alreadyTaken }
        return value
    }

    /// The value, for the first caller; nil for the others.
    func takeIfThere() -> sending Value? {
        content.withLock { content in
            let value = content.take()
            return value
        }
    }
}
