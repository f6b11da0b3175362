import Dispatch
import Synchronization

/// What a request gave: the first value made of it, and the way to make more.
///
/// Each consumer needs a value of its own, since objects may be changed by whoever gets them. The first one is at hand, for the
/// others the kept body is mapped anew.
final class RequestProduct<Value>: Sendable {
    private let first: Handoff<Value>
    private let isFirstShared = Atomic(false)
    private let again: @Sendable () throws -> sending Value
    /// The response without its value; nil where there was none.
    let head: Response<Void>?

    /// - Parameters:
    ///   - first: A value.
    ///   - head: The response that it was made of.
    ///   - again: Makes another one that shares nothing with those before.
    init(_ first: sending Value, head: Response<Void>? = nil, again: @escaping @Sendable () throws -> sending Value) {
        self.first = Handoff(first)
        self.head = head
        self.again = again
    }

    /// The product of a response that came otherwise than its head says.
    private init(_ product: RequestProduct, head: Response<Void>?) {
        first = product.first
        again = product.again
        self.head = head
    }

    /// The same product, from another origin.
    func from(_ origin: FetchOrigin) -> RequestProduct {
        var head = head
        head?.origin = origin
        if origin != .network { head?.metrics = nil }
        return RequestProduct(self, head: head)
    }

    /// The same product, served in place of a response that failed.
    func asFallback(for error: any Error) -> RequestProduct {
        var head = head
        head?.fallbackReason = error
        return RequestProduct(self, head: head)
    }

    /// A value for one more consumer.
    ///
    /// - Throws: What mapping throws. It did not the first time; a model whose hooks depend on the time of day may now.
    func share() throws -> Handoff<Value> {
        isFirstShared.exchange(true, ordering: .relaxed) ? Handoff(try again()) : first
    }

    /// A value for one more consumer, with its response.
    ///
    /// - Throws: What mapping throws.
    func response() throws -> sending Response<Value> {
        // Only what a `Fetch` gave is asked for its response.
        guard let head else { preconditionFailure("a product without a response") }
        return head.with(try share().take())
    }

    /// A product whose values are made of those of this one.
    ///
    /// - Throws: What mapping throws.
    func map<Other>(
        _ transform: @escaping @Sendable (sending Value) -> sending Other
    ) throws -> RequestProduct<Other> {
        RequestProduct<Other>(transform(try share().take()), head: head) { transform(try self.share().take()) }
    }
}

/// Hands what is stored over to a closure, while the network is asked, and returns when that has run.
struct StoredDelivery<Value>: Sendable {
    private let run: @Sendable (_ box: Handoff<Value>, _ isWanted: @escaping @Sendable () -> Bool) async -> Void

    /// To a closure on the main actor.
    static func onMainActor(
        _ closure: @escaping @MainActor (_ getStored: () throws -> sending Value) -> Void
    ) -> StoredDelivery {
        StoredDelivery { box, isWanted in
            await MainActor.run {
                if isWanted() { closure { () throws -> sending Value in try box.take() } }
            }
        }
    }

    /// To a closure on a queue.
    static func on(
        _ queue: DispatchQueue, _ closure: @escaping @Sendable (_ getStored: () throws -> sending Value) -> Void
    ) -> StoredDelivery {
        StoredDelivery { box, isWanted in
            await withCheckedContinuation { continuation in
                queue.async {
                    if isWanted() { closure { () throws -> sending Value in try box.take() } }
                    continuation.resume()
                }
            }
        }
    }

    /// Hands a product over.
    ///
    /// - Parameter isWanted: Asked right before the closure is called.
    func deliver(_ product: RequestProduct<Value>, isWanted: @escaping @Sendable () -> Bool) async {
        // The first value of a product is at hand, so that this cannot fail.
        guard let box = try? product.share() else { return }
        await run(box, isWanted)
    }
}
