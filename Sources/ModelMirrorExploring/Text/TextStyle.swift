/// Terminal colors (ECMA-48, "Select Graphic Rendition"), or plain text.
struct TextStyle {
    /// Whether text is colored.
    let isColored: Bool

    static let plain = TextStyle(isColored: false)

    /// Red: failures, and what disappeared.
    func failure(_ text: String) -> String { coded("31", text) }
    /// Yellow: deviations, and what changed.
    func warning(_ text: String) -> String { coded("33", text) }
    /// Green: nothing to report, and what is new.
    func success(_ text: String) -> String { coded("32", text) }
    /// Bold: headings.
    func strong(_ text: String) -> String { coded("1", text) }
    /// Dim: line numbers and other context.
    func dim(_ text: String) -> String { coded("2", text) }

    private func coded(_ code: String, _ text: String) -> String {
        isColored && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}
