/// A place in UTF-8 text that moves forward as ASCII is recognised: what the date parsers share.
///
/// A method that does not find what it looks for returns `nil` or `false` and leaves the place where it was. Nothing
/// is allocated, and no byte beyond the end is ever asked for.
///
/// ```swift
/// var cursor = ASCIICursor(Array("18:30".utf8))
/// cursor.digits(2)      // 18
/// cursor.skip(":")      // true
/// cursor.digits(2...4)  // (value: 30, count: 2)
/// cursor.isAtEnd        // true
/// ```
struct ASCIICursor<Bytes: RandomAccessCollection> where Bytes.Element == UInt8, Bytes.Index == Int {
    private let bytes: Bytes
    private let end: Int
    /// The index of the byte to be looked at next; the collection's own index, which need not begin at 0.
    private var position: Int

    init(_ bytes: Bytes) {
        self.bytes = bytes
        position = bytes.startIndex
        end = bytes.endIndex
    }

    /// Whether all text has been passed: what every parser asks last, to refuse trailing text.
    var isAtEnd: Bool { position == end }

    /// The byte at the place, not passed; `nil` at the end.
    var next: UInt8? { position < end ? bytes[position] : nil }

    /// Passes one byte if it is the given one.
    mutating func skip(_ byte: UInt8) -> Bool {
        guard position < end, bytes[position] == byte else { return false }
        position += 1
        return true
    }

    /// Passes one byte if it is the given ASCII character; the argument is a literal in every call.
    mutating func skip(_ character: Unicode.Scalar) -> Bool {
        skip(UInt8(truncatingIfNeeded: character.value))
    }

    /// Passes a word in upper, lower or mixed case.
    ///
    /// - Parameter word: ASCII letters only; the case test relies on it.
    mutating func skip(ignoringCase word: some Collection<UInt8>) -> Bool {
        guard word.count <= end - position else { return false }
        var index = position
        for letter in word {
            // Setting this bit makes an upper-case letter lower-case, and no other byte a letter.
            guard bytes[index] | 0x20 == letter | 0x20 else { return false }
            index += 1
        }
        position = index
        return true
    }

    /// Passes exactly `count` decimal digits; digits that follow them are left.
    mutating func digits(_ count: Int) -> Int? {
        digits(count...count)?.value
    }

    /// Passes as many decimal digits as there are, up to the upper bound, which is at most 9.
    ///
    /// - Returns: their value and their number, or `nil` if there are fewer than the lower bound.
    mutating func digits(_ range: ClosedRange<Int>) -> (value: Int, count: Int)? {
        var value = 0
        var index = position
        while index < end, index - position < range.upperBound {
            let digit = bytes[index] &- 0x30
            guard digit < 10 else { break }
            value = value &* 10 &+ Int(digit)
            index += 1
        }
        let count = index - position
        guard count >= range.lowerBound else { return nil }
        position = index
        return (value, count)
    }

    /// Passes one to nine digits of a fraction and gives them in nanoseconds: `5` is 500,000,000.
    mutating func fraction(_ range: ClosedRange<Int> = 1...9) -> Int? {
        guard let (value, count) = digits(range) else { return nil }
        return value * CivilDate.nanosecondsPerStep(fractionDigits: count)
    }
}
