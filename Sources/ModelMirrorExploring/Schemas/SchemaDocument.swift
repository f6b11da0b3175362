import Foundation

/// A JSON Schema, or a document that contains schemas; resolves references in it.
struct SchemaDocument {
    let root: Sample
    private let index = SchemaIndex()

    init(root: Sample) { self.root = root }

    /// A reference without the document's own URI before its fragment.
    func local(_ reference: String) -> String {
        guard let id = (root["$id"] ?? root["id"])?.text, !id.isEmpty, reference.hasPrefix(id) else { return reference }
        let fragment = reference.dropFirst(id.count)
        return fragment.isEmpty ? "#" : fragment.hasPrefix("#") ? String(fragment) : reference
    }

    /// The target of a reference: a JSON pointer (RFC 6901) in the fragment of a URI, or an anchor.
    ///
    /// - Throws: ``InferenceError/invalidSchema(reason:)`` for a reference that leaves the document or does not resolve.
    func value(at reference: String) throws(InferenceError) -> Sample {
        let local = local(reference)
        guard local.hasPrefix("#") else {
            throw .invalidSchema(
                reason: "The reference \"\(reference)\" leads out of the document; put what it names under $defs.")
        }
        let fragment = local.dropFirst().removingPercentEncoding ?? String(local.dropFirst())
        var value = root
        if !fragment.isEmpty, !fragment.hasPrefix("/") {
            if let anchored = index.anchored(fragment, in: root) { return anchored }
            throw .invalidSchema(reason: "The reference \"\(reference)\" names no anchor of the document; add it.")
        }
        var pointer = ""
        for part in fragment.split(separator: "/", omittingEmptySubsequences: false).dropFirst() {
            let key = SchemaDocument.key(part)
            guard let next = index.member(key, of: value, at: pointer) ?? value.element(key) else {
                throw .invalidSchema(
                    reason: "The reference \"\(reference)\" leads nowhere, since there is no \"\(key)\"; add it.")
            }
            value = next
            pointer += "/" + part
        }
        return value
    }

    /// The key that a token of a JSON pointer stands for.
    private static func key(_ part: some StringProtocol) -> String {
        part.replacingOccurrences(of: "~1", with: "/").replacingOccurrences(of: "~0", with: "~")
    }

    /// The last token of a reference, which names its target; empty for the root.
    static func name(of reference: String) -> String {
        let last = reference.split(separator: "/").last.map(String.init) ?? ""
        return last == "#" ? "" : key(last.removingPercentEncoding ?? last)
    }
}

/// What references of a document lead to, collected once, so that many references take linear time.
private final class SchemaIndex {
    private var anchors: [String: Sample]?
    /// The members of wide objects, by their JSON pointers.
    private var members: [String: [String: Sample]] = [:]

    /// The first value with an anchor.
    func anchored(_ name: String, in root: Sample) -> Sample? {
        if anchors == nil {
            var found: [String: Sample] = [:]
            SchemaIndex.collect(root, into: &found)
            anchors = found
        }
        return anchors?[name]
    }

    private static func collect(_ value: Sample, into anchors: inout [String: Sample]) {
        if let name = value["$anchor"]?.text, anchors[name] == nil { anchors[name] = value }
        for member in value.members ?? [] { collect(member.value, into: &anchors) }
        for element in value.elements ?? [] { collect(element, into: &anchors) }
    }

    func member(_ key: String, of value: Sample, at pointer: String) -> Sample? {
        guard let list = value.members, list.count > 16 else { return value[key] }
        if members[pointer] == nil {
            members[pointer] = Dictionary(list.map { ($0.key, $0.value) }) { first, _ in first }
        }
        return members[pointer]?[key]
    }
}

/// Access to the members of schemas.
extension Sample {
    subscript(key: String) -> Sample? { members?.first { $0.key == key }?.value }

    func element(_ index: String) -> Sample? {
        guard case .array(let elements) = self, let index = Int(index), elements.indices.contains(index) else {
            return nil
        }
        return elements[index]
    }

    var text: String? { if case .string(let text) = self { text } else { nil } }
    var elements: [Sample]? { if case .array(let elements) = self { elements } else { nil } }
    var numberText: String? { if case .number(let text) = self { text } else { nil } }
    var isTrue: Bool { if case .bool(true) = self { true } else { false } }
    var isFalse: Bool { if case .bool(false) = self { true } else { false } }
    var isNull: Bool { if case .null = self { true } else { false } }
}
