import Synchronization

/// A box that hands its value over once. It is Sendable whatever the value is, so that objects can be the result of a `Task` or of a
/// task group, which Swift refuses for classes that are not Sendable.
///
/// ```swift
/// let task = Task { Handoff(try await client.value(.get("gists")) as [Gist]) }
/// let gists = try await task.value.take()
/// ```
///
/// The value goes in and comes out as `sending`: whoever put it in has no hold on it any more, and whoever takes it is the only
/// one. Can be used from any thread.
public final class Handoff<Value>: Sendable {
    private let content: Mutex<Value?>

    /// A box with a value.
    public init(_ value: sending Value) { content = Mutex(value) }

    /// The value, for the first caller.
    ///
    /// - Throws: ``RequestError/alreadyTaken`` for every other one.
    public func take() throws(RequestError) -> sending Value {
        guard let value = takeIfPresent() else { throw .alreadyTaken }
        return value
    }

    /// The value, for the first caller; nil for the others.
    func takeIfPresent() -> sending Value? {
        content.withLock { content in
            let value = content.take()
            return value
        }
    }
}
