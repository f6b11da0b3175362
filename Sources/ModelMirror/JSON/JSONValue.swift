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

extension JSONValue {
    /// Reads a document; nil if the input never calls its closure.
    init?(document json: some JSONInput, depth: Int, bytes: Int) throws(JSONSyntaxError) {
        let result = json.reading { start, count -> Result<JSONValue, JSONSyntaxError> in
            var reader = JSONReader(start, count: count, depth: depth)
            do throws(Interruption) {
                try reader.limit(to: bytes, count)
                reader.skipWhitespace()
                let value = try JSONValue(&reader)
                try reader.finish()
                return .success(value)
            } catch {
                return .failure(JSONSyntaxError(error, in: reader))
            }
        }
        guard let result else { return nil }
        self = try result.get()
    }

    /// Reads the value at the cursor without recursion: open containers are kept on a stack.
    ///
    /// Containers nested too deep for the stack are still rejected: releasing, copying or merging the value takes a stack frame
    /// per level.
    init(_ reader: inout JSONReader) throws(Interruption) {
        var none: [Int: JSONValue]?
        try self.init(&reader, objects: &none)
    }

    /// - Parameter objects: Receives the nonempty objects, by their offsets; nil to collect none.
    init(_ reader: inout JSONReader, objects: inout [Int: JSONValue]?) throws(Interruption) {
        var open: [OpenContainer] = []
        var levels = JSONValue.freeLevels
        var value = JSONValue.null
        repeat {
            // At a value.
            if open.count >= levels {
                levels = StackRoom().levels(of: JSONValue.bytesOfLevel)
                if open.count >= levels { throw reader.expected(.lessStack) }
            }
            switch reader.byte {
            case UInt8(ascii: "{"):
                let start = reader.offset
                if try reader.openObject() {
                    open.append(OpenContainer(key: try reader.readKey(), start: start))
                    continue
                }
                value = .object([:])
            case UInt8(ascii: "["):
                if try reader.openArray() {
                    open.append(OpenContainer(key: nil, start: 0))
                    continue
                }
                value = .array([])
            case UInt8(ascii: "\""): value = .string(try reader.readString())
            case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                value = .number(JSONNumber(checked: try reader.scanNumber().string))
            case UInt8(ascii: "t"), UInt8(ascii: "f"): value = .bool(try reader.readBool())
            case UInt8(ascii: "n"):
                try reader.readNull()
                value = .null
            default: throw reader.expected(.value)
            }
            // After a value: it is added to the open container, which may end with it, and so on.
            while let last = open.indices.last, try open[last].add(value, &reader) {
                let ended = open.removeLast()
                value = ended.value
                if objects != nil, ended.key != nil { objects?[ended.start] = value }
            }
        } while !open.isEmpty
        self = value
    }

    /// The number of levels that are read without checking the stack.
    static let freeLevels = 8
    /// The most stack, in bytes, that a recursive function takes per level in a debug build.
    static let bytesOfLevel = 1536

    /// A container being read. Changed in place on the stack, so that its storage is never copied.
    private struct OpenContainer {
        /// The key of the member being read; nil in an array.
        var key: String?
        /// The offset of an object; 0 for an array.
        let start: Int
        private var elements: [JSONValue] = []
        private var members: [String: JSONValue] = [:]

        init(key: String?, start: Int) {
            self.key = key
            self.start = start
        }

        var value: JSONValue { key == nil ? .array(elements) : .object(members) }

        /// Adds a value and moves to the next one.
        ///
        /// - Returns: whether the container ended.
        mutating func add(_ value: JSONValue, _ reader: inout JSONReader) throws(Interruption) -> Bool {
            guard let key else {
                elements.append(value)
                return !(try reader.nextElement())
            }
            members[key] = value
            guard try reader.nextMember() else { return true }
            self.key = try reader.readKey()
            return false
        }
    }
}

extension JSONReader {
    /// Reads the key at the cursor and moves to its value.
    @inline(__always)
    mutating func readKey() throws(Interruption) -> String {
        let key = try readString()
        try colon()
        return key
    }
}

extension JSONValue {
    /// The value as JSON on one line, with sorted keys. Made without recursion.
    var compactText: String {
        var text = ""
        var rest: [TextPart] = [.value(self)]
        while let part = rest.popLast() {
            switch part {
            case .text(let plain): text += plain
            case .member(let key, let value, let isFirst):
                text += (isFirst ? "" : ",") + key.quotedForMessage + ":"
                rest.append(.value(value))
            case .value(.null): text += "null"
            case .value(.bool(let value)): text += value ? "true" : "false"
            case .value(.number(let value)): text += value.text
            case .value(.string(let value)): text += value.quotedForMessage
            case .value(.array(let elements)):
                text += "["
                rest.append(.text("]"))
                for (index, element) in elements.enumerated().reversed() {
                    rest.append(.value(element))
                    if index > 0 { rest.append(.text(",")) }
                }
            case .value(.object(let members)):
                text += "{"
                rest.append(.text("}"))
                for (index, member) in members.sorted(by: { $0.key < $1.key }).enumerated().reversed() {
                    rest.append(.member(member.key, member.value, isFirst: index == 0))
                }
            }
        }
        return text
    }

    /// A part still to be added to the text.
    private enum TextPart {
        case text(String)
        case member(String, JSONValue, isFirst: Bool)
        case value(JSONValue)
    }
}

extension JSONValue: JSONInput {
    /// Calls `body` with the value's text, so that it is read like any document: `try Gist(json: value)`.
    public func withJSONBytes(_ body: (UnsafePointer<UInt8>, Int) -> Void) { compactText.withJSONBytes(body) }
}

extension JSONValue: CustomStringConvertible {
    /// The value as compact JSON with sorted keys.
    public var description: String { compactText }
}
