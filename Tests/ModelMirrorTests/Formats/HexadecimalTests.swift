import Foundation
import Testing

@testable import ModelMirror

@Suite struct HexadecimalTests {
    @Test(
        arguments: [
            ("", []), ("00", [0]), ("ff", [255]), ("FF", [255]), ("fF0a", [255, 10]),
            ("0123456789abcdef", [1, 35, 69, 103, 137, 171, 205, 239]),
        ] as [(String, [UInt8])])
    func `Hexadecimal digits are read in any case and written in lower case`(text: String, bytes: [UInt8]) {
        #expect(Hexadecimal.decode(slice(text)) == Data(bytes))
        #expect(Array(text.utf8).withUnsafeBufferPointer { Hexadecimal.decode($0) } == Data(bytes))
        #expect(Hexadecimal.encode(bytes) == text.lowercased())
    }

    @Test(arguments: [
        "0", "000", "0g", "g0", "0x", "0x00", " 00", "00 ", "0 0", "-1", "ä", "００", "@0", "`0", "/0", ":0",
    ])
    func `Odd lengths and other characters are rejected as hexadecimal`(text: String) {
        #expect(Hexadecimal.decode(slice(text)) == nil)
    }

    @Test func `Every byte is written in hexadecimal and read back`() {
        let bytes = Array(UInt8.min...UInt8.max)
        #expect(Hexadecimal.decode(Array(Hexadecimal.encode(bytes).utf8)) == Data(bytes))
        #expect(Hexadecimal.encode(Data([0, 171])) == "00ab")
    }

    @Test func `Only the 22 hexadecimal digits have a value`() {
        let digits = (UInt8.min...UInt8.max).filter { Hexadecimal.value(ofDigit: $0) != nil }
        #expect(String(decoding: digits, as: UTF8.self) == "0123456789ABCDEFabcdef")
    }
}
