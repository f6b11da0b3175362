/// How far a ``Request`` or a ``RequestGroup`` is.
public enum RequestState: Sendable {
    /// Nothing is decided yet.
    case running
    /// The objects are there.
    case succeeded
    /// There will be no objects.
    case failed(any Error)
    /// It was cancelled before anything else was decided.
    case cancelled

    /// Whether it is decided how the request ends; it never changes after that.
    public var isFinished: Bool { if case .running = self { false } else { true } }
}
