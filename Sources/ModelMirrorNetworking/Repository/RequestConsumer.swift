import Synchronization

/// Who waits for the end of a request. Each closure only hands its argument over to where the user's closure runs, so none of
/// them takes time but for mapping the body anew.
enum RequestConsumer: Sendable {
    /// Asks for the product or the error: the closure of a call, and each awaiter.
    case outcome(@Sendable (RequestLife.Outcome) -> Void)
    /// Asks for the product; throws if it gives no more values.
    case success(@Sendable (any AnyObject & Sendable) throws -> Void)
    /// Asks for the error.
    case fail(@Sendable (any Error) -> Void)
    /// Asks for nothing.
    case finished(@Sendable () -> Void)
}

/// Who watches the progress of a request.
///
/// However fast bytes come, at most one notice per watcher is under way; it tells what holds when it arrives.
final class ProgressWatcher: Sendable {
    private let latest = Mutex<RequestProgress?>(nil)
    private let notify: @Sendable (ProgressWatcher) -> Void

    /// - Parameter notify: Has ``takeLatest()`` called where the watcher lives, and what it gives handed over.
    init(notify: @escaping @Sendable (ProgressWatcher) -> Void) { self.notify = notify }

    func post(_ progress: RequestProgress) {
        let isUnderWay = latest.withLock { latest in
            defer { latest = progress }
            return latest != nil
        }
        if !isUnderWay { notify(self) }
    }

    /// The newest progress that was not told yet.
    func takeLatest() -> RequestProgress? { latest.withLock { $0.take() } }
}
