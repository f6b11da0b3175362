import Foundation

/// A JSON Schema, or a document that has some, with its references.
struct SchemaDocument {
    let root: Sample

    /// The value that a reference leads to: a JSON pointer (RFC 6901) in the fragment of a URI, or an anchor.
    ///
    /// - Throws: ``InferenceError/invalidSchema(reason:)`` for a reference out of the document, and for one that leads nowhere.
    func value(at reference: String) throws(InferenceError) -> Sample {
        guard reference.hasPrefix("#") else {
            throw .invalidSchema(
                reason: "The reference \"\(reference)\" leads out of the document; put what it names under $defs.")
        }
        let fragment = reference.dropFirst().removingPercentEncoding ?? String(reference.dropFirst())
        var value = root
        if !fragment.isEmpty, !fragment.hasPrefix("/") {
            if let anchored = SchemaDocument.anchored(fragment, in: root) { return anchored }
            throw .invalidSchema(reason: "The reference \"\(reference)\" names no anchor of the document; add it.")
        }
        for part in fragment.split(separator: "/", omittingEmptySubsequences: false).dropFirst() {
            let key = part.replacingOccurrences(of: "~1", with: "/").replacingOccurrences(of: "~0", with: "~")
            guard let next = value[key] ?? value.element(key) else {
                throw .invalidSchema(
                    reason: "The reference \"\(reference)\" leads nowhere, since there is no \"\(key)\"; add it.")
            }
            value = next
        }
        return value
    }

    private static func anchored(_ name: String, in value: Sample) -> Sample? {
        switch value {
        case .object(let members):
            if value["$anchor"]?.text == name { return value }
            return members.lazy.compactMap { anchored(name, in: $0.value) }.first
        case .array(let elements): return elements.lazy.compactMap { anchored(name, in: $0) }.first
        default: return nil
        }
    }

    /// The last part of a reference, which names what it leads to.
    static func name(of reference: String) -> String {
        let last = reference.split(separator: "/").last.map(String.init) ?? ""
        return last == "#" ? "" : last.removingPercentEncoding ?? last
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
