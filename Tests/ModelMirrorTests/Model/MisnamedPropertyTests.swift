import Foundation
import ModelMirror
import Testing

private class Gist: AbstractModel {
    var createdAt: Date?
    var comments = 0
    let fixed = 1
    weak var parent: Gist?
    lazy var late = 5
    var action: (() -> Void)?
    var kind: Int.Type?
    var computed: Int { 1 }
}

private class MisnamedKey: Gist {
    override class var propertyKeys: [String: PropertyKey] { ["createdat": "created_at"] }
}

private class MisnamedIgnored: Gist {
    override class var ignoredProperties: Set<String> { ["comment"] }
}

private class MisnamedReadOnly: Gist {
    override class var readOnlyProperties: Set<String> { ["commnets"] }
}

private class MisnamedWriteOnly: Gist {
    override class var writeOnlyProperties: Set<String> { ["created_at"] }
}

private class MisnamedRequired: Gist {
    override class var requiredProperties: Set<String> { ["comments", "Comments", "zebra"] }
}

private class MisnamedConverter: Gist {
    override class var propertyConverters: [String: any Converter] { ["quiteAnotherName": .iso8601] }
}

private class MisnamedFormat: Gist {
    override class var propertyDateFormats: [String: String] { ["created\"At": "yyyy"] }
}

private class NamesComputed: Gist {
    override class var requiredProperties: Set<String> { ["computed"] }
}

private class NamesLet: Gist {
    override class var requiredProperties: Set<String> { ["fixed"] }
}

private class NamesWeak: Gist {
    override class var propertyKeys: [String: PropertyKey] { ["parent": "p"] }
}

private class NamesLazy: Gist {
    override class var requiredProperties: Set<String> { ["late"] }
}

private class MisnamedShort: AbstractModel {
    var p = 0
    override class var requiredProperties: Set<String> { ["r"] }
}

private class NamesFunction: Gist {
    override class var propertyConverters: [String: any Converter] { ["action": .iso8601] }
}

private class NamesMetatype: Gist {
    override class var requiredProperties: Set<String> { ["kind"] }
}

private class IgnoresAll: Gist {
    override class var ignoredProperties: Set<String> { ["fixed", "parent", "action", "kind"] }
}

private class NamesSubclassProperty: Gist {
    override class var requiredProperties: Set<String> { ["subtitle"] }
}

private class HasSubclassProperty: NamesSubclassProperty {
    var subtitle = ""
}

private class Envelope: AbstractModel {
    var gist: MisnamedKey?
}

/// Classes with a wrong name in a rule, the name, and the message about it.
private let mistakes: [(model: AbstractModel.Type, property: String, reason: String)] = [
    (
        MisnamedKey.self, "createdat",
        #"propertyKeys names "createdat", which is not a stored property of MisnamedKey "#
            + #"(did you mean "createdAt"?)"#
    ),
    // Of a short name, no other is similar if each letter differs.
    (
        MisnamedShort.self, "r", #"requiredProperties names "r", which is not a stored property of MisnamedShort"#
    ),
    (
        MisnamedIgnored.self, "comment",
        #"ignoredProperties names "comment", which is not a stored property of MisnamedIgnored "#
            + #"(did you mean "comments"?)"#
    ),
    (
        MisnamedReadOnly.self, "commnets",
        #"readOnlyProperties names "commnets", which is not a stored property of MisnamedReadOnly "#
            + #"(did you mean "comments"?)"#
    ),
    (
        MisnamedWriteOnly.self, "created_at",
        #"writeOnlyProperties names "created_at", which is not a stored property of MisnamedWriteOnly "#
            + #"(did you mean "createdAt"?)"#
    ),
    (
        MisnamedRequired.self, "Comments",
        #"requiredProperties names "Comments", which is not a stored property of MisnamedRequired "#
            + #"(did you mean "comments"?)"#
    ),
    (
        MisnamedConverter.self, "quiteAnotherName",
        #"propertyConverters names "quiteAnotherName", which is not a stored property of MisnamedConverter"#
    ),
    (
        MisnamedFormat.self, "created\"At",
        #"propertyDateFormats names "created\"At", which is not a stored property of MisnamedFormat "#
            + #"(did you mean "createdAt"?)"#
    ),
    (
        NamesComputed.self, "computed",
        #"requiredProperties names "computed", which is not a stored property of NamesComputed"#
    ),
    (
        NamesLet.self, "fixed",
        #"requiredProperties names "fixed", which is a let, which is never written; use private(set) var"#
    ),
    (
        NamesWeak.self, "parent",
        #"propertyKeys names "parent", which is weak or unowned, which is never written; assign it in didMap()"#
    ),
    (
        NamesLazy.self, "late",
        #"requiredProperties names "late", which is not a stored property of NamesLazy"#
    ),
    (
        NamesFunction.self, "action",
        #"propertyConverters names "action", which has the type (() -> ())?, and functions and metatypes "#
            + "cannot be mapped; assign it in didMap()"
    ),
    (
        NamesMetatype.self, "kind",
        #"requiredProperties names "kind", which has the type Int.Type?, and functions and metatypes cannot "#
            + "be mapped; assign it in didMap()"
    ),
]

@Suite("Rules that name unknown properties")
struct MisnamedPropertyTests {
    @Test("A rule that names no mappable property makes the class invalid in every use", arguments: mistakes)
    func names(model: AbstractModel.Type, property: String, reason: String) {
        for _ in 0..<2 {
            let error = #expect(throws: ModelError.self) { try model.init(json: #"{"comments": 1}"#) }
            #expect(error?.description == "\(model) cannot be mapped: \(reason).")
            #expect(error?.modelFault?.model == "\(model)")
            #expect((error?.modelFault?.property, error?.modelFault?.reason) == (property, reason))
        }
    }

    @Test("A rule with an unknown name fails every kind of call, whatever the JSON")
    func everyCall() {
        let calls: [() throws -> Void] = [
            { _ = try MisnamedKey(json: "{}") }, { _ = try MisnamedKey(dictionary: [:]) },
            { _ = try MisnamedKey.mapReporting(json: "{}") }, { _ = try [MisnamedKey](json: "[{}]") },
            { _ = try [String: MisnamedKey](json: #"{"a": {}}"#) },
            { _ = try [MisnamedKey](json: "[{}]", options: MappingOptions(skipsInvalidElements: true)) },
            { _ = try MisnamedKey().assign(rawValue: 1, toProperty: "comments") },
            { _ = try Envelope(json: #"{"gist": {}}"#) },
        ]
        for call in calls {
            let error = #expect(throws: ModelError.self) { try call() }
            #expect((error?.modelFault?.model, error?.modelFault?.property) == ("MisnamedKey", "createdat"))
        }
    }

    @Test("ignoredProperties can name stored properties that cannot be mapped")
    func ignoring() throws {
        #expect(try IgnoresAll(json: #"{"comments": 5, "fixed": 2}"#).comments == 5)
    }

    @Test("A rule can name a subclass's property if only the subclass is mapped")
    func subclassProperty() throws {
        #expect(try HasSubclassProperty(json: #"{"subtitle": "a"}"#).subtitle == "a")
        #expect(
            Thrown.text { try NamesSubclassProperty(json: "{}") }
                == #"NamesSubclassProperty cannot be mapped: requiredProperties names "subtitle", which is not a "#
                + "stored property of NamesSubclassProperty.")
    }
}
