import Testing

@testable import ModelMirror

@Suite("Plain values")
struct PlainValuesTests {
    @Test("A value is kept for its container as a whole, without its parts")
    func kept() {
        var text = Array("[[1],2]".utf8)
        var values = PlainValues()
        func value(at offset: Int) -> String {
            text.withUnsafeBufferPointer { bytes in
                guard let start = bytes.baseAddress else { return "" }
                var reader = JSONReader(start, count: bytes.count, depth: .max)
                reader.offset = offset
                return "\((try? values.value(&reader)) ?? "null")"
            }
        }
        #expect(value(at: 0) == "[[1], 2]")
        // The new digit shows what is made anew.
        text[2] = UInt8(ascii: "3")
        #expect(value(at: 1) == "[3]")
        #expect(value(at: 0) == "[[1], 2]")
        #expect(value(at: 0) == "[[3], 2]")
    }
}
