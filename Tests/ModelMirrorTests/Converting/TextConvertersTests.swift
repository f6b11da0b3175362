import Foundation
import ModelMirror
import Testing

@Suite("Text converters")
struct TextConvertersTests {
    private final class Texts: AbstractModel {
        var color = RGBAColor(red: 0.5, green: 0.5, blue: 0.5)
        var optionalColor: RGBAColor?
        var colors: [RGBAColor] = []
        var colorsByName: [String: RGBAColor] = [:]
        var hex: Data?
        var hexes: Set<Data> = []
        var base64 = Data([7])
        var base64s: [String: [Data]] = [:]
        var either: Data?

        override class var propertyConverters: [String: any Converter] {
            [
                "color": .argbHex, "optionalColor": .argbHex, "colors": .argbHex, "colorsByName": .argbHex, "hex": .hex,
                "hexes": .hex, "base64": .base64, "base64s": .base64, "either": .any([.hex, .base64]),
            ]
        }
    }

    @Test("Text converters read properties, Optionals and collections", arguments: [MappingOptions(), .strict])
    func properties(options: MappingOptions) throws {
        let json = #"""
            {"color": "#80FF0000", "optionalColor": "#F00", "colors": ["8f00", " 00FF00 "],
            "colorsByName": {"a": "#0000"},
            "hex": "00fF", "hexes": ["", "0a"], "base64": "_w", "base64s": {"b": ["TQ==", ""]}, "either": "TWFu"}
            """#
        let (texts, report) = try Texts.mapReporting(json: json, options: options)
        #expect(texts.color == RGBAColor(red: 1, green: 0, blue: 0, alpha: 128 / 255.0))
        #expect(texts.optionalColor == RGBAColor(red: 1, green: 0, blue: 0))
        #expect(
            texts.colors == [
                RGBAColor(red: 1, green: 0, blue: 0, alpha: 136 / 255.0), RGBAColor(red: 0, green: 1, blue: 0),
            ])
        #expect(texts.colorsByName == ["a": RGBAColor(red: 0, green: 0, blue: 0, alpha: 0)])
        #expect(texts.hex == Data([0, 255]))
        #expect(texts.hexes == [Data(), Data([10])])
        #expect(texts.base64 == Data([255]))
        #expect(texts.base64s == ["b": [Data("M".utf8), Data()]])
        #expect(texts.either == Data("Man".utf8))
        #expect(report.description == "nothing to report")
    }

    @Test(
        "Other values are rejected with the expected form",
        arguments: [
            ("color", "a color like #AARRGGBB", ["FFZZZZ", "0xFFFF", "12 456", "", "red", "##FFF"]),
            ("hex", "hexadecimal digits, two a byte", ["0", "0g", "0x00", " 00", "TQ=="]),
            ("base64", "base64", ["T", "TQ=", "TR==", " TQ==", "TQ!="]),
            ("either", "hexadecimal digits, two a byte or base64", ["T", "!", "TQ=", "0"]),
        ] as [(String, String, [String])])
    func refused(property: String, expected: String, texts: [String]) throws {
        for json in texts.map({ "\"\($0)\"" }) + ["1", "true", "[]", "{}"] {
            let document = #"{"\#(property)": \#(json)}"#
            let (model, report) = try Texts.mapReporting(json: document)
            #expect(model.color == RGBAColor(red: 0.5, green: 0.5, blue: 0.5))
            #expect(model.hex == nil)
            #expect(model.base64 == Data([7]))
            #expect(model.either == nil)
            let entries = report.entries.filter { $0.kind == .fallback }
            #expect(entries.map(\.expected) == [expected])
            #expect(entries.map(\.path.description) == ["$.\(property)"])
            let error = #expect(throws: ModelError.self) { try Texts(json: document, options: .strict) }
            #expect(
                error?.description.hasPrefix(
                    "Texts.\(property) at $.\(property) (line 1, column \(property.count + 6)): expected "
                        + "\(expected), found "
                )
                    == true)
        }
    }

    @Test(
        ".argbHex reads and writes colors with alpha first",
        arguments: [
            ("#FF0000", "#FF0000"), ("#80FF0000", "#80FF0000"), ("#f00", "#FF0000"), ("#8f00", "#88FF0000"),
            ("#FFFF0000", "#FF0000"), ("00000000", "#00000000"),
        ])
    func argb(text: String, written: String) throws {
        let converter = AnyConverter<RGBAColor>.argbHex
        let color = try converter.value(from: .string(text))
        #expect(try converter.json(from: color) == .string(written))
        #expect(try converter.value(from: .string(written)) == color)
    }

    @Test(
        ".hex and .base64 read and write bytes", arguments: [[], [0], [255], [1, 2, 3], Array(0...255)] as [[UInt8]])
    func bytes(bytes: [UInt8]) throws {
        let data = Data(bytes)
        let digits = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        #expect(try AnyConverter<Data>.hex.json(from: data) == .string(digits))
        #expect(try AnyConverter<Data>.hex.value(from: .string(digits)) == data)
        #expect(try AnyConverter<Data>.hex.value(from: .string(digits.uppercased())) == data)
        let text = data.base64EncodedString()
        #expect(try AnyConverter<Data>.base64.json(from: data) == .string(text))
        #expect(try AnyConverter<Data>.base64.value(from: .string(text)) == data)
    }

    @Test("Values that are not strings throw a ConversionError", arguments: ["null", "1", "true", "[]", "{}"])
    func others(json: String) throws {
        let value = try JSONValue(json: json)
        #expect(throws: ConversionError(expected: "a color like #AARRGGBB")) {
            try AnyConverter<RGBAColor>.argbHex.value(from: value)
        }
        #expect(throws: ConversionError(expected: "hexadecimal digits, two a byte")) {
            try AnyConverter<Data>.hex.value(from: value)
        }
        #expect(throws: ConversionError(expected: "base64")) { try AnyConverter<Data>.base64.value(from: value) }
    }
}
