import ModelMirror

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

extension String {
    /// The text with control characters as JSON escapes them, except for tabs and line breaks: a terminal would obey them.
    var withEscapedControls: String {
        guard unicodeScalars.contains(where: \.isControl) else { return self }
        let scalars = Array(unicodeScalars)
        var text = String.UnicodeScalarView()
        for (index, scalar) in scalars.enumerated() {
            let isBreak = scalar == "\r" && index + 1 < scalars.count && scalars[index + 1] == "\n"
            if scalar.isControl, !isBreak {
                text += String(scalar).quotedForMessage.unicodeScalars.dropFirst().dropLast()
            } else {
                text.append(scalar)
            }
        }
        return String(text)
    }
}

extension Unicode.Scalar {
    fileprivate var isControl: Bool { properties.generalCategory == .control && self != "\n" && self != "\t" }
}
