import Foundation
import ModelMirror

/// A class with the features that options affect: type names in and beside objects, embedded JSON, aliases, paths, key paths.
private class Feed: AbstractModel {
    var title: String?
    var entries: [Entry] = []
    var byName: [String: Entry] = [:]
    var settings: Settings?
    var history: [Settings] = []
    var payload: AbstractModel?
    var kind = ""
    var point: Point?
    var window: Window?
    var marks: Set<Int> = []
    var color: RGBAColor?
    var opened: Date?
    var score = 0.5
    var deep: Int?
    var others: [String: JSONValue] = [:]
    override class var propertyKeys: [String: PropertyKey] {
        ["title": ["title", .path("meta", "title")], "deep": .path("meta", 0, "deep")]
    }
    override class var propertyConverters: [String: any Converter] {
        ["settings": .embeddedJSON, "history": .embeddedJSON, "opened": .secondsSince1970]
    }
    override class var dynamicPropertyTypes: [String: DynamicPropertyTypes] {
        ["payload": DynamicPropertyTypes(named: "kind", ["point": Point.self, "feed": Feed.self], otherwise: .skip)]
    }
}

private class Entry: AbstractModel, DynamicTypeModel {
    var size = 0
    class var typeNameProperty: String { "type" }
    class var dynamicTypes: [String: AbstractModel.Type] { ["text": TextEntry.self, "list": ListEntry.self] }
}
private class TextEntry: Entry { var text = "" }
private class ListEntry: Entry { var entries: [Entry]? }

private class Settings: AbstractModel {
    var level = 1
    var nested: Settings?
    override class var propertyConverters: [String: any Converter] { ["nested": .embeddedJSON] }
}

private class Point: AbstractModel {
    var x = 0.0
    var y: Float = 0
    override class var keyPathTable: KeyPathTable? { ["x": \Point.x, "y": \Point.y] }
}

private struct Window: Codable, Equatable {
    var from: Int
    var to: Double?
}

extension FuzzTarget {
    /// A byte that selects options, and a document: reports change no outcome, strict mapping accepts no more than lenient mapping,
    /// and an object survives writing and reading.
    static let options = FuzzTarget("options", seeds: feeds.map { [0] + $0 }, words: feedWords) { bytes in
        guard let first = bytes.first else { return .refused }
        let document = Array(bytes.dropFirst())
        let options = MappingOptions(choice: first)
        let feed: Feed
        do throws(ModelError) {
            feed = try Feed(json: document, options: options)
        } catch {
            do throws(ModelError) {
                _ = try Feed.mapReporting(json: document, options: options)
                return .broken("a document maps only with a report; without it: \(error)")
            } catch let other {
                return "\(error)" == "\(other)" ? .refused : .broken("a report changes \(error) to \(other)")
            }
        }
        return withExtendedLifetime(feed) { agreement(of: feed, document, options) }
    }

    private static func agreement(of feed: Feed, _ document: [UInt8], _ options: MappingOptions) -> Verdict {
        do {
            let (reported, report) = try Feed.mapReporting(json: document, options: options)
            guard reported.isEqual(to: feed) else { return .broken("a report changes the object") }
            _ = report.entries.map(\.description)
            var lenient = options
            lenient.strict = false
            if options.strict == true {
                let object = try Feed(json: document, options: lenient)
                guard object.isEqual(to: feed) else {
                    return .broken("lenient mapping produces another object than strict mapping")
                }
            }
            let again = try Feed(json: feed.jsonData())
            guard again.isEqual(to: feed) else { return .broken("an object differs when read back") }
            guard try feed.copy().isEqual(to: feed) else { return .broken("a copy differs") }
            _ = "\(feed)"
        } catch {
            return .broken("a mapped document fails later: \(error)")
        }
        return .accepted
    }

    /// Two documents with a record separator between them: the second updates an object of the first completely or not at all, and
    /// a merge patch changes an object as RFC 7396 changes its tree.
    static let updates = FuzzTarget(
        "updates", seeds: zip(feeds, feeds.reversed()).map { [0] + $0 + [separator] + $1 }, words: feedWords
    ) { bytes in
        guard let first = bytes.first, let middle = bytes.firstIndex(of: separator), middle > 0 else { return .refused }
        let (document, second) = (Array(bytes[1..<middle]), Array(bytes[(middle + 1)...]))
        guard let feed = try? Feed(json: document), let before = try? feed.copy() else { return .refused }
        return withExtendedLifetime((feed, before)) {
            if let rule = rule(brokenBy: feed, before, second, MappingOptions(choice: first)) { return .broken(rule) }
            return .accepted
        }
    }

    private static func rule(
        brokenBy feed: Feed, _ before: Feed, _ second: [UInt8], _ options: MappingOptions
    ) -> String? {
        do {
            try feed.update(json: second, options: options)
        } catch {
            return feed.isEqual(to: before) ? nil : "a failed update changes the object: \(error)"
        }
        guard let after = try? feed.copy() else { return "an updated object cannot be copied" }
        do {
            try feed.update(json: second, options: options)
        } catch {
            return "the same update fails the second time: \(error)"
        }
        guard feed.isEqual(to: after) else { return "the same update again changes the object" }
        if let rule = rule(brokenByMerging: second, into: before, options) { return rule }
        do {
            let patch = try feed.mergePatch(since: before)
            let merged = try before.jsonValue().merging(patch: patch)
            guard try withoutNulls(merged) == withoutNulls(feed.jsonValue()) else {
                return "a patch applied to the old tree is not the new tree"
            }
        } catch {
            return "no patch from the old to the new object: \(error)"
        }
        return nil
    }

    /// A document as a merge patch changes an object completely or not at all, and is idempotent; a patch that the class has read
    /// and written changes an object as it changes its tree.
    private static func rule(
        brokenByMerging document: [UInt8], into feed: Feed, _ options: MappingOptions
    ) -> String? {
        do {
            let merged = try feed.copy()
            do {
                try merged.merge(patch: document, options: options)
            } catch {
                return merged.isEqual(to: feed) ? nil : "a failed merge changes the object: \(error)"
            }
            // Without duplicate keys: the last one counts for a new value, and the last valid one for an existing value.
            let tree = try JSONValue(json: document)
            if (try? merged.merge(patch: tree, options: options)) != nil {
                let once = try merged.copy()
                try merged.merge(patch: tree, options: options)
                guard merged.isEqual(to: once) else { return "the same merge again changes the object" }
            }

            guard let patch = try? withoutLooseKinds(Feed(json: document).jsonValue()) else { return nil }
            let object = try feed.copy()
            try object.merge(patch: patch)
            let expected = try Feed(json: feed.jsonValue().merging(patch: patch))
            guard object.isEqual(to: expected) else {
                return try "the patch \(patch) produces \(object.jsonString()), expected \(expected.jsonString())"
            }
        } catch {
            return "a merge fails: \(error)"
        }
        return nil
    }

    /// Without a kind that has no payload: an object would keep its payload and kind, while the tree's payload gets another kind.
    private static func withoutLooseKinds(_ value: JSONValue) -> JSONValue {
        guard case .object(var members) = value else { return value }
        if let payload = members["payload"] {
            members["payload"] = withoutLooseKinds(payload)
        } else {
            members["kind"] = nil
        }
        return .object(members)
    }

    /// Without `null` members, which a merge patch cannot set.
    private static func withoutNulls(_ value: JSONValue) -> JSONValue {
        guard case .object(let members) = value else { return value }
        return .object(members.filter { $0.value != .null }.mapValues(withoutNulls))
    }

    private static let separator: UInt8 = 0x1E

    private static let feeds: [[UInt8]] = [
        #"{"title":"a","entries":[{"type":"text","size":1,"text":"b"},{"type":"list","entries":[{"type":"none"}]}]}"#,
        #"{"settings":"{\"level\":2,\"nested\":\"{\\\"level\\\":3}\"}","history":["{}"],"kind":"point","payload":{"x":1.5,"y":2}}"#,
        #"{"payload":{"title":"t","kind":"point","payload":{"x":0}},"kind":"feed","window":{"from":1,"to":2.5}}"#,
        ##"{"meta":{"title":"m"},"byName":{"a":{"type":"text"},"b":{"size":"7"}},"marks":[1,2,2],"color":"#FF0000"}"##,
        #"{"meta":[{"deep":4}],"opened":1453573800.25,"score":-0.0,"others":{"a":[1,{"b":null}]},"point":{"y":1e-3}}"#,
        #"{"title":null,"entries":null,"byName":{"a":null},"settings":null,"point":null,"marks":"1"}"#,
    ].map { Array($0.utf8) }

    private static let feedWords: [[UInt8]] =
        Mutations.words
        + [
            "\"type\":\"text\",", "\"kind\":\"feed\",", "\"payload\":{\"title\":1}", "\"settings\":\"", "\\\"", "\\\\",
            "\"meta\":{\"title\":2},", "\u{1E}",
        ].map { Array($0.utf8) }
}

extension MappingOptions {
    /// Options from the bits of a byte.
    fileprivate init(choice: UInt8) {
        self.init(
            strict: choice & 1 != 0, requiresNonOptional: choice & 2 != 0 ? true : nil,
            stringsFromNumbers: choice & 4 != 0 ? true : nil, updatesNestedInPlace: choice & 8 != 0 ? true : nil,
            unknownKeys: choice & 16 != 0 ? .failures : nil, updatesIgnoreNulls: choice & 32 != 0 ? true : nil)
    }
}
