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
    /// call at a time. The latter holds since a signal delivers one result, once.
    private struct Target: @unchecked Sendable {
        let receiveValue: (Value) -> Void
        let receiveCompletion: (Subscribers.Completion<any Error>) -> Void
    }

    private struct State: Sendable {
        /// Nil once the subscription is cancelled or has ended.
        var target: Target?
        var hasBegun = false
        /// The running request, as soon as it exists.
        var observation: Task<Void, Never>?
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
        state = Mutex(State(target: target))
    }

    func request(_ demand: Subscribers.Demand) {
        guard demand > .none else { return }
        let begins = state.withLock { !exchange(&$0.hasBegun, with: true) && $0.target != nil }
        guard begins else { return }
        let observation = signal.observe { box in self.deliver(box) }
        let isOver = state.withLock { state in
            if state.target != nil { state.observation = observation }
            return state.target == nil
        }
        if isOver { observation.cancel() }
    }

    func cancel() {
        // The subscriber is released after the lock.
        let (_, observation) = state.withLock { ($0.target.take(), $0.observation.take()) }
        observation?.cancel()
    }

    private func deliver(_ box: SendingBox<Result<Value, any Error>>) {
        guard let target = state.withLock({ $0.target }), let result = box.takeIfPresent() else { return }
        switch result {
        case .success(let value):
            target.receiveValue(value)
            end(.finished)
        case .failure(let error): end(.failure(error))
        }
    }

    private func end(_ completion: Subscribers.Completion<any Error>) {
        // The subscriber may have cancelled when it received the value.
        let target = state.withLock { $0.target.take() }
        target?.receiveCompletion(completion)
    }
}
#endif
