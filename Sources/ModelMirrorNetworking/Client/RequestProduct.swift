import Dispatch
import Synchronization

/// The result of a request: the first value, and the closure that makes more.
///
/// Each consumer gets its own value, since it may change the objects. The first value already exists; for later consumers the
/// kept body is mapped again.
final class RequestProduct<Value>: Sendable {
    private let first: SendingBox<Value>
    private let isFirstShared = Atomic(false)
    private let again: @Sendable () throws -> sending Value
    /// The response without its value; nil if there was none.
    let head: ResponseHead?

    /// - Parameters:
    ///   - first: A value.
    ///   - head: The response it was made from.
    ///   - again: Makes another value that shares no objects with earlier ones.
    init(_ first: sending Value, head: ResponseHead? = nil, again: @escaping @Sendable () throws -> sending Value) {
        self.first = SendingBox(first)
        self.head = head
        self.again = again
    }

    /// A value for one more consumer.
    ///
    /// - Throws: Mapping errors, if a model's hooks depend on something that changed, such as the time of day.
    func share() throws -> SendingBox<Value> {
        isFirstShared.exchange(true, ordering: .relaxed) ? SendingBox(try again()) : first
    }

    /// A value for one more consumer, with its response.
    ///
    /// - Throws: Mapping errors.
    func response() throws -> sending Response<Value> {
        // Only products of a `Fetch` reach this, and they have a head.
        guard let head else { preconditionFailure("a product without a response") }
        return Response(try share().take(), head: head)
    }

    /// A product with transformed values.
    ///
    /// - Throws: Mapping errors.
    func map<Other>(_ transform: @escaping @Sendable (sending Value) -> sending Other) throws -> RequestProduct<Other> {
        RequestProduct<Other>(transform(try share().take()), head: head) { transform(try self.share().take()) }
    }
}

/// Passes a stored value to a closure while the network request runs, and returns when the closure has run.
struct StoredDelivery<Value>: Sendable {
    /// Delivers a value, unless it is no longer wanted right before the closure.
    let run: @Sendable (_ box: SendingBox<Value>, _ isWanted: @escaping @Sendable () -> Bool) async -> Void

    init(onMainActor closure: @escaping @MainActor (_ getStored: () throws -> sending Value) -> Void) {
        run = { box, isWanted in
            await MainActor.run { if isWanted() { closure { () throws -> sending Value in try box.take() } } }
        }
    }

    init(on queue: DispatchQueue, _ closure: @escaping @Sendable (_ getStored: () throws -> sending Value) -> Void) {
        run = { box, isWanted in
            await withCheckedContinuation { continuation in
                queue.async {
                    if isWanted() { closure { () throws -> sending Value in try box.take() } }
                    continuation.resume()
                }
            }
        }
    }
}
