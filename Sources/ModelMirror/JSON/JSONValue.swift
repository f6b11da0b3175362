/// Any JSON value as a tree, for free-form JSON and converters.
///
/// Numbers keep all their digits. The members of an object are unordered; the last of duplicate keys wins. Keys that Unicode
/// considers equivalent (composed and decomposed) are one key, as for all Swift strings.
///
/// ```swift
/// let value = try JSONValue(json: #"{"items": [{"id": 7, "tags": null}]}"#)
/// value["items"][0]["id"]?.int                       // 7
/// value["items"][1]["id"]                            // nil: no such element
/// value == ["items": [["id": 7, "tags": nil]]]       // true
/// ```
public enum JSONValue: Hashable, Sendable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A number with all its digits.
    case number(JSONNumber)
    /// A string, escapes resolved.
    case string(String)
    /// An array.
    case array([JSONValue])
    /// An object.
    case object([String: JSONValue])
}

extension JSONValue: JSONTree {
    package init(number: String) { self = .number(JSONNumber(checked: number)) }
    package init(members: [String: JSONValue]) { self = .object(members) }

    /// The most stack, in bytes, that a recursive function takes per level in a debug build.
    static let bytesOfLevel = 1536
}

extension JSONValue: JSONInput, CustomStringConvertible {
    /// Calls `body` with the value's text, so that it is read like any document: `try Gist(json: value)`.
    public func withJSONBytes(_ body: (UnsafePointer<UInt8>, Int) -> Void) { description.withJSONBytes(body) }

    /// The value as compact JSON with sorted keys.
    public var description: String { text(\.text) }

    /// The same with numbers of another form.
    ///
    /// Without recursion, so that values of any depth are written on any stack.
    func text(_ form: (JSONNumber) -> String) -> String {
        var text = ""
        /// What is still to be added: a text, a value, or both, the text first.
        var rest: [(start: String, value: JSONValue?)] = [("", self)]
        while let (start, value) = rest.popLast() {
            if !start.isEmpty { text += start }
            switch value {
            case nil: break
            case .null?: text += "null"
            case .bool(let value)?: text += value ? "true" : "false"
            case .number(let value)?: text += form(value)
            case .string(let value)?: text += value.quotedForMessage
            case .array(let elements)?:
                text += "["
                rest.append(("]", nil))
                for index in elements.indices.reversed() { rest.append((index == 0 ? "" : ",", elements[index])) }
            case .object(let members)?:
                text += "{"
                rest.append(("}", nil))
                for (index, (key, value)) in members.sorted(by: { $0.key < $1.key }).enumerated().reversed() {
                    rest.append(((index == 0 ? "" : ",") + key.quotedForMessage + ":", value))
                }
            }
        }
        return text
    }
}
