#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Bytes as base64: RFC 4648 section 4; decoding also accepts the URL alphabet of section 5 (`-_` for `+/`).
///
/// Three bytes are four characters of six bits each:
///
///     byte        0               1               2
///     bits   7 6 5 4 3 2 | 1 0 7 6 5 4 | 3 2 1 0 7 6 | 5 4 3 2 1 0
///     character    0             1             2             3
///
/// Decoding is strict, as section 3 requires: invalid text is refused as a whole, so for given bytes there is one text per
/// alphabet and padding.
enum Base64 {
    /// The bytes of a base64 text.
    ///
    /// The padding may be missing; if present, it must be complete. An empty text has no bytes.
    ///
    /// ```swift
    /// Base64.decode(Array("TQ==".utf8))  // the byte of "M"
    /// Base64.decode(Array("TQ".utf8))    // the same
    /// Base64.decode(Array("TR==".utf8))  // nil: leftover bits are not zero
    /// ```
    ///
    /// - Returns: `nil` for any other character (including white space), incomplete or misplaced padding, an impossible number
    ///   of characters, leftover bits that are not zero, or both alphabets in one text.
    static func decode<Bytes: RandomAccessCollection>(_ bytes: Bytes) -> Data?
    where Bytes.Element == UInt8, Bytes.Index == Int {
        var end = bytes.endIndex
        var padding = 0
        while padding < 2, end > bytes.startIndex, bytes[end - 1] == UInt8(ascii: "=") {
            end -= 1
            padding += 1
        }
        if padding > 0, bytes.count % 4 != 0 { return nil }
        let characterCount = end - bytes.startIndex
        let leftOver = characterCount % 4
        if leftOver == 1 { return nil }
        var decoded = [UInt8](repeating: 0, count: characterCount / 4 * 3 + max(0, leftOver - 1))
        let values = values
        var seen: UInt8 = 0
        func value(_ index: Int) -> UInt8 {
            let value = values[Int(bytes[index])]
            seen |= value
            return value
        }
        var target = 0
        var index = bytes.startIndex
        while index + 4 <= end {
            let (first, second, third, fourth) = (value(index), value(index + 1), value(index + 2), value(index + 3))
            decoded[target] = first << 2 | second >> 4 & 0b11
            decoded[target + 1] = second << 4 | third >> 2 & 0b1111
            decoded[target + 2] = third << 6 | fourth & 0b11_1111
            index += 4
            target += 3
        }
        if leftOver >= 2 {
            let (first, second) = (value(index), value(index + 1))
            let third = leftOver == 3 ? value(index + 2) : 0
            decoded[target] = first << 2 | second >> 4 & 0b11
            if leftOver == 3 { decoded[target + 1] = second << 4 | third >> 2 & 0b1111 }
            guard (leftOver == 3 ? third << 6 : second << 4) == 0 else { return nil }
        }
        return seen & invalid == invalid ? nil : Data(decoded)
    }

    /// The bytes in the standard alphabet, with padding, on one line.
    ///
    /// ```swift
    /// Base64.encode([0x4D])  // "TQ=="
    /// ```
    static func encode(_ bytes: some Collection<UInt8>) -> String {
        // A copy, because iterating over an array takes a tenth of the time of iterating over Data.
        let bytes = Array(bytes)
        let alphabet = alphabet
        var text = [UInt8](repeating: UInt8(ascii: "="), count: (bytes.count + 2) / 3 * 4)
        var target = 0
        for index in stride(from: 0, to: bytes.count, by: 3) {
            let second = index + 1 < bytes.count ? bytes[index + 1] : 0
            let third = index + 2 < bytes.count ? bytes[index + 2] : 0
            text[target] = alphabet[Int(bytes[index] >> 2)]
            text[target + 1] = alphabet[Int(bytes[index] << 4 & 0b11_1111 | second >> 4)]
            if index + 1 < bytes.count { text[target + 2] = alphabet[Int(second << 2 & 0b11_1111 | third >> 6)] }
            if index + 2 < bytes.count { text[target + 3] = alphabet[Int(third & 0b11_1111)] }
            target += 4
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Marks a character of the standard alphabet only, beside its six bits.
    private static let standardOnly: UInt8 = 0b0100_0000

    /// Marks a character of the URL alphabet only, beside its six bits.
    private static let urlOnly: UInt8 = 0b1000_0000

    /// Both marks: the value of a character in neither alphabet, and the union of the values of a text that mixes them. One
    /// test at the end detects either.
    private static let invalid: UInt8 = standardOnly | urlOnly

    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// The six bits of each byte, with the marks above.
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: invalid, count: 256)
        for (value, character) in alphabet.enumerated() {
            values[Int(character)] = UInt8(value) | (value < 62 ? 0 : standardOnly)
        }
        values[Int(UInt8(ascii: "-"))] = 62 | urlOnly
        values[Int(UInt8(ascii: "_"))] = 63 | urlOnly
        return values
    }()
}
