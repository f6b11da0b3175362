/// A line of a document with a caret under a value, as compilers show it.
///
/// ```text
///    6 |     "comments": "many",
///      |                 ^~~~~~
/// ```
///
/// If the line is wider than the terminal, only the part around the value is shown.
struct SourceExcerpt {
    private let number: String
    /// The characters of the line with their columns; tabs and control characters are replaced.
    let cells: [(text: String, width: Int)]
    /// The cells of the value: at least one, which may be past the end.
    private let marked: Range<Int>
    /// Whether the line continues before the cells, and after them.
    private let isCut: (before: Bool, behind: Bool)

    /// The maximum width in columns.
    private let width: Int

    /// The number of bytes on either side of a value in which the ends of its line are looked for.
    private static let reach = DocumentReader.margin

    /// - Parameters:
    ///   - line: The line of the offset, from 1.
    ///   - offset: The offset of the value's first byte, from 0.
    ///   - width: The maximum width in columns.
    init(_ bytes: [UInt8], line: Int, offset: Int, width: Int) {
        func isBreak(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") }
        let offset = min(max(offset, 0), bytes.count)
        func isContinuation(_ index: Int) -> Bool { index < bytes.count && bytes[index] & 0xC0 == 0x80 }
        var first = max(offset - SourceExcerpt.reach, 0)
        while first < offset, isContinuation(first) { first += 1 }
        var last = min(offset + SourceExcerpt.reach, bytes.count)
        while last > offset, isContinuation(last) { last -= 1 }
        let lineStart = bytes[first..<offset].lastIndex(where: isBreak).map { $0 + 1 }
        let lineEnd = bytes[offset..<last].firstIndex(where: isBreak)
        let (start, end) = (lineStart ?? first, lineEnd ?? last)
        let isWhole = !(lineStart == nil && first > 0 || lineEnd == nil && last < bytes.count)
        let valueEnd = min(SourceExcerpt.scalarEnd(in: bytes, at: offset), end)
        number = "\(line)"
        self.width = width
        isOfValueAlone =
            isWhole && SourceExcerpt.isKeyAlone(bytes[start..<offset])
            && !bytes[offset..<valueEnd].contains(UInt8(ascii: "\\"))
            && bytes[valueEnd..<end].allSatisfy(" \t[]{},".utf8.contains)
        // Cells only for what may be shown, since a document in one line may have many findings.
        let most = 4 * min(max(width, 20), SourceExcerpt.reach)
        var (from, to) = (max(start, offset - most), min(end, offset + most))
        while from < offset, isContinuation(from) { from += 1 }
        while to > offset, isContinuation(to) { to -= 1 }
        isCut = (from > start || lineStart == nil && first > 0, to < end || lineEnd == nil && last < bytes.count)
        let before = SourceExcerpt.cells(bytes[from..<offset])
        let value = SourceExcerpt.cells(bytes[offset..<min(valueEnd, to)])
        cells = before + value + SourceExcerpt.cells(bytes[min(valueEnd, to)..<to])
        marked = before.count..<before.count + max(value.count, 1)
    }

    /// Whether the line contains only the value, its key, brackets and commas. A string that may contain JSON is not such a value.
    let isOfValueAlone: Bool

    /// The excerpt as two lines.
    func text(_ style: TextStyle = .plain) -> String {
        let gutter = String(repeating: " ", count: max(4 - number.count, 0)) + number + " | "
        let blank = String(repeating: " ", count: max(4, number.count)) + " | "
        let window = window(width: max(width - gutter.count, 20))
        var line = window.lowerBound > 0 || isCut.before ? "…" : ""
        var caret = String(repeating: " ", count: line.count)
        for index in window {
            let cell = cells[index]
            line += cell.text
            if index < marked.lowerBound {
                caret += String(repeating: " ", count: cell.width)
            } else if marked.contains(index) {
                caret += index == marked.lowerBound ? "^" : "~"
                caret += String(repeating: "~", count: max(cell.width - 1, 0))
            }
        }
        // Past the last character, where the rest of a document is missing.
        if marked.lowerBound >= window.upperBound { caret += "^" }
        if window.upperBound < cells.count || isCut.behind { line += "…" }
        return style.dim(gutter) + line + "\n" + style.dim(blank) + style.failure(caret)
    }

    /// The cells that are shown: all if there is room, otherwise those around the value, about half of them before it.
    private func window(width: Int) -> Range<Int> {
        let isWhole = !isCut.before && !isCut.behind && cells.reduce(0, { $0 + $1.width }) <= width
        guard !isWhole else { return 0..<cells.count }
        let room = width - 2
        var (start, end) = (min(marked.lowerBound, cells.count), min(marked.lowerBound, cells.count))
        var used = 0
        while start > 0, used + cells[start - 1].width <= room / 2 {
            start -= 1
            used += cells[start].width
        }
        while end < cells.count, used + cells[end].width <= room {
            used += cells[end].width
            end += 1
        }
        while start > 0, used + cells[start - 1].width <= room {
            start -= 1
            used += cells[start].width
        }
        return start..<end
    }

    private static func cells(_ bytes: ArraySlice<UInt8>) -> [(text: String, width: Int)] {
        String(decoding: bytes, as: UTF8.self).unicodeScalars.map { scalar in
            if scalar == "\t" { return ("    ", 4) }
            if scalar == "\u{FEFF}" || scalar.properties.generalCategory == .control { return ("", 0) }
            return (String(scalar), scalar.displayWidth)
        }
    }

    /// Whether the bytes before a value are white space and brackets, and perhaps one key and its colon.
    private static func isKeyAlone(_ bytes: ArraySlice<UInt8>) -> Bool {
        let key = Array(bytes.drop(while: " \t[{".utf8.contains))
        guard key.first == UInt8(ascii: "\"") else { return key.isEmpty }
        return key[scalarEnd(in: key, at: 0)...].filter { !" \t".utf8.contains($0) } == [UInt8(ascii: ":")]
    }

    /// The end of the string, number or word that begins at an offset; the next byte for anything else.
    private static func scalarEnd(in bytes: [UInt8], at offset: Int) -> Int {
        guard offset < bytes.count else { return offset }
        var end = offset + 1
        switch bytes[offset] {
        case UInt8(ascii: "\""):
            while end < bytes.count, bytes[end] != UInt8(ascii: "\"") {
                end += bytes[end] == UInt8(ascii: "\\") ? 2 : 1
            }
            return min(end + 1, bytes.count)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"):
            while end < bytes.count, !" \t\r\n,]}:\"".utf8.contains(bytes[end]) { end += 1 }
            return end
        // Marks all bytes of a multi-byte character.
        default:
            while end < bytes.count, bytes[end] & 0xC0 == 0x80 { end += 1 }
            return end
        }
    }
}
