/// The kinds of JSON values, by the names of JSON Schema. A number without a fraction is an integer.
enum JSONKind: String, Sendable, CaseIterable {
    case null, boolean, integer, number, string, array, object

    /// Whether a value of a kind is one of this kind.
    func includes(_ other: JSONKind) -> Bool { self == other || self == .number && other == .integer }
}

extension JSONReader {
    /// The kind of the value at an offset; nil if none begins there.
    func kind(at offset: Int) -> JSONKind? {
        var reader = JSONReader(rereading: self, at: offset)
        switch reader.byte {
        case UInt8(ascii: "n"): return .null
        case UInt8(ascii: "t"), UInt8(ascii: "f"): return .boolean
        case UInt8(ascii: "\""): return .string
        case UInt8(ascii: "["): return .array
        case UInt8(ascii: "{"): return .object
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            return (try? reader.scanNumber()).map { ExactDigits($0.text).exponent >= 0 } == true ? .integer : .number
        default: return nil
        }
    }
}
