import ModelMirror

/// A spelling of colors that `RGBAColor` reads, and how it is written back.
enum ColorForm: CaseIterable, Hashable {
    case upperHash, lowerHash, upper, lower

    private var hasHash: Bool { self == .upperHash || self == .lowerHash }

    /// Whether a text is a color that this form writes back unchanged. Without `#`, it must have six digits.
    func matches(_ text: String) -> Bool {
        let utf8 = text.utf8
        guard (utf8.first == UInt8(ascii: "#")) == hasHash, hasHash || utf8.count == 6, utf8.count <= 9,
            let color = RGBAColor(hex: text)
        else { return false }
        return written(color) == text
    }

    private func written(_ color: RGBAColor) -> String {
        switch self {
        case .upperHash: color.hex
        case .lowerHash: color.hex.lowercased()
        case .upper: String(color.hex.dropFirst())
        case .lower: color.hex.dropFirst().lowercased()
        }
    }

    /// The converter as Swift source; nil for the form that `RGBAColor` writes.
    var converter: String? {
        let text: String
        switch self {
        case .upperHash: return nil
        case .lowerHash: text = "$0.hex.lowercased()"
        case .upper: text = "String($0.hex.dropFirst())"
        case .lower: text = "$0.hex.dropFirst().lowercased()"
        }
        return ".converting(String.self, { RGBAColor(hex: $0) }, back: { \(text) })"
    }
}
