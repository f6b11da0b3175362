import Testing

extension TimeLimitTrait.Duration {
    /// Ends a test that hangs. No other test takes so long, also on a machine that is busy with much else.
    static var hung: Self { .minutes(15) }
}
