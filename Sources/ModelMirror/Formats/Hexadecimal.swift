#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Bytes as hexadecimal digits, two per byte, high half first: RFC 4648 section 8 ("base16").
enum Hexadecimal {
    /// The bytes of a hexadecimal text, in any case.
    ///
    /// ```swift
    /// Hexadecimal.decode(Array("00fF".utf8))  // the bytes 0 and 255
    /// Hexadecimal.decode(Array("0x00".utf8))  // nil
    /// ```
    ///
    /// - Returns: `nil` for an odd number of digits and any other character, including spaces and `0x`; no bytes for an empty
    ///   text.
    static func decode(_ bytes: some ByteString) -> Data? {
        guard bytes.count % 2 == 0 else { return nil }
        var decoded = [UInt8](repeating: 0, count: bytes.count / 2)
        var index = bytes.startIndex
        for target in decoded.indices {
            guard let high = value(ofDigit: bytes[index]), let low = value(ofDigit: bytes[index + 1]) else {
                return nil
            }
            decoded[target] = high << 4 | low
            index += 2
        }
        return Data(decoded)
    }

    /// The bytes in lower-case digits.
    ///
    /// ```swift
    /// Hexadecimal.encode([0, 255])  // "00ff"
    /// ```
    static func encode(_ bytes: some Collection<UInt8>) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count * 2)
        // A copy, because iterating over an array takes a tenth of the time of iterating over Data.
        for byte in Array(bytes) {
            text.append(JSONWriter.hexDigit(byte >> 4))
            text.append(JSONWriter.hexDigit(byte & 0xF))
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// 0...15 for `0`...`9`, `a`...`f` and `A`...`F`, else `nil`.
    static func value(ofDigit byte: UInt8) -> UInt8? {
        let value = JSONReader.hexValue(byte)
        return value > 15 ? nil : value
    }
}
