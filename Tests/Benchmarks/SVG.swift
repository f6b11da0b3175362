import Foundation

/// A drawing for light and dark pages: its colors follow the reader's color scheme, and it has no background.
struct SVG {
    /// A color of the style sheet.
    enum Color: String { case ink, faint, grid, first, second, third }

    private let width: Int
    private let height: Int
    private let title: String
    private var body = ""

    init(width: Int, height: Int, title: String) {
        (self.width, self.height, self.title) = (width, height, title)
    }

    mutating func rectangle(x: Double, y: Double, width: Double, height: Double, _ color: Color) {
        body +=
            #"<rect x="\#(round(x))" y="\#(round(y))" width="\#(round(width))" height="\#(round(height))" rx="2" class="\#(color.rawValue)"/>"#
            + "\n"
    }

    mutating func line(_ points: [(x: Double, y: Double)], _ color: Color, width: Double = 1) {
        let list = points.map { "\(round($0.x)),\(round($0.y))" }.joined(separator: " ")
        body += #"<polyline points="\#(list)" class="\#(color.rawValue)" stroke-width="\#(width)"/>"# + "\n"
    }

    mutating func dot(x: Double, y: Double, _ color: Color) {
        body += #"<circle cx="\#(round(x))" cy="\#(round(y))" r="3.5" class="\#(color.rawValue)"/>"# + "\n"
    }

    /// - Parameter anchor: The part of the text at `x`: `start`, `middle` or `end`.
    mutating func text(
        _ text: String, x: Double, y: Double, anchor: String = "start", _ color: Color = .ink, isBold: Bool = false
    ) {
        let weight = isBold ? #" font-weight="600""# : ""
        body +=
            #"<text x="\#(round(x))" y="\#(round(y))" text-anchor="\#(anchor)"\#(weight) class="\#(color.rawValue)">"#
            + "\(escaped(text))</text>\n"
    }

    var document: String {
        """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(width) \(height)" width="\(width)" height="\(height)" role="img">
        <title>\(escaped(title))</title>
        <style>
        text { font: 13px system-ui, -apple-system, "Segoe UI", sans-serif; }
        text, rect, circle { fill: currentColor; }
        polyline { fill: none; stroke: currentColor; stroke-linejoin: round; }
        .ink { color: #1f2328; } .faint { color: #59636e; } .grid { color: #d1d9e0; }
        .first { color: #0969da; } .second { color: #8250df; } .third { color: #6e7781; }
        @media (prefers-color-scheme: dark) {
        .ink { color: #f0f6fc; } .faint { color: #9198a1; } .grid { color: #3d444d; }
        .first { color: #4493f8; } .second { color: #ab7df8; } .third { color: #9198a1; }
        }
        </style>
        \(body)</svg>

        """
    }

    private func round(_ value: Double) -> String { String(format: "%.1f", value) }

    private func escaped(_ text: String) -> String {
        text.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
    }
}
