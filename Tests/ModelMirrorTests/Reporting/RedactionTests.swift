import Foundation
import Testing

@testable import ModelMirror

private let secret = "hunter2-4711"

private struct Told: LocalizedError {
    let text: String
    var errorDescription: String? { "cannot read \(text)" }
}

private class Vault: AbstractModel {
    var pin = ""
}

private enum Level: String, CaseIterable { case low, high }

private class Account: AbstractModel {
    var name = ""
    var password = ""
    var pin = 0
    var keys: [Int] = []
    var codes: [String: Int] = [:]
    var unique: Set<String> = []
    var vault: Vault?
    var text: Vault?
    var level = Level.low
    var seen: Date?
    var token: Int?
    var number = 0.0

    override class var redactedProperties: Set<String> {
        ["password", "pin", "keys", "codes", "unique", "vault", "text", "level", "seen", "token", "number"]
    }
    override class var propertyConverters: [String: any Converter] {
        [
            "text": .embeddedJSON, "seen": .any([.iso8601, AnyConverter<Date>.telling]),
            "token": AnyConverter<Int>.telling,
        ]
    }

    override func validateModel(_ validation: inout ModelValidation) {
        validation.require("password", password, .count(...5))
    }
}

private class Strongbox: AbstractModel {
    var vault: Vault?
    override class var redactedProperties: Set<String> { ["vault"] }
}

private class Box: AbstractModel {
    var pin = ""
    var marks: [String: Int] = [:]
    var others: [String: Box] = [:]
    override class var propertyRules: [String: any PropertyRule] { ["pin": .count(...5)] }
}

private class Card: AbstractModel {
    var number = ""
    var code = ""
    var names: [String: String] = [:]
    override class var propertyRules: [String: any PropertyRule] {
        ["number": .count(...3), "code": .count(...3), "names": .each(.count(...3))]
    }
}

private class Purchase: AbstractModel {
    var card: Card?
    var note = ""
    var purchase: Purchase?
    override class var redactedProperties: Set<String> { ["card"] }
    override class var propertyRules: [String: any PropertyRule] { ["note": .count(...3)] }
}

private class Keyed: AbstractModel {
    var codes: [String: Int] = [:]
    var boxes: [String: [Box]] = [:]
    var marks: [String: Int] = [:]
    var plain: [String: Int] = [:]
    var numbers: [String: Double] = [:]
    override class var redactedProperties: Set<String> { ["codes", "boxes", "marks", "numbers"] }
    override class var propertyRules: [String: any PropertyRule] { ["marks": .each(.inRange(0...))] }
}

private class Chest: AbstractModel {
    var box: Box?
    override class var redactedProperties: Set<String> { ["box"] }
}

private class Letter: AbstractModel {
    var account: Account?
    var all: [Account] = []
    override class var propertyConverters: [String: any Converter] { ["account": .embeddedJSON, "all": .embeddedJSON] }
}

private struct RawAccount: RawRepresentable { var rawValue: Account }

private struct OwnAccount: JSONConvertible {
    let account: Account
    init(json: JSONValue) throws { account = try Account(json: json, options: .strict) }
    func json() throws -> JSONValue { try account.jsonValue() }
}

private enum Choice: MappedEnum {
    case none, account(RawAccount)
    static var enumCases: EnumCases<Choice> { .outside([.case(.none, "none"), .case(Choice.account, "account")]) }
}

private class Parcel: AbstractModel {
    var raw: RawAccount?
    var list: [RawAccount] = []
    var own: OwnAccount?
    var choice: Choice?
    override class var propertyConverters: [String: any Converter] {
        ["raw": .embeddedJSON, "list": .embeddedJSON, "own": .embeddedJSON, "choice": .embeddedJSON]
    }
}

/// Accounts in texts that the class maps itself.
private class Mailbag: AbstractModel {
    var one: Account?
    var all: [Account] = []
    var either: Account?
    var nested: Account?
    var called: Account?
    var hidden: Account?
    override class var redactedProperties: Set<String> { ["hidden"] }
    override class var propertyConverters: [String: any Converter] {
        let account = AnyConverter<Account>.converting(
            String.self, { try Account(json: $0, options: .strict) }, back: { try $0.jsonString() })
        return [
            "one": account,
            "all": .converting(
                [String].self, { try $0.map { try Account(json: $0, options: .strict) } },
                back: { try $0.map { try $0.jsonString() } }),
            "either": .any([account]), "nested": .any([.any([account])]),
            "called": .converting(
                JSONValue.self, { try AnyConverter.any([account]).value(from: $0) }, back: { _ in 1 }),
            "hidden": .any([account]),
        ]
    }
}

private class Family: AbstractModel {
    var children: [String: Family] = [:]
    var others: [String: Family] = [:]
    override class var flattenedProperties: Set<String> { ["others"] }
    override class var redactedProperties: Set<String> { ["children", "others"] }
}

extension Converter where Self == AnyConverter<Date> {
    fileprivate static var telling: Self {
        .converting(String.self, { throw Told(text: $0) }, back: { "\($0)" })
    }
}

extension Converter where Self == AnyConverter<Int> {
    fileprivate static var telling: Self {
        .converting(String.self, { throw Told(text: $0) }, back: { "\($0)" })
    }
}

@Suite("Redacted properties")
struct RedactionTests {
    /// Wrong values of every kind, each with the secret in it.
    private static let documents = [
        #"{"password": ["\#(secret)"]}"#, #"{"password": "\#(secret)"}"#, #"{"pin": "\#(secret)"}"#,
        #"{"keys": ["\#(secret)", 1]}"#, #"{"codes": {"a": "\#(secret)"}}"#,
        #"{"unique": ["\#(secret)", "\#(secret)"]}"#, #"{"vault": {"pin": ["\#(secret)"], "x": "\#(secret)"}}"#,
        #"{"vault": "\#(secret)"}"#, #"{"text": "{\"pin\": [\"\#(secret)\"]}"}"#, #"{"text": "\#(secret)"}"#,
        #"{"level": "\#(secret)"}"#, #"{"seen": "\#(secret)"}"#, #"{"token": "\#(secret)"}"#,
        #"{"pin": "\#(secret)", "pin": "\#(secret)"}"#,
    ]

    @Test("No failure, report, summary or encoding has a redacted value", arguments: documents)
    func absent(_ json: String) throws {
        var texts: [String] = []
        for options in [MappingOptions(), .strict, .untrusted] {
            do throws(ModelError) {
                let (account, report) = try Account.mapReporting(json: json, options: options)
                texts += ["\(report)", "\(MappingReport.merging([report]))", "\(account)"]
                texts += report.entries.flatMap { ["\($0.underlying as Any)", "\($0.parameters)"] }
            } catch .invalidValues(let failures) {
                texts += ["\(ModelError.invalidValues(failures))"]
                texts += failures.flatMap { ["\($0.underlying as Any)", "\($0.parameters)", $0.found, $0.expected] }
                texts.append(String(decoding: try JSONEncoder().encode(failures), as: UTF8.self))
            } catch {
                texts.append("\(error)")
            }
        }
        #expect(texts.count >= 3)
        for text in texts { #expect(!text.contains(secret)) }
    }

    @Test("None of several failures of a redacted object shows its values", arguments: [MappingOptions(), .strict])
    func severalFailures(_ options: MappingOptions) throws {
        let names = #"{"\#(secret)": "\#(secret)", "b": "long"}"#
        let card = #"{"number": "\#(secret)", "code": "\#(secret)", "names": \#(names)}"#
        let json = #"{"card": \#(card), "note": "long"}"#
        do throws(ModelError) {
            let report = try Purchase.mapReporting(json: #"{"purchase": \#(json)}"#, options: options).report
            #expect(report.entries.contains { $0.found == #"the string "long""# && $0.pointer == "/purchase/note" })
            let hidden = report.entries.filter { $0.found.hasSuffix(", redacted") }
            #expect(hidden.map(\.pointer) == ["number", "code", "names", "names"].map { "/purchase/card/\($0)" })
            #expect(!"\(report)".contains(secret))
        } catch {
            #expect(options.strict == true && !"\(error)".contains(secret) && "\(error)".contains("long"))
        }
    }

    @Test("A redacted value is described by its kind")
    func kinds() throws {
        let error = try #require(throws: ModelError.self) {
            try Account(json: #"{"password": 7, "pin": "x", "vault": {"pin": [1]}, "keys": [{}]}"#, options: .strict)
        }
        #expect(
            error.valueFailures.map { "\($0.pointer): \($0.found)" } == [
                "/password: a number, redacted", "/pin: a string, redacted", "/vault/pin: an array, redacted",
                "/keys/0: an object, redacted",
            ])
    }

    @Test("The keys of a redacted dictionary are not shown, those of its objects are")
    func keys() throws {
        let json = #"""
            {"codes": {"\#(secret)": "x"}, "boxes": {"\#(secret)": [{"pin": 1}, {"marks": {"\#(secret)": "x"}}]},
             "marks": {"a": -1}, "plain": {"b": "x"}}
            """#
        let error = try #require(throws: ModelError.self) { try Keyed(json: json, options: .strict) }
        #expect(
            error.valueFailures.map(\.pointer) == [
                "/codes/<redacted>", "/boxes/<redacted>/0/pin", "/boxes/<redacted>/1/marks/<redacted>", "/marks",
                "/plain/b",
            ])
        #expect(!"\(error)".contains(secret))
        let report = try Keyed.mapReporting(json: #"{"codes": {"\#(secret)": "x"}}"#).report
        #expect(report.entries.map(\.pointer) == ["/boxes", "/marks", "/plain", "/numbers", "/codes/<redacted>"])
    }

    @Test("An unknown key inside a redacted object is not shown, whatever its value", arguments: ["true", "null"])
    func unknownKeys(_ value: String) throws {
        let json = #"{"vault": {"\#(secret)": \#(value)}}"#
        let report = try Account.mapReporting(json: json).report
        let line =
            #"Vault at $.vault["<redacted>"] (line 1, column 28): expected a key of Vault, found a key, redacted."#
        #expect(report.lines.contains("unknownKey: " + line))
        #expect(report.entries.last { $0.kind == .unknownKey }?.parameters == ["model": "Vault", "key": "<redacted>"])
        let options = MappingOptions(strict: true, unknownKeys: .failures)
        let error = #expect(throws: ModelError.self) { try Strongbox(json: json, options: options) }
        #expect(error?.lines == [line])
        let misspelled = #expect(throws: ModelError.self) {
            try Strongbox(
                json: #"{"vault": {"pim": ""}}"#, options: MappingOptions(strict: true, requiresNonOptional: true))
        }
        #expect(
            misspelled?.lines == ["Vault.pin at $.vault.pin (line 1, column 11): expected a string, found no such key."]
        )
    }

    @Test("Writing and validate show no key of a redacted dictionary, and no value in it")
    func keysOfObjects() throws {
        let keyed = Keyed()
        keyed.numbers = [secret: .nan]
        let error = try #require(throws: ModelError.self) { try keyed.jsonData() }
        #expect(
            "\(error)"
                == "Keyed.numbers at $.numbers[\"<redacted>\"]: expected a finite number, found a value, redacted.")
        keyed.boxes = [secret: [Box()]]
        keyed.boxes[secret]?[0].marks = ["a": -1]
        keyed.boxes[secret]?[0].pin = secret
        keyed.marks = [secret: -1]
        let broken = try #require(throws: ModelError.self) { try keyed.validate() }
        #expect(
            broken.valueFailures.map { "\($0.pointer): \($0.found)" } == [
                "/boxes/<redacted>/0/pin: a value, redacted", "/marks: a value, redacted",
            ])
    }

    @Test("The keys under which a redacted dictionary contains its own object are not shown")
    func cycles() throws {
        let family = Family()
        (family.children, family.others) = ([secret: family], [secret: family])
        let error = try #require(throws: ModelError.self) { try family.jsonString() }
        #expect(
            error.description == """
                Family.children at $.children["<redacted>"]: expected an object that does not contain itself, found a value, redacted.
                Family.others at $["<redacted>"]: expected an object that does not contain itself, found a value, redacted.
                """)
        #expect("\(family)" == "Family()")
        #expect(try family.copy().isEqual(to: family))
        (family.children, family.others) = ([:], [:])
    }

    @Test("null and missing keys are shown as such")
    func absentValues() throws {
        let options = MappingOptions(requiresNonOptional: true)
        let error = try #require(throws: ModelError.self) {
            try Account(json: #"{"password": null}"#, options: options)
        }
        #expect(error.valueFailures.first { $0.property == "password" }?.found == "null")
        #expect(error.valueFailures.first { $0.property == "pin" }?.found == "no such key")
    }

    @Test("A value that cannot be written is not shown, and print leaves the property out")
    func writing() throws {
        let account = Account()
        account.number = .infinity
        let error = try #require(throws: ModelError.self) { try account.jsonData() }
        #expect(error.description == "Account.number at $.number: expected a finite number, found a value, redacted.")
        #expect("\(account)" == #"Account(name: "")"#)
    }

    @Test("The schema of a redacted string is that of a password")
    func schema() throws {
        let properties = try Account.jsonSchema()["$defs"]["Account"]["properties"]
        #expect(properties["password"] == ["type": "string", "format": "password"])
        #expect(properties["name"] == ["type": "string"])
    }

    @Test("A redacted nested object is updated, written, copied and compared as any other")
    func otherwise() throws {
        let account = try Account(json: #"{"password": "a", "vault": {"pin": "1"}, "keys": [1, 2]}"#)
        try account.update(json: #"{"vault": {"pin": "2"}, "pin": 3}"#)
        #expect(account.vault?.pin == "2" && account.pin == 3 && account.keys == [1, 2])
        #expect(try account.copy().isEqual(to: account))
        #expect(try account.jsonString().contains(#""password":"a""#))
    }

    @Test("Keys in a redacted set are not shown by an error of writing")
    func keysInSets() throws {
        let cards = Cards()
        cards.name = "some text before the set"
        cards.cards = [["4111111111111111": .nan]]
        let error = try #require(throws: ModelError.self) { try cards.jsonString() }
        #expect(error.description.contains("$.cards[0]"))
        #expect(!error.description.contains("4111"))
    }

    @Test("The key of an object without a required value in a redacted dictionary is not shown")
    func keyOfNil() throws {
        let safes = Safes()
        safes.safes = [secret: Safe()]
        let error = try #require(throws: ModelError.self) { try safes.jsonData(options: .strict) }
        #expect(error.description == #"Safe.code at $.safes["<redacted>"].code: expected an integer, found nil."#)
    }

    @Test("The keys inside of a redacted Codable value are not shown")
    func keysInsideOfCodable() {
        let error = #expect(throws: ModelError.self) {
            try Coded(json: #"{"secrets": {"codes": {"\#(secret)": "x"}}}"#, options: .strict)
        }
        #expect(error?.description.contains(secret) == false)
    }

    @Test("The keys in a redacted object that a merge patch changes in place are not shown")
    func keysInPatches() throws {
        let chest = try Chest(json: #"{"box": {"pin": "1"}}"#)
        let report = try chest.merge(patch: #"{"box": {"marks": {"\#(secret)": "x"}}}"#)
        let line =
            #"Box.marks at $.box.marks["<redacted>"] (line 1, column 19): expected an integer, found a string, redacted."#
        #expect(report.lines.first == "fallback: " + line)
        #expect(!"\(report)".contains(secret))
        let error = #expect(throws: ModelError.self) {
            try chest.merge(patch: #"{"box": {"marks": {"\#(secret)": "x"}}}"#, options: .strict)
        }
        #expect(error?.lines == [line])
    }

    @Test("A missing key in a redacted object that a merge patch changes is shown as such")
    func missingInPatches() throws {
        let chest = try Chest(json: #"{"box": {"pin": "1"}}"#)
        let report = try chest.merge(patch: #"{"box": {"others": {"\#(secret)": {"marks": {}}}}}"#)
        #expect(
            report.lines.first
                == #"missing: Box.pin at $.box.others["<redacted>"].pin (line 1, column 20): expected a string, found no such key."#
        )
        #expect(!"\(report)".contains(secret))
    }

    @Test("A dictionary's key is hidden in the issues of an object only when they are listed")
    func keysOfStandIns() {
        func issue(at offset: Int) -> ModelMirror.Issue { .init(.fallback, .kind(.integer), at: offset) }
        var first = issue(at: 9)
        first.hideKey(inDictionaryAt: 8)
        var inner = ModelMirror.Issue(standingFor: [first, issue(at: 10)])
        inner.hideKey(inDictionaryAt: 5)
        var outer = ModelMirror.Issue(standingFor: [inner, issue(at: 11)])
        outer.hideKey(inDictionaryAt: 2)
        #expect(outer.details.all?.map(\.redactedMembers) == [[5], []])
        #expect([outer].listed.map(\.redactedMembers) == [[8, 5, 2], [5, 2], [2]])
        #expect([outer.redacted].listed.map(\.isRedacted) == [true, true, true])
    }

    @Test(
        "The text of a model in a string, which may have redacted values, is not shown",
        arguments: [
            #"{"name": [], "password": "\#(secret)"}"#, #"{"pin": "\#(secret)"}"#, #"{"password": "\#(secret)", }"#,
        ])
    func embedded(_ text: String) throws {
        let (one, all) = (text.quotedForMessage, "[\(text)]".quotedForMessage)
        for json in [#"{"account": \#(one)}"#, #"{"all": \#(all)}"#] {
            let report = try Letter.mapReporting(json: json).report
            #expect(!report.entries.isEmpty && !"\(report)".contains(secret))
            let error = Thrown.error { try Letter(json: json, options: .strict) }
            #expect(error?.valueFailures.map(\.found) == ["a string that does not"])
            #expect(error?.description.contains(secret) == false)
        }
    }

    @Test(
        "The text of a type of the user's own that contains a model is not shown, either",
        arguments: [("raw", "%"), ("list", "[%]"), ("own", "%"), ("choice", #"{"account": %}"#)])
    func embeddedInOwnTypes(_ property: String, _ form: String) {
        let text = form.replacingOccurrences(of: "%", with: #"{"name": [], "password": "\#(secret)"}"#)
        let json = "{\(property.quotedForMessage): \(text.quotedForMessage)}"
        let error = Thrown.error { try Parcel(json: json, options: .strict) }
        #expect(error?.valueFailures.map(\.found) == ["a string that does not"])
        #expect(error?.description.contains(secret) == false)
    }

    @Test(
        "The text of a model that the class maps itself is not shown",
        arguments: [
            ("one", "a string that does not fit"), ("all", "an array"), ("either", "a string that does not fit"),
            ("nested", "a string that does not fit"), ("called", "a string that does not fit"),
            ("hidden", "a string, redacted"),
        ])
    func textsOfTheUser(_ property: String, _ found: String) throws {
        for text in [#"{"name": [], "password": "\#(secret)"}"#, #"{"password": "\#(secret)", }"#] {
            let value = property == "all" ? "[\(text.quotedForMessage)]" : text.quotedForMessage
            let json = "{\(property.quotedForMessage): \(value)}"
            let report = try Mailbag.mapReporting(json: json).report
            #expect(report.entries.last?.found == found && !"\(report)".contains(secret))
            let error = Thrown.error { try Mailbag(json: json, options: .strict) }
            #expect(error?.valueFailures.map(\.found) == [found])
            #expect(error?.description.contains(secret) == false)
        }
    }

    @Test("A redacted model in a string is shown as a string")
    func redactedEmbedded() {
        let error = #expect(throws: ModelError.self) { try Account(json: #"{"text": "{}}"}"#, options: .strict) }
        #expect(error?.valueFailures.map(\.found) == ["a string, redacted"])
    }

    @Test("A missing key is redacted only if its own property is")
    func missingBesideRedacted() throws {
        let report = try Coded.mapReporting(json: "{}").report
        #expect(report.entries.map(\.failure.isRedacted) == [true, false])
    }

    @Test("The name of a class is not shown if it is the value of a redacted property, or in it")
    func typeNames() throws {
        let json = """
            {"type": "\(secret)", "info": {"type": "\(secret)"},
             "one": {}, "many": [{}], "kinds": [{"kind": "\(secret)"}]}
            """
        let found = "found a string, redacted."
        let report = try Named.mapReporting(json: json).report
        let names = report.entries.filter { $0.failure.code == .discriminator }
        #expect(
            names.map(\.description) == [
                #"fallback: Named.one at $.type (line 1, column 10): expected one of the type names "box", "# + found,
                #"skipped: Named.many at $.info.type (line 1, column 43): expected one of the type names "box", "#
                    + found,
                #"fallback: Named.kinds at $.kinds[0].kind (line 2, column 46): expected one of the type names "other", "#
                    + found,
            ])
    }
}

private class Kind: AbstractModel, DynamicTypeModel {
    var kind = ""
    class var typeNameProperty: String { "kind" }
    class var dynamicTypes: [String: AbstractModel.Type] { ["other": OtherKind.self] }
    override class var redactedProperties: Set<String> { ["kind"] }
}
private final class OtherKind: Kind {}

private final class Named: AbstractModel {
    var type = ""
    var info: [String: String] = [:]
    var one: Box?
    var many: [Box] = []
    var kinds: [Kind] = []
    override class var redactedProperties: Set<String> { ["type", "info"] }
    override class var dynamicPropertyTypes: [String: DynamicPropertyTypes] {
        [
            "one": DynamicPropertyTypes(named: "type", ["box": Box.self]),
            "many": DynamicPropertyTypes(named: .path("info", "type"), ["box": Box.self], otherwise: .skip),
        ]
    }
}

private final class Cards: AbstractModel {
    var name = ""
    var cards: Set<[String: Double]> = []
    override class var redactedProperties: Set<String> { ["cards"] }
}

private struct Codes: Codable { var codes: [String: Int] = [:] }
private class Safe: AbstractModel {
    var code: Int?
    override class var requiredProperties: Set<String> { ["code"] }
}

private class Safes: AbstractModel {
    var safes: [String: Safe] = [:]
    override class var redactedProperties: Set<String> { ["safes"] }
}

private class Coded: AbstractModel {
    var secrets = Codes()
    var plain = 1
    override class var redactedProperties: Set<String> { ["secrets"] }
}
