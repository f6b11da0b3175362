import Testing

@testable import ModelMirror

@Suite("Numbers in 32-bit words")
struct NarrowNumberTests {
    @Test(
        "Integers of more than nine digits are not read as short in a 32-bit word",
        arguments: [
            ("999999999", 999_999_999), ("-999999999", -999_999_999), ("0", 0), ("1000000000", nil),
            ("123456789012345678", nil), ("-4294967297", nil),
        ] as [(String, Int32?)])
    func narrowIntegers(_ text: String, _ value: Int32?) {
        let bytes = Array(text.utf8)
        let (narrow, wide) = bytes.withUnsafeBufferPointer { bytes in
            var reader = JSONReader(bytes.baseAddress!, count: bytes.count, depth: 1)
            var other = reader
            return (reader.readShortInteger(as: Int32.self), other.readShortInteger(as: Int64.self))
        }
        #expect(narrow == value)
        #expect(wide == Int64(text))
    }

    @Test(
        "Exponents are clamped alike in 32-bit and 64-bit words",
        arguments: [
            ("e5", 5), ("E-12", -12), ("e99999999", 99_999_999), ("e999999999", 999_999_999),
            ("e9999999999", 1_000_000_000), ("e-99999999999999999999", -1_000_000_000), ("e0000000000000000007", 7),
        ] as [(String, Int32)])
    func narrowExponents(_ text: String, _ value: Int32) throws {
        let bytes = Array(text.utf8)
        let (narrow, wide) = try bytes.withUnsafeBufferPointer { bytes in
            var reader = JSONReader(bytes.baseAddress!, count: bytes.count, depth: 1)
            var other = reader
            return (try reader.passExponent(as: Int32.self), try other.passExponent(as: Int64.self))
        }
        #expect(narrow == value)
        #expect(wide == Int64(value))
    }
}
