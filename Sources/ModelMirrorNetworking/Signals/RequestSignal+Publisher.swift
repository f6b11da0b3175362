#if canImport(Combine)
public import Combine
import Synchronization

extension RequestSignal {
    /// The signal for Combine.
    ///
    /// ```swift
    /// gists.publisher
    ///     .receive(on: DispatchQueue.main)
    ///     .sink { completion in … } receiveValue: { gists in … }
    ///     .store(in: &cancellables)
    /// ```
    public var publisher: Publisher { Publisher(signal: self) }

    /// Makes the request for each subscriber anew, when it first demands something; gives the value and finishes, or fails.
    ///
    /// Subscribers are called on no particular thread. Cancelling a subscription cancels the request; the subscriber hears
    /// nothing more then, as is the custom of Combine.
    public struct Publisher: Combine.Publisher {
        /// What it gives, once.
        public typealias Output = Value
        /// What it fails with.
        public typealias Failure = any Error

        fileprivate let signal: RequestSignal

        /// Takes a subscriber on.
        public func receive<Downstream: Subscriber>(subscriber: Downstream)
        where Downstream.Input == Value, Downstream.Failure == any Error {
            subscriber.receive(subscription: SignalSubscription(signal, subscriber))
        }
    }
}

/// One subscriber's observation of a signal.
private final class SignalSubscription<Value>: Subscription, Sendable {
    /// A subscriber, to be called from any thread.
    ///
    /// Unchecked since Combine does not declare subscribers Sendable, though publishers may call them from any thread, one
    /// call at a time. The state sees to the latter: only who has brought it to `.telling` calls.
    private struct Target: @unchecked Sendable {
        let receiveValue: (Value) -> Void
        let receiveCompletion: (Subscribers.Completion<any Error>) -> Void
    }

    private enum State: Sendable {
        /// Nothing is demanded yet.
        case idle(Target)
        /// The request is made. The observation follows as soon as it is known.
        case running(Target, RequestObservation?)
        /// The value is being handed over.
        case telling
        /// Finished, failed or cancelled.
        case ended
    }

    private let signal: RequestSignal<Value>
    private let state: Mutex<State>

    init<Downstream: Subscriber>(_ signal: RequestSignal<Value>, _ subscriber: Downstream)
    where Downstream.Input == Value, Downstream.Failure == any Error {
        self.signal = signal
        let target = Target(
            // There is nothing more to be demanded.
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
        let observation = signal.observe { box in self.tell(box) }
        let isCancelled = state.withLock { state in
            if case .running(let target, _) = state { state = .running(target, observation) }
            if case .ended = state { return true }
            return false
        }
        if isCancelled { observation.cancel() }
    }

    func cancel() {
        let observation = state.withLock { state -> RequestObservation? in
            defer { state = .ended }
            if case .running(_, let observation) = state { return observation }
            return nil
        }
        observation?.cancel()
    }

    private func tell(_ box: Handoff<Result<Value, any Error>>) {
        let target = state.withLock { state -> Target? in
            guard case .running(let target, _) = state else { return nil }
            state = .telling
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
        // The subscriber may have cancelled when it got the value.
        let isCancelled = state.withLock { state in
            defer { state = .ended }
            if case .ended = state { return true }
            return false
        }
        if !isCancelled { target.receiveCompletion(completion) }
    }
}
#endif
