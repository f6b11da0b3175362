import Synchronization

/// Hands a value over once. It is Sendable for any value, so that objects can be the result of a `Task` or a task group, which
/// Swift rejects for classes that are not Sendable.
///
/// ```swift
/// let task = Task { SendingBox(try await client.value(.get("gists")) as [Gist]) }
/// let gists = try await task.value.take()
/// ```
///
/// The value is passed in and out as `sending`: the sender gives up its access, and the receiver is the only owner. Safe to use
/// from any thread.
public final class SendingBox<Value>: Sendable {
    private let content: Mutex<Value?>

    /// A box with a value.
    public init(_ value: sending Value) { content = Mutex(value) }

    /// The value, for the first caller.
    ///
    /// - Throws: ``RequestError/alreadyTaken`` for every later caller.
    public func take() throws(RequestError) -> sending Value {
        guard let value = takeIfPresent() else { throw .alreadyTaken }
        return value
    }

    /// The value, for the first caller; nil for later ones.
    func takeIfPresent() -> sending Value? {
        content.withLock { content in
            let value = content.take()
            return value
        }
    }
}

/// Iterates over values that are made off the caller's actor.
struct BoxIterator<Element>: AsyncIteratorProtocol {
    /// The next value; nil at the end, and after an error.
    let read: @Sendable () async throws -> SendingBox<Element>?

    mutating func next(isolation actor: isolated (any Actor)?) async throws -> Element? { try await read()?.take() }
}
