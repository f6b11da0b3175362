extension Int {
    /// The number with a noun: `1 failure`, `2 failures`.
    func of(_ noun: String) -> String { self == 1 ? "1 \(noun)" : "\(self) \(noun)s" }
}
