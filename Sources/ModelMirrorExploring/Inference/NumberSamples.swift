import ModelMirror

/// What all numbers at one place have in common.
struct NumberSamples {
    private(set) var count = 0
    /// Whether integers of each width can hold all of them.
    private var fitsInt = true
    private var fitsUInt64 = true
    private var fitsInt128 = true
    private var fitsUInt128 = true
    /// Whether all are whole numbers without a point, an exponent or a sign of zero.
    private var areIntegers = true
    private var fitsDouble = true
    private var fitsDecimal = true
    private var areSeconds = true
    private var areMilliseconds = true

    mutating func add(_ text: String) {
        count += 1
        let small = Int64(text)
        if let small, small != 0 || text == "0" {
            fitsUInt64 = fitsUInt64 && small >= 0
            fitsUInt128 = fitsUInt128 && small >= 0
            // Beyond 2⁵³ a Double does not hold every integer.
            if small.magnitude > 1 << 53 { fitsDouble = fitsDouble && Double(exactly: small) != nil }
            areSeconds = areSeconds && 100_000_000..<5_000_000_000 ~= small
            areMilliseconds = areMilliseconds && 100_000_000_000..<5_000_000_000_000 ~= small
            return
        }
        areSeconds = false
        areMilliseconds = false
        fitsInt = false
        let isInteger = text != "-0" && !text.utf8.contains { [0x2E, 0x45, 0x65].contains($0) }
        areIntegers = areIntegers && isInteger
        guard let number = JSONNumber(text) else { return }
        fitsUInt64 = fitsUInt64 && number.integer(UInt64.self) != nil
        fitsInt128 = fitsInt128 && number.integer(Int128.self) != nil
        fitsUInt128 = fitsUInt128 && number.integer(UInt128.self) != nil
        fitsDouble = fitsDouble && NumberSamples.isDouble(number, isInteger: isInteger)
        fitsDecimal = fitsDecimal && number.decimal.flatMap { JSONNumber($0) } == number
    }

    /// Whether a `Double` keeps a number: exactly or, if it is not an integer, in at most 17 digits, the most a `Double` needs.
    private static func isDouble(_ number: JSONNumber, isInteger: Bool) -> Bool {
        guard let double = number.double, let written = JSONNumber(double) else { return false }
        if written == number { return true }
        let digits = number.text.utf8.prefix { $0 | 0x20 != UInt8(ascii: "e") }.filter { 0x30...0x39 ~= $0 }
        return !isInteger && double != 0 && digits.drop { $0 == 0x30 }.count <= 17
    }

    /// The type of a property that can hold all of them.
    ///
    /// - Parameter key: The key of the property, whose words tell whether large integers are times.
    func shape(key: String) -> ValueShape {
        if fitsInt, areSeconds || areMilliseconds, KeyWords(key).suggestsTime {
            return .date(areMilliseconds ? .millisecondsSince1970 : .secondsSince1970)
        }
        return .number(type)
    }

    /// The type that can hold all of them without loss.
    var type: NumberType {
        if areIntegers {
            return fitsInt ? .int : fitsUInt64 ? .uint64 : fitsInt128 ? .int128 : fitsUInt128 ? .uint128 : .exact
        }
        return fitsDouble ? .double : fitsDecimal ? .decimal : .exact
    }
}

/// The types of numbers.
enum NumberType: String {
    case int = "Int"
    case uint64 = "UInt64"
    case int128 = "Int128"
    case uint128 = "UInt128"
    case double = "Double"
    case decimal = "Decimal"
    case exact = "JSONNumber"
}
