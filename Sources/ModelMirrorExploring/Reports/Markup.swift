/// A part of a page of HTML: literals are markup, interpolated texts are escaped, as the key is in `"<td>\(key)</td>"`.
struct Markup: ExpressibleByStringInterpolation {
    struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var html = ""

        init(literalCapacity: Int, interpolationCount: Int) { html.reserveCapacity(2 * literalCapacity) }

        mutating func appendLiteral(_ literal: String) { html += literal }
        mutating func appendInterpolation(_ text: String) { html += text.escapedForHTML }
        mutating func appendInterpolation(_ number: Int) { html += "\(number)" }
        mutating func appendInterpolation(_ part: Markup) { html += part.html }
        mutating func appendInterpolation(_ parts: [Markup]) { for part in parts { html += part.html } }
    }

    private(set) var html: String

    init(stringLiteral: String) { html = stringLiteral }
    init(stringInterpolation: StringInterpolation) { html = stringInterpolation.html }

    static func += (left: inout Markup, right: Markup) { left.html += right.html }
}

extension String {
    /// The text for HTML, also between quotes: characters that cannot be seen are written as in Swift, `\u{202E}`.
    fileprivate var escapedForHTML: String {
        var html = ""
        for scalar in unicodeScalars {
            switch scalar {
            case "&": html += "&amp;"
            case "<": html += "&lt;"
            case ">": html += "&gt;"
            case "\"": html += "&quot;"
            case "'": html += "&#39;"
            case "\n", "\t": html.unicodeScalars.append(scalar)
            case _ where scalar.isInvisible: html += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            default: html.unicodeScalars.append(scalar)
            }
        }
        return html
    }

    /// At most a number of Unicode scalars, then an ellipsis.
    func shortened(to most: Int) -> String {
        guard let end = unicodeScalars.index(startIndex, offsetBy: most, limitedBy: endIndex), end < endIndex else {
            return self
        }
        return String(unicodeScalars[..<end]) + "…"
    }
}

extension Unicode.Scalar {
    /// Whether the scalar is a control, such as those that change the direction of text, or a line separator. The joiners of emoji and
    /// of Persian are not.
    fileprivate var isInvisible: Bool {
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        case .format: value != 0x200C && value != 0x200D
        default: properties.isNoncharacterCodePoint
        }
    }
}
