/// A set of ASCII characters as one bit each, so that membership is a shift and a mask and nothing is loaded from
/// memory.
///
/// ```swift
/// let hexDigits = ASCIISet("0123456789ABCDEFabcdef")
/// hexDigits.contains(UInt8(ascii: "f"))  // true
/// hexDigits.contains(0xC3)               // false, as for every byte that is not ASCII
/// ```
struct ASCIISet: Sendable {
    /// Bit n is set if the byte n is in the set.
    private var low: UInt64 = 0
    /// Bit n is set if the byte 64 + n is in the set.
    private var high: UInt64 = 0

    /// The set of the characters of a text; those that are not ASCII are left out.
    init(_ characters: String) {
        for byte in characters.utf8 {
            if byte < 64 {
                low |= 1 << UInt64(byte)
            } else if byte < 128 {
                high |= 1 << UInt64(byte - 64)
            }
        }
    }

    func contains(_ byte: UInt8) -> Bool {
        guard byte < 128 else { return false }
        return (byte < 64 ? low : high) &>> UInt64(byte & 63) & 1 == 1
    }
}
