import ModelMirrorFoundation

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
    static func decode(_ bytes: some ByteString) -> Data? {
        var text = Array(bytes)
        if text.last != UInt8(ascii: "=") { text += repeatElement(UInt8(ascii: "="), count: (4 - text.count % 4) % 4) }
        if text.contains(UInt8(ascii: "-")) || text.contains(UInt8(ascii: "_")) {
            guard !text.contains(UInt8(ascii: "+")), !text.contains(UInt8(ascii: "/")) else { return nil }
            text = text.map {
                $0 == UInt8(ascii: "-") ? UInt8(ascii: "+") : $0 == UInt8(ascii: "_") ? UInt8(ascii: "/") : $0
            }
        }
        // Foundation may accept other texts for the same bytes; the one it makes has complete padding.
        guard let data = Data(base64Encoded: Data(text)), Array(data.base64EncodedData()) == text else { return nil }
        return data
    }

    /// The bytes in the standard alphabet, with padding, on one line.
    ///
    /// ```swift
    /// Base64.encode([0x4D])  // "TQ=="
    /// ```
    static func encode(_ bytes: some Collection<UInt8>) -> String { Data(bytes).base64EncodedString() }
}

/// Bytes as hexadecimal digits, two per byte, high half first: RFC 4648 section 8 ("base16").
package enum Hexadecimal {
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
            let (high, low) = (JSONReader.hexValue(bytes[index]), JSONReader.hexValue(bytes[index + 1]))
            guard high | low <= 15 else { return nil }
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
    package static func encode(_ bytes: some Collection<UInt8>) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count * 2)
        // A copy, because iterating over an array takes a tenth of the time of iterating over Data.
        for byte in Array(bytes) {
            text.append(JSONWriter.hexDigit(byte >> 4))
            text.append(JSONWriter.hexDigit(byte & 0xF))
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// 0...15 for `0`...`9`, `a`...`f` and `A`...`F`, otherwise `nil`.
    package static func value(ofDigit byte: UInt8) -> UInt8? {
        let value = JSONReader.hexValue(byte)
        return value > 15 ? nil : value
    }
}
