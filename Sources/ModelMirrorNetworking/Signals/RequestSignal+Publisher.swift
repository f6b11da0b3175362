#if canImport(Combine)
public import Combine
import Synchronization

extension RequestSignal {
    /// The signal as a Combine publisher.
    ///
    /// ```swift
    /// gists.publisher
    ///     .receive(on: DispatchQueue.main)
    ///     .sink { completion in … } receiveValue: { gists in … }
    ///     .store(in: &cancellables)
    /// ```
    public var publisher: Publisher { Publisher(signal: self) }

    /// Sends a request for each subscriber on its first demand, then publishes the value and finishes, or fails.
    ///
    /// Subscribers are called on any thread. Cancelling a subscription cancels the request; as usual in Combine, the subscriber
    /// receives nothing after that.
    public struct Publisher: Combine.Publisher {
        /// The published value.
        public typealias Output = Value
        /// The error of a failure.
        public typealias Failure = any Error

        fileprivate let signal: RequestSignal

        /// Adds a subscriber.
        public func receive<Downstream: Subscriber>(subscriber: Downstream)
        where Downstream.Input == Value, Downstream.Failure == any Error {
            subscriber.receive(subscription: SignalSubscription(signal, subscriber))
        }
    }
}

/// One subscriber's observation of a signal.
private final class SignalSubscription<Value>: Subscription, Sendable {
    /// A subscriber, called from any thread.
    ///
    /// Unchecked, because Combine does not declare subscribers Sendable although publishers may call them from any thread, one
    /// call at a time. The state ensures the latter: only the caller that set it to `.delivering` calls.
    private struct Target: @unchecked Sendable {
        let receiveValue: (Value) -> Void
        let receiveCompletion: (Subscribers.Completion<any Error>) -> Void
    }

    private enum State: Sendable {
        /// Before any demand.
        case idle(Target)
        /// The request is running. The observation is set as soon as it exists.
        case running(Target, Task<Void, Never>?)
        /// The value is being delivered.
        case delivering
        /// Finished, failed or cancelled.
        case ended
    }

    private let signal: RequestSignal<Value>
    private let state: Mutex<State>

    init<Downstream: Subscriber>(_ signal: RequestSignal<Value>, _ subscriber: Downstream)
    where Downstream.Input == Value, Downstream.Failure == any Error {
        self.signal = signal
        let target = Target(
            // Further demand is meaningless after the only value.
            receiveValue: { _ = subscriber.receive($0) },
            receiveCompletion: { subscriber.receive(completion: $0) })
        state = Mutex(.idle(target))
    }

    func request(_ demand: Subscribers.Demand) {
        guard demand > .none else { return }
        let begins = state.withLock { state in
            guard case .idle(let target) = state else { return false }
            state = .running(target, nil)
            return true
        }
        guard begins else { return }
        let observation = signal.observe { box in self.deliver(box) }
        let isCancelled = state.withLock { state in
            if case .running(let target, _) = state { state = .running(target, observation) }
            if case .ended = state { return true }
            return false
        }
        if isCancelled { observation.cancel() }
    }

    func cancel() {
        let observation = state.withLock { state -> Task<Void, Never>? in
            defer { state = .ended }
            if case .running(_, let observation) = state { return observation }
            return nil
        }
        observation?.cancel()
    }

    private func deliver(_ box: SendingBox<Result<Value, any Error>>) {
        let target = state.withLock { state -> Target? in
            guard case .running(let target, _) = state else { return nil }
            state = .delivering
            return target
        }
        guard let target, let result = box.takeIfPresent() else { return }
        switch result {
        case .success(let value):
            target.receiveValue(value)
            end(target, .finished)
        case .failure(let error):
            end(target, .failure(error))
        }
    }

    private func end(_ target: Target, _ completion: Subscribers.Completion<any Error>) {
        // The subscriber may have cancelled when it received the value.
        let isCancelled = state.withLock { state in
            defer { state = .ended }
            if case .ended = state { return true }
            return false
        }
        if !isCancelled { target.receiveCompletion(completion) }
    }
}
#endif
