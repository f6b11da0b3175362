import Foundation

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
