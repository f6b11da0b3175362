import Foundation
import ModelMirror

/// The cost of features: the same values without and with a feature. The ratio is the time with it to the time without.
enum CostRows {
    static func all(_ documents: Documents) throws -> [Row] {
        try reports(documents) + objects(documents) + variants()
    }

    // MARK: Reports

    private static func reports(_ documents: Documents) -> [Row] {
        [
            report("report, 5 unknown keys each", documents.gists, Gist.self),
            report("report, no findings", documents.tiny, TinyObject.self),
            report("report, 14 missing keys each, not reported", documents.sparse, PartialAccount.self),
            report(
                "report, 14 missing keys each", documents.sparse, PartialAccount.self,
                MappingOptions(reportsMissingOptionals: true)),
            report("report, every value converted", converted, TinyObject.self),
        ]
    }

    /// Numbers and Booleans as strings.
    private static let converted = Documents.array(20_000 / Documents.divisor) { #"{"id":"\#($0)","ok":"true"}"# }

    private static func report<Model: AbstractModel>(
        _ name: String, _ bytes: [UInt8], _ type: Model.Type, _ options: MappingOptions = .init()
    ) -> Row {
        Row(
            group: .costs, name: name, bytes: bytes.count,
            contestants: [
                Row.Contestant("plain") { _ = try [Model](json: bytes) },
                Row.Contestant("mapReporting") { _ = try [Model].mapReporting(json: bytes, options: options) },
            ]
        ) { Comparison.difference(try [Model].mapReporting(json: bytes).objects, try [Model](json: bytes)) }
    }

    // MARK: One object

    private static func objects(_ documents: Documents) throws -> [Row] {
        let bytes = documents.small
        let updated = SmallAccount()
        try updated.update(json: bytes)
        let (account, listed) = (try SmallAccount(json: bytes), try ListedAccount(json: bytes))
        return [
            Row(
                group: .costs, name: "update, small object", bytes: bytes.count, repeats: 500,
                contestants: [
                    Row.Contestant("plain") { _ = try SmallAccount(json: bytes) },
                    Row.Contestant("update") { try updated.update(json: bytes) },
                ]
            ) { Comparison.difference(updated, try SmallAccount(json: bytes)) },
            Row(
                group: .costs, name: "keyPathTable, small object", bytes: bytes.count, repeats: 500,
                contestants: [
                    Row.Contestant("plain") { _ = try SmallAccount(json: bytes) },
                    Row.Contestant("keyPathTable") { _ = try ListedAccount(json: bytes) },
                ]
            ) { try listed.jsonString() == account.jsonString() ? nil : "the written JSON" },
            Row(
                group: .costs, name: "keyPathTable, writing", bytes: bytes.count, repeats: 500,
                contestants: [
                    Row.Contestant("plain") { _ = try account.jsonData() },
                    Row.Contestant("keyPathTable") { _ = try listed.jsonData() },
                ]
            ) { try listed.jsonString() == account.jsonString() ? nil : "the written JSON" },
        ]
    }

    // MARK: Class features

    private static let count = 5000 / Documents.divisor

    private static func variants() throws -> [Row] {
        let plain = items { $0 }
        let snake = items { key in key.reduce("") { $0 + ($1.isUppercase ? "_\($1.lowercased())" : "\($1)") } }
        let owned = Documents.array(count) {
            #"{"id":\#($0),"owner":{"name":"owner \#($0)","level":\#($0 % 9)},"title":"title \#($0)"}"#
        }
        let tagged = Documents.array(count) {
            #"{"kind":"\#($0.isMultiple(of: 2) ? "first" : "second")","itemId":\#($0),"fullName":"name \#($0)","#
                + #""lastScore":1.5,"webLink":"https://example.com/items/\#($0)"}"#
        }
        let members = Array(
            "{\((0..<count).map { #""k\#($0)":\#(item($0, key: \.self))"# }.joined(separator: ","))}".utf8)
        return [
            variant("hooks", HookedItem.self, plain), variant("keyStrategy .snakeCase", SnakeItem.self, snake, plain),
            variant("keyStrategy .flexible", FlexibleItem.self, plain), variant("aliases", AliasedItem.self, plain),
            Row(
                group: .costs, name: "paths", bytes: owned.count,
                contestants: [
                    Row.Contestant("nested model") { _ = try [OwnedItem](json: owned) },
                    Row.Contestant("two paths") { _ = try [PathItem](json: owned) },
                ]
            ) {
                let pairs = zip(try [PathItem](json: owned), try [OwnedItem](json: owned))
                let same = pairs.allSatisfy {
                    $0.id == $1.id && $0.title == $1.title && $0.ownerName == $1.owner?.name
                        && $0.ownerLevel == $1.owner?.level
                }
                return same ? nil : "the owners"
            },
            Row(
                group: .costs, name: "dynamic types", bytes: tagged.count,
                contestants: [
                    Row.Contestant("one class") { _ = try [UntaggedItem](json: tagged) },
                    Row.Contestant("named by a member") { _ = try [TaggedItem](json: tagged) },
                ]
            ) {
                let same = zip(try [TaggedItem](json: tagged), try [UntaggedItem](json: tagged)).allSatisfy {
                    $0.kind == $1.kind && $0.itemId == $1.itemId && $0.fullName == $1.fullName
                        && ($0 is FirstItem) == ($1.kind == "first")
                }
                return same ? nil : "the classes"
            },
            Row(
                group: .costs, name: "dictionary of models", bytes: members.count,
                contestants: [
                    Row.Contestant("array") { _ = try [PlainItem](json: plain) },
                    Row.Contestant("dictionary") { _ = try [String: PlainItem](json: members) },
                ]
            ) {
                let found = try [String: PlainItem](json: members)
                return Comparison.difference(
                    (0..<count).compactMap { found["k\($0)"] }, try [PlainItem](json: plain))
            },
        ]
    }

    private static func variant<Variant: AbstractModel>(
        _ name: String, _ type: Variant.Type, _ bytes: [UInt8], _ plain: [UInt8]? = nil
    ) -> Row {
        let plain = plain ?? bytes
        return Row(
            group: .costs, name: name, bytes: bytes.count,
            contestants: [
                Row.Contestant("plain") { _ = try [PlainItem](json: plain) },
                Row.Contestant("\(type)") { _ = try [Variant](json: bytes) },
            ]
        ) { Comparison.difference(try [Variant](json: bytes), try [PlainItem](json: plain)) }
    }

    private static func items(_ key: (String) -> String) -> [UInt8] { Documents.array(count) { item($0, key: key) } }

    private static func item(_ number: Int, key: (String) -> String) -> String {
        let members = [
            ("itemId", "\(number)"), ("fullName", #""name \#(number)""#), ("pageTitle", #""A title of a page""#),
            ("isActive", "true"), ("lastScore", "12.5"), ("shortNote", #""A note of some words""#),
            ("userLevel", "\(number % 9)"), ("webLink", #""https://example.com/items/\#(number)""#),
        ]
        return "{\(members.map { "\"\(key($0.0))\":\($0.1)" }.joined(separator: ","))}"
    }
}
