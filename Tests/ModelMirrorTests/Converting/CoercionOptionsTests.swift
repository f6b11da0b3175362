import Foundation
import ModelMirror
import Testing

private final class Values: AbstractModel {
    var text = "start"
    var part: Substring?
    var count = 7
    var small: Int8? = 7
    var size: UInt = 7
    var huge: Int128 = 7
    var counts: [Int] = []
    var ratio = 0.5
    var ratios: [String: Float] = [:]
    var amount: Decimal? = 7
    var nested: Nested?
}

private final class Nested: AbstractModel {
    var count = 7
    override class var mappingOptions: MappingOptions { MappingOptions(integers: .rounded) }
}

@Suite("The options stringsFromBooleans, numbersFromBooleans and integers")
struct CoercionOptionsTests {
    @Test("stringsFromBooleans turns Booleans into their words, lenient and strict", arguments: [false, true])
    func strings(strict: Bool) throws {
        let options = MappingOptions(strict: strict, stringsFromBooleans: true)
        let (values, report) = try Values.mapReporting(json: #"{"text": true, "part": false}"#, options: options)
        #expect((values.text, values.part) == ("true", "false"))
        #expect(
            report.entries.filter { $0.kind != .missing }.map(\.description) == [
                "coerced: Values.text at $.text (line 1, column 10): expected a string, found true.",
                "coerced: Values.part at $.part (line 1, column 24): expected a string, found false.",
            ])
        #expect(try Values(json: #"{"text": true}"#).text == "start")
        #expect(try Values(json: #"{"text": 1}"#, options: MappingOptions(stringsFromBooleans: true)).text == "start")
    }

    @Test("numbersFromBooleans turns Booleans into 1 and 0, lenient and strict", arguments: [false, true])
    func numbers(strict: Bool) throws {
        let json = #"{"count": true, "ratio": true, "ratios": {"a": false}, "amount": true, "huge": false}"#
        let options = MappingOptions(strict: strict, numbersFromBooleans: true)
        let (values, report) = try Values.mapReporting(json: json, options: options)
        #expect(values.count == 1)
        #expect(values.ratio == 1)
        #expect(values.ratios == ["a": 0])
        #expect(values.amount == 1)
        #expect(values.huge == 0)
        #expect(report.entries.map(\.kind).filter { $0 != .missing } == Array(repeating: .coerced, count: 5))
    }

    @Test(
        "integers decides how a fraction is converted",
        arguments: [
            ("1.9", 1, 2), ("-1.9", -1, -2), ("2.5", 2, 3), ("-2.5", -2, -3), ("2.4999999999999999999", 2, 2),
            ("0.5", 0, 1), ("-0.4", 0, 0), ("0.05", 0, 0), ("15e-1", 1, 2), ("1e-400", 0, 0), ("1.0", 1, 1),
            ("126.5", 126, 127),
        ] as [(String, Int, Int)])
    func fractions(number: String, truncated: Int, rounded: Int) throws {
        let json = #"{"count": \#(number), "small": \#(number), "huge": "\#(number)", "counts": [\#(number)]}"#
        for (conversion, value) in [(IntegerConversion.truncated, truncated), (.rounded, rounded)] {
            let (values, report) = try Values.mapReporting(json: json, options: MappingOptions(integers: conversion))
            #expect(values.count == value)
            #expect(values.small == Int8(value))
            #expect(values.huge == Int128(value))
            #expect(values.counts == [value])
            #expect(
                report.entries.map(\.kind).filter { $0 != .missing }
                    == Array(repeating: .coerced, count: number == "1.0" ? 1 : 4))
        }
        let exact = try Values(json: json, options: MappingOptions(integers: .exact))
        #expect(exact.count == (number == "1.0" ? 1 : 7))
    }

    @Test("A converted fraction never leaves its type, and exact integers of 128 bits are not rounded")
    func ranges() throws {
        let rounded = MappingOptions(integers: .rounded)
        for (number, small) in [("127.5", 7), ("-128.5", 7), ("-128.4", -128)] as [(String, Int8)] {
            #expect(try Values(json: #"{"small": \#(number)}"#, options: rounded).small == small, "\(number)")
        }
        #expect(try Values(json: #"{"size": -0.5}"#, options: rounded).size == 7)
        #expect(try Values(json: #"{"size": -0.5}"#, options: MappingOptions(integers: .truncated)).size == 0)
        #expect(
            try Values(json: #"{"huge": 170141183460469231731687303715884105726.5}"#, options: rounded).huge == .max)
        #expect(try Values(json: #"{"count": 1e30}"#, options: rounded).count == 7)
        #expect(try Values(json: #"{"count": "a"}"#, options: rounded).count == 7)
    }

    @Test("In strict mapping, integers converts numbers only; a class's option holds for its objects")
    func strict() throws {
        let options = MappingOptions(strict: true, integers: .truncated)
        #expect(try Values(json: #"{"count": 1.5}"#, options: options).count == 1)
        #expect(throws: ModelError.self) { try Values(json: #"{"count": "1.5"}"#, options: options) }
        let values = try Values(json: #"{"count": 1.5, "nested": {"count": 1.5}}"#)
        #expect(values.count == 7)
        #expect(values.nested?.count == 2)
        #expect(try values.update(json: #"{"nested": {"count": "3.5"}}"#).entries.map(\.kind) == [.coerced])
        #expect(values.nested?.count == 4)
    }
}
