import ModelMirror

/// Escaping of bytes as `%` and two hexadecimal digits, RFC 3986 section 2.1.
package enum PercentEscaping {
    /// Whether a byte needs no escape anywhere: letters, digits and `-._~`, RFC 3986 section 2.3.
    static func isUnreserved(_ byte: UInt8) -> Bool { byte.isLetterOrDigit || "-._~".utf8.contains(byte) }

    /// The text with all bytes escaped except those kept, in upper-case hexadecimal digits.
    static func escaped(_ text: String, spaceAsPlus: Bool = false, keeping isKept: (UInt8) -> Bool) -> String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        for byte in text.utf8 {
            if isKept(byte) {
                bytes.append(byte)
            } else if spaceAsPlus, byte == UInt8(ascii: " ") {
                bytes.append(UInt8(ascii: "+"))
            } else {
                bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static let digits = Array("0123456789ABCDEF".utf8)

    /// The text of a URL with the escapes of unreserved bytes decoded, and upper-case digits in the others, RFC 3986 section 6.2.2.
    static func normalized(_ text: String) -> String {
        let parts = text.split(separator: "%", omittingEmptySubsequences: false)
        return parts.dropFirst().reduce(into: String(parts[0])) { text, part in
            let escape = "%" + part.prefix(2)
            let plain = unescaped(escape).flatMap { $0.utf8.allSatisfy(isUnreserved) ? $0 : nil }
            text += (plain ?? escape.uppercased()) + part.dropFirst(2)
        }
    }

    /// The text with its escapes decoded; nil for an escape without two digits, and for bytes that are not UTF-8.
    ///
    /// ```swift
    /// PercentEscaping.unescaped("a%2Fb+c")  // "a/b+c"
    /// PercentEscaping.unescaped("100%")     // nil
    /// ```
    package static func unescaped(_ text: some StringProtocol) -> String? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(Hexadecimal.value),
                let low = rest.popFirst().flatMap(Hexadecimal.value)
            else { return nil }
            bytes.append(high << 4 | low)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
