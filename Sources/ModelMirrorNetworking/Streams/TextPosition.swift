import Foundation
import ModelMirror

/// A place in a text that arrives in pieces: it moves forward over the bytes as they are passed.
///
/// Lines end with LF, CR LF or CR; a column is one Unicode scalar; offsets count every byte, a byte order mark included.
struct TextPosition: Sendable {
    private(set) var place: ErrorPlace
    /// Whether the last byte was a CR, so that an LF ends no line of its own.
    private var isAfterReturn = false

    /// - Parameter offset: 3 after a byte order mark.
    init(offset: Int = 0) { place = ErrorPlace(line: 1, column: 1, offset: offset) }

    /// Moves over bytes.
    mutating func advance(over bytes: ArraySlice<UInt8>) {
        var (line, column, isAfterReturn) = (place.line, place.column, isAfterReturn)
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "\n"):
                if !isAfterReturn { line += 1 }
                column = 1
            case UInt8(ascii: "\r"):
                line += 1
                column = 1
            case 0x80..<0xC0: break  // not the first byte of its character
            default: column += 1
            }
            isAfterReturn = byte == UInt8(ascii: "\r")
        }
        self.isAfterReturn = isAfterReturn
        place = ErrorPlace(line: line, column: column, offset: place.offset + bytes.count)
    }
}

extension ErrorPlace {
    /// The place in a text for a place in a part of it that begins here.
    func moved(to inner: ErrorPlace) -> ErrorPlace {
        ErrorPlace(
            line: line + inner.line - 1, column: inner.line == 1 ? column + inner.column - 1 : inner.column,
            offset: offset + inner.offset)
    }

    /// The place in a text for a place in it with a bracket in front.
    var withoutBracket: ErrorPlace {
        ErrorPlace(line: line, column: line == 1 ? column - 1 : column, offset: offset - 1)
    }
}

/// Takes the UTF-8 byte order mark off the beginning of a text that arrives in pieces of any size.
struct ByteOrderMark: Sendable {
    private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

    private var held: [UInt8] = []
    private var isPassed = false
    /// How many bytes were taken off: 3 or 0.
    private(set) var length = 0

    /// The bytes that can be read now: those of the chunk, but for what is or may be the mark.
    mutating func strip(_ chunk: Data) -> [UInt8] {
        if isPassed { return Array(chunk) }
        held += chunk
        if held.count < 3, Self.mark.starts(with: held) { return [] }
        isPassed = true
        defer { held = [] }
        guard held.starts(with: Self.mark) else { return held }
        length = 3
        return Array(held.dropFirst(3))
    }

    /// What was held back, at the end of the text.
    mutating func finish() -> [UInt8] {
        isPassed = true
        defer { held = [] }
        return held
    }
}
