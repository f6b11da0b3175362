import Synchronization

/// Work that is done after its caller went on, one after the other, in the order in which it was added.
final class SavingOrder: Sendable {
    private let last = Mutex<Task<Void, Never>?>(nil)

    /// Adds work to be done when what was added before is done.
    func add(_ work: @escaping @Sendable () async -> Void) {
        last.withLock { last in
            last = Task { [previous = last] in
                await previous?.value
                await work()
            }
        }
    }

    /// Waits until all is done that was added up to now.
    func finished() async { await last.withLock { $0 }?.value }
}
