import Dispatch

/// Hands what is stored over to a closure, while the network is asked, and returns when that has run.
struct StoredDelivery<Value>: Sendable {
    private let run: @Sendable (_ box: OneShot<Value>, _ isWanted: @escaping @Sendable () -> Bool) async -> Void

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
