/// UTF-8 text as the formats read it: an array, a buffer, or a part of one.
package protocol ByteString: RandomAccessCollection where Element == UInt8, Index == Int, SubSequence: ByteString {}
extension Array: ByteString where Element == UInt8 {}
extension ArraySlice: ByteString where Element == UInt8 {}
extension UnsafeBufferPointer: ByteString where Element == UInt8 {}
extension Slice: ByteString where Base: ByteString {}

/// A position in UTF-8 text that advances over ASCII; used by the date parsers.
///
/// A method that does not find its text returns `nil` or `false` and does not move. No method allocates memory or reads beyond
/// the end.
///
/// ```swift
/// var cursor = ASCIICursor(Array("18:30".utf8))
/// cursor.digits(2)      // 18
/// cursor.skip(":")      // true
/// cursor.digits(2...4)  // (value: 30, count: 2)
/// cursor.isAtEnd        // true
/// ```
struct ASCIICursor<Bytes: ByteString> {
    private let bytes: Bytes
    /// The index of the next byte; the collection's own index, which need not begin at 0.
    private var position: Int
    private var end: Int { bytes.endIndex }

    init(_ bytes: Bytes) { (self.bytes, position) = (bytes, bytes.startIndex) }

    /// Whether all text has been read; parsers check it last to refuse trailing text.
    var isAtEnd: Bool { position == end }

    /// The next byte, without reading it; `nil` at the end.
    var next: UInt8? { position < end ? bytes[position] : nil }

    /// Reads one byte if it is the given one.
    mutating func skip(_ byte: UInt8) -> Bool {
        guard position < end, bytes[position] == byte else { return false }
        position += 1
        return true
    }

    /// Reads one byte if it is the given ASCII character; the argument is a literal in every call.
    mutating func skip(_ character: Unicode.Scalar) -> Bool { skip(UInt8(truncatingIfNeeded: character.value)) }

    /// Reads a word, ignoring case.
    ///
    /// - Parameter word: ASCII letters only; the case test relies on it.
    mutating func skip(ignoringCase word: some Collection<UInt8>) -> Bool {
        // Setting this bit makes upper-case letters lower-case, and turns no other byte into a letter.
        guard word.count <= end - position,
            zip(word, position..<end).allSatisfy({ letter, index in bytes[index] | 0x20 == letter | 0x20 })
        else { return false }
        position += word.count
        return true
    }

    /// Reads exactly `count` decimal digits; further digits are not read.
    mutating func digits(_ count: Int) -> Int? { digits(count...count)?.value }

    /// Reads as many decimal digits as there are, up to the upper bound, which is at most 9.
    ///
    /// - Returns: their value and number, or `nil` if there are fewer than the lower bound.
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
}
