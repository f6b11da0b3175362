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
