import Foundation
import Testing

@testable import ModelMirror
@testable import ModelMirrorTesting

extension SchemaCheck {
    /// A check that also validates the formats of models' schemas. An unknown keyword is a test failure, so that nothing goes
    /// unchecked.
    init(validating root: JSONValue) {
        self.init(root: root) { value, keyword, rule in
            switch keyword {
            case "$schema", "$defs", "$comment", "contentEncoding", "contentMediaType": return true
            case "pattern":
                guard let text = value.string else { return true }
                return (try? text.contains(Regex(rule.string ?? ""))) ?? false
            case "format": return value.string.map { SchemaCheck.isOfFormat($0, rule.string ?? "") } ?? true
            default:
                Issue.record("The keyword \(keyword) is not checked.")
                return false
            }
        }
    }

    private static func isOfFormat(_ text: String, _ format: String) -> Bool {
        switch format {
        case "date-time": text.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)/) != nil
        case "uuid": UUID(uuidString: text) != nil
        case "uri": !text.isEmpty
        case "byte": isBase64(text + String(repeating: "=", count: (4 - text.count % 4) % 4))
        default: false
        }
    }

    /// Whether a padded text is base64 without stray bits.
    private static func isBase64(_ text: String) -> Bool { Data(base64Encoded: text)?.base64EncodedString() == text }
}

/// Expects that mapping a document to a type and the type's schema both accept it, or both refuse it.
func expectSchema(
    of type: (some Any).Type, accepts json: String, _ isAccepted: Bool, options: MappingOptions = .strict,
    at source: Testing.SourceLocation = #_sourceLocation
) throws {
    let document = try JSONValue(json: json)
    let isMapped = (try? JSONMapper.value(type, from: document, options: options)) != nil
    let check = SchemaCheck(validating: try JSONMapper.jsonSchema(of: type, options: options))
    #expect([isMapped, check.accepts(document)] == [isAccepted, isAccepted], "\(json)", sourceLocation: source)
}

/// Expects that mapping and the schema of a class accept the same documents, and more than `count` of them, and refuse more than
/// `count` others.
func expectSchema(
    of model: (some AbstractModel).Type, agreesOn documents: [JSONValue], moreThan count: Int,
    options: MappingOptions = .strict, at source: Testing.SourceLocation = #_sourceLocation
) throws {
    let check = SchemaCheck(validating: try model.jsonSchema(options: options))
    var (accepted, differences) = (0, [String]())
    for document in documents {
        let isMapped = (try? model.init(json: document, options: options)) != nil
        if isMapped { accepted += 1 }
        if isMapped != check.accepts(document) { differences.append("\(isMapped) \(document)") }
    }
    #expect(differences.prefix(5) == [], sourceLocation: source)
    #expect(accepted > count, sourceLocation: source)
    #expect(documents.count - accepted > count, sourceLocation: source)
}

extension JSONValue {
    /// Every document that differs in one place: a value is replaced, or a member is removed.
    var variants: [JSONValue] {
        var results: [JSONValue] = [
            nil, true, 7, -1, 300, 0.5, 70_000, "\u{1F600}", "x", "pro", "a b", "cat", "", [], [nil], [1], ["a"], [:],
            ["k": nil], ["k": [1]], ["city": 1], ["kind": "dog"], ["kind": "cow"],
        ]
        switch self {
        case .object(let members):
            for (key, member) in members.sorted(by: { $0.key < $1.key }) {
                for other in member.variants { results.append(.object(members.merging([key: other]) { $1 })) }
                results.append(.object(members.filter { $0.key != key }))
            }
        case .array(let elements):
            for index in elements.indices {
                for other in elements[index].variants {
                    var changed = elements
                    changed[index] = other
                    results.append(.array(changed))
                }
            }
        default: break
        }
        return results
    }

    /// The variants, and each of them without one of its members.
    var variantsWithoutMembers: [JSONValue] {
        variants
            + variants.flatMap { variant in
                let members = variant.object ?? [:]
                return members.keys.sorted().map { key in JSONValue.object(members.filter { $0.key != key }) }
            }
    }
}
