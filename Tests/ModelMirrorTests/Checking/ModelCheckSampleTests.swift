import Foundation
import ModelMirror
import ModelMirrorTesting
import Testing

private class Account: AbstractModel {
    var id = 0
    var name: String?
    var seen: Date?
    var price: Cents?
    var plan = "free"
    var token = ""

    override class var propertyConverters: [String: any Converter] {
        ["price": CentsConverter(), "seen": .secondsSince1970]
    }
    override class var requiredProperties: Set<String> { ["id"] }
    override class var readOnlyProperties: Set<String> { ["token"] }
}

private struct Cents: Equatable {
    var count: Int
}

private struct CentsConverter: Converter {
    func value(from json: JSONValue) throws -> Cents {
        guard let amount = json.double else { throw ConversionError(expected: "an amount") }
        return Cents(count: Int(amount * 100))
    }
    /// Loses the fraction of an amount.
    func json(from value: Cents) throws -> JSONValue { .number(JSONNumber(value.count / 100)) }
}

private final class Misnamed: AbstractModel {
    var id = 0
    override class var requiredProperties: Set<String> { ["ID"] }
}

/// A property set to nil is not written, so it has its default again when it is read.
private final class Forgetful: AbstractModel {
    var note: String? = "none"
}

/// Accepts a number where its converter expects a string.
private final class Loose: AbstractModel {
    var size = 0
    override class var propertyConverters: [String: any Converter] {
        ["size": .converting(String.self, { Int($0) }, back: { "\($0)" })]
    }
    override class var mappingOptions: MappingOptions { MappingOptions(stringsFromNumbers: true) }
}

/// Requires a key that it does not write.
private final class ReadOnly: AbstractModel {
    var id = 0
    override class var requiredProperties: Set<String> { ["id"] }
    override class var readOnlyProperties: Set<String> { ["id"] }
}

private final class Holders: AbstractModel {
    var numbered: [Int: ReadOnly] = [:]
    var maybe: [ReadOnly?] = []
    var rows: [[ReadOnly]]?
    var contiguous: ContiguousArray<ReadOnly> = []
    var range = 0..<0
}

/// Writes 0 as a string that it cannot read; lenient mapping keeps the default, which is 0.
private final class Blank: AbstractModel {
    var size = 0
    override class var propertyConverters: [String: any Converter] {
        ["size": .converting(String.self, { Int($0) }, back: { $0 == 0 ? "" : "\($0)" })]
    }
}

/// An enum that is read and written with each of its raw values, but does not list them all in `allCases`.
private enum Plan: String, CaseIterable {
    case free, pro
    static var allCases: [Plan] { [.free] }
}

private final class Upgrading: AbstractModel {
    var plan = Plan.free
    override func didMap() { plan = .pro }
}

private final class Planned: AbstractModel {
    var plan = Plan.free
    override class var readOnlyProperties: Set<String> { ["plan"] }
}

private final class Refusing: AbstractModel {
    struct TwoLines: Error, CustomStringConvertible { var description: String { "too many:\n5 of 4" } }

    var size = 0
    override func didMap() throws { throw TwoLines() }
}

@Suite("Checks of a class with a sample")
struct ModelCheckSampleTests {
    private let sample = #"{"id": 1, "name": "a", "seen": 7.5, "price": 2, "plan": "pro", "token": "x"}"#

    @Test("A sample that a class reads, keeps and writes has no findings")
    func noFindings() {
        var findings = ModelCheck.check(Account.self, sample: sample)
        findings += ModelCheck.check(Account.self, sample: "[\(sample), \(sample)]")
        findings += ModelCheck.check(Account.self, sample: #"{"data": [\#(sample)]}"#, at: ["data", 0])
        // An integer with a zero fraction or an exponent, and a required property that is only read, in each collection.
        findings += ModelCheck.check(ReadOnly.self, sample: #"{"id": 1}"#)
        findings += ModelCheck.check(ReadOnly.self, sample: #"[{"id": 1.0}, {"id": 1e3}]"#)
        let one = #"{"id": 1}"#
        findings += ModelCheck.check(
            Holders.self,
            sample: #"""
                {"numbered": {"7": \#(one)}, "maybe": [\#(one), null], "rows": [[\#(one)], []], "contiguous": [\#(one)],
                "range": [0, 9223372036854775807]}
                """#)
        // By the options of the call and of the class.
        findings += ModelCheck.check(
            Forgetful.self, sample: #"{"note": null}"#, options: MappingOptions(writesNulls: true))
        findings += ModelCheck.check(Loose.self, sample: #"{"size": "7"}"#)
        // Each names its class.
        #expect(findings == [])
    }

    @Test("A sample that cannot be mapped, or holds no object, is reported with the reason")
    func unmapped() {
        #expect(
            ModelCheck.check(Account.self, sample: #"{"data": []}"#, at: "data") == [
                "The sample for Account is an empty array; expected at least one object to check."
            ])
        #expect(
            ModelCheck.check(Misnamed.self, sample: "{}") == [
                #"Misnamed cannot be mapped: requiredProperties names "ID", which is not a stored property of Misnamed (did you mean "id"?)."#
            ])
        #expect(
            ModelCheck.check(Account.self, sample: #"{"name": 7}"#) == [
                "Account.id at $.id (line 1, column 1): expected an integer, found no such key."
            ])
        #expect(
            ModelCheck.check(Account.self, sample: "[") == [
                "Invalid JSON at line 1, column 2 (byte 1): expected a value (an object, array, string, number, true, false or null), "
                    + "found the end of the document."
            ])
    }

    @Test("An error of two lines is one finding, and failures beyond the limit are counted")
    func linesAndLimit() {
        #expect(
            ModelCheck.check(Refusing.self, sample: #"[{"size": 1}, {"size": "x"}]"#, options: .strict) == [
                "Refusing at $[0] (line 1, column 2): expected an object that didMap accepts, found an object: too many:\n5 of 4.",
                #"Refusing.size at $[1].size (line 1, column 24): expected an integer, found the string "x"."#,
            ])
        let found = ModelCheck.check(
            Refusing.self, sample: "[{}, {}, {}]", options: MappingOptions(requiresNonOptional: true, failures: 1))
        #expect(
            found == [
                "Refusing.size at $[0].size (line 1, column 2): expected an integer, found no such key.",
                "2 more failures are not listed.",
            ])
    }

    @Test("Tolerated deviations are reported")
    func deviations() {
        let other = sample.replacing(#""token""#, with: #""tokn""#)
        #expect(
            ModelCheck.check(Account.self, sample: other) == [
                "missing: Account.token at $.token (line 1, column 1): expected a string, found no such key.",
                #"unknownKey: Account at $.tokn (line 1, column 72): expected a key of Account, found the key "tokn"."#,
            ])
        let ignoring = MappingOptions(unknownKeys: .ignored)
        #expect(ModelCheck.check(Account.self, sample: other, options: ignoring).count == 1)
    }

    @Test("A skipped element is the only finding of its sample")
    func skippedElement() {
        let found = ModelCheck.check(
            Account.self, sample: "[7, \(sample)]", options: MappingOptions(skipsInvalidElements: true))
        #expect(found.count == 1 && found.first?.contains("$[0]") == true)
    }

    @Test("A property that is read back unequal is reported")
    func unequal() {
        #expect(
            ModelCheck.check(
                Account.self, sample: "[\(sample.replacing("2", with: "2.5"))]") == [
                    "Account [0] does not keep its property price: what is read back is not equal."
                ])
        #expect(
            ModelCheck.check(Forgetful.self, sample: #"{"note": null}"#) == [
                "Forgetful does not keep its property note: nil is read back as \"none\"."
            ])
    }

    @Test("Output that strict mapping rejects is reported")
    func rejectedOutput() {
        #expect(
            ModelCheck.check(Blank.self, sample: #"[{"size": "7"}, {"size": "0"}]"#) == [
                "Blank [1] writes what strict mapping rejects: Blank.size at $.size (line 1, column 9): "
                    + #"expected a string convertible to Int, found the string ""."#
            ])
    }

    @Test("Output or a sample that the schema does not accept is reported")
    func schemaMismatch() {
        #expect(
            ModelCheck.check(Upgrading.self, sample: #"{"plan": "free"}"#) == [
                "Upgrading writes what its JSON Schema does not accept."
            ])
        #expect(ModelCheck.check(Planned.self, sample: #"{"plan": "free"}"#) == [])
        #expect(
            ModelCheck.check(Planned.self, sample: #"{"plan": "pro"}"#) == [
                "Planned has a JSON Schema that does not accept the sample, which strict mapping accepts."
            ])
    }
}
