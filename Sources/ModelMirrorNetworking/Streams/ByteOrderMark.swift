#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Removes the UTF-8 byte order mark from a text that arrives in pieces of any size.
struct ByteOrderMark: Sendable {
    private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

    private var held: [UInt8] = []
    private var isPassed = false
    /// The number of bytes removed: 3 or 0.
    private(set) var length = 0

    /// The bytes of a chunk without the mark; bytes that may begin the mark are held back.
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

    /// The bytes held back, at the end of the text.
    mutating func finish() -> [UInt8] {
        isPassed = true
        defer { held = [] }
        return held
    }
}
