import Testing

@testable import ModelMirror

@Suite struct RGBAColorTests {
    private func color(_ red: Int, _ green: Int, _ blue: Int, _ alpha: Int = 255) -> RGBAColor {
        RGBAColor(
            red: Double(red) / 255, green: Double(green) / 255, blue: Double(blue) / 255, alpha: Double(alpha) / 255)
    }

    @Test(arguments: [
        ("#F80", 0xFF, 0x88, 0x00, 0xFF), ("#F808", 0xFF, 0x88, 0x00, 0x88), ("#FF8001", 0xFF, 0x80, 0x01, 0xFF),
        ("#FF800142", 0xFF, 0x80, 0x01, 0x42), ("f80", 0xFF, 0x88, 0x00, 0xFF), ("ff8001", 0xFF, 0x80, 0x01, 0xFF),
        ("fF80aB00", 0xFF, 0x80, 0xAB, 0x00), (" #123456 ", 0x12, 0x34, 0x56, 0xFF),
        ("\t\r\n#000\u{B}\u{C}\n", 0, 0, 0, 0xFF), ("000000", 0, 0, 0, 0xFF), ("0000", 0, 0, 0, 0),
    ])
    func `Hexadecimal colors are read as red, green, blue and alpha`(
        text: String, red: Int, green: Int, blue: Int, alpha: Int
    ) {
        let expected = color(red, green, blue, alpha)
        #expect(RGBAColor(hex: text) == expected)
        #expect(RGBAColor(bytes: slice(text)) == expected)
        #expect(Array(text.utf8).withUnsafeBufferPointer { RGBAColor(bytes: $0) } == expected)
    }

    @Test(arguments: [
        ("#8F80", 0xFF, 0x88, 0x00, 0x88), ("#42FF8001", 0xFF, 0x80, 0x01, 0x42), ("#F80", 0xFF, 0x88, 0x00, 0xFF),
        (" ff8001\n", 0xFF, 0x80, 0x01, 0xFF),
    ])
    func `ARGB colors are read with alpha first`(text: String, red: Int, green: Int, blue: Int, alpha: Int) {
        #expect(RGBAColor(argbHex: text) == color(red, green, blue, alpha))
        #expect(RGBAColor(bytes: slice(text), isAlphaFirst: true) == color(red, green, blue, alpha))
    }

    @Test(arguments: [
        "", "#", " ", "# ", "0", "00", "#FF", "00000", "#0000000", "000000000", "FF0000FF80", "FFZZZZ", "GGGGGG",
        "0xFFFF", "0xFF", "12 456", "##FFFFFF", "##FFF", "# FFFFFF", "FFFFFF#", "#FFF FFF", "-FFFFF", "+FF", "ＦＦＦ",
        "\u{A0}FFF", "red", "rgb(0,0,0)",
    ])
    func `Other texts are rejected as colors`(text: String) {
        #expect(RGBAColor(hex: text) == nil)
        #expect(RGBAColor(argbHex: text) == nil)
        #expect(RGBAColor(bytes: slice(text)) == nil)
    }

    @Test func `Color components are clamped to the range from 0 to 1`() {
        let color = RGBAColor(red: -0.5, green: 1.5, blue: .nan, alpha: .infinity)
        #expect([color.red, color.green, color.blue, color.alpha] == [0, 1, 0, 1])
        #expect(RGBAColor(red: -0.0, green: 0, blue: 0).red.sign == .plus)
        #expect(RGBAColor(red: 0.1, green: 0.2, blue: 0.3, alpha: 0.4).blue == 0.3)
        #expect(RGBAColor(red: 0, green: 0, blue: 0).alpha == 1)
        #expect(RGBAColor(red: 0, green: 0, blue: 0, alpha: -.infinity).alpha == 0)
    }

    @Test(arguments: [
        (0xFF, 0x80, 0x01, 0xFF, "#FF8001", "#FF8001"), (0xFF, 0x80, 0x01, 0x42, "#FF800142", "#42FF8001"),
        (0, 0, 0, 0, "#00000000", "#00000000"), (0, 0, 0, 0xFE, "#000000FE", "#FE000000"),
        (0xAB, 0xCD, 0xEF, 0xFF, "#ABCDEF", "#ABCDEF"),
    ])
    func `A color is written in upper case, with alpha if it is not opaque`(
        red: Int, green: Int, blue: Int, alpha: Int, hex: String, argbHex: String
    ) {
        #expect(color(red, green, blue, alpha).hex == hex)
        #expect(color(red, green, blue, alpha).argbHex == argbHex)
    }

    @Test func `Color components are rounded to whole bytes when written`() {
        #expect(RGBAColor(red: 0.5, green: 0.499, blue: 0.001, alpha: 0.999).hex == "#807F00")
    }

    @Test func `Every value of every color component is read back equal`() {
        for value in 0...255 {
            let color = color(value, 255 - value, value / 2, (value + 77) % 256)
            #expect(RGBAColor(hex: color.hex) == color)
            #expect(RGBAColor(argbHex: color.argbHex) == color)
            #expect(RGBAColor(hex: color.hex)?.hex == color.hex)
        }
    }
}
