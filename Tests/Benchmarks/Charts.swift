import Foundation

/// The charts of the documentation.
enum Charts {
    /// Writes a chart of the ratios, if documents were measured, and one of time against size, if sizes were.
    static func write(_ figures: [Figures], to folder: String) throws {
        let folder = URL(fileURLWithPath: folder)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for (name, chart) in [("ratios", ratios(figures)), ("sizes", sizes(figures))] {
            guard let chart else { continue }
            try Data(chart.utf8).write(to: folder.appendingPathComponent("\(name).svg"))
        }
    }

    // MARK: Bars

    /// How many times as fast as JSONDecoder each document is mapped.
    private static func ratios(_ figures: [Figures]) -> String? {
        let bars = figures.compactMap { row -> (name: String, ratio: Double)? in
            guard row.group == .reading, let decoder = row.figures.first(where: { $0.name == "JSONDecoder" }) else {
                return nil
            }
            return (row.name, decoder.ratio)
        }
        guard let largest = bars.map(\.ratio).max() else { return nil }
        let (left, width, step, top) = (190.0, 460.0, 30.0, 52.0)
        let height = top + Double(bars.count + 1) * step + 12
        var svg = SVG(width: 720, height: Int(height), title: "JSON to objects: times as fast as JSONDecoder")
        svg.text("JSON to objects: times as fast as JSONDecoder", x: 16, y: 26, isBold: true)
        let scale = width / largest
        for (index, bar) in (bars + [("JSONDecoder", 1)]).enumerated() {
            let y = top + Double(index) * step
            svg.text(bar.name, x: left - 10, y: y + 15, anchor: "end")
            svg.rectangle(x: left, y: y, width: bar.ratio * scale, height: 20, index < bars.count ? .first : .third)
            svg.text(
                index < bars.count ? "\(Table.rounded(bar.ratio)) ×" : "1", x: left + bar.ratio * scale + 8, y: y + 15,
                .faint)
        }
        return svg.document
    }

    // MARK: Lines

    /// The time of a document against its size, on logarithmic axes.
    private static func sizes(_ figures: [Figures]) -> String? {
        let rows = figures.filter { $0.group == .sizes }
        guard rows.count > 1, let first = rows.first else { return nil }
        let times = rows.flatMap { row in row.figures.map(\.microseconds) }
        let x = Axis(rows.map { Double($0.bytes) }, from: 80, to: 540)
        let y = Axis(times, from: 360, to: 60)
        var svg = SVG(width: 720, height: 420, title: "Time of a mapping against the size of its document")
        svg.text("Time of a mapping against the size of its document", x: 16, y: 26, isBold: true)
        for power in x.powers {
            svg.line([(x.place(power), 60), (x.place(power), 360)], .grid)
            svg.text(bytes(power), x: x.place(power), y: 380, anchor: "middle", .faint)
        }
        for power in y.powers {
            svg.line([(80, y.place(power)), (540, y.place(power))], .grid)
            svg.text(time(power), x: 72, y: y.place(power) + 4, anchor: "end", .faint)
        }
        let colors: [SVG.Color] = [.first, .second, .third]
        // The names at the ends of the lines, without overlaps.
        var lowest = Double.infinity
        for (index, figure) in first.figures.enumerated() {
            let points = rows.map { (x: x.place(Double($0.bytes)), y: y.place($0.figures[index].microseconds)) }
            let color = colors[index % colors.count]
            svg.line(points, color, width: 2)
            for point in points { svg.dot(x: point.x, y: point.y, color) }
            guard let last = points.last else { continue }
            lowest = min(last.y + 4, lowest - 18)
            svg.text(figure.name.split(separator: ",").first.map(String.init) ?? "", x: 552, y: lowest, color)
        }
        return svg.document
    }

    /// A logarithmic axis from one place of the drawing to another.
    private struct Axis {
        private let lowest: Double
        private let highest: Double
        private let start: Double
        private let end: Double

        init(_ values: [Double], from start: Double, to end: Double) {
            lowest = log10(values.min() ?? 1).rounded(.down)
            highest = max(log10(values.max() ?? 1).rounded(.up), lowest + 1)
            (self.start, self.end) = (start, end)
        }

        /// The powers of ten on the axis.
        var powers: [Double] { (Int(lowest)...Int(highest)).map { pow(10, Double($0)) } }

        func place(_ value: Double) -> Double { start + (log10(value) - lowest) / (highest - lowest) * (end - start) }
    }

    private static func bytes(_ count: Double) -> String {
        count < 1e3 ? "\(Int(count)) B" : count < 1e6 ? "\(Int(count / 1e3)) KB" : "\(Int(count / 1e6)) MB"
    }

    private static func time(_ microseconds: Double) -> String {
        microseconds < 1e3
            ? "\(Int(microseconds)) µs"
            : microseconds < 1e6 ? "\(Int(microseconds / 1e3)) ms" : "\(Int(microseconds / 1e6)) s"
    }
}
