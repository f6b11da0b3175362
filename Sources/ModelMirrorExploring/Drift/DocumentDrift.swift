public import ModelMirror

/// The changes between two documents of one API: members, types, nulls and enumerated values.
///
/// ```swift
/// let drift = DocumentDrift(from: try JSONValue(json: recorded), to: try JSONValue(json: today))
/// for change in drift.changes { print(change) }
/// // $.items[].owner.login: string -> number
/// ```
///
/// All elements of an array are one place, and so are the members of an object whose keys are data, such as file names:
/// `$.files{}`. Not reported, since they may depend on the sample: a value that is no longer null, an array that is no longer
/// empty, a member that was missing in some objects and now is in all.
public struct DocumentDrift: Sendable {
    /// A change at one place.
    public struct Change: Sendable, Equatable, CustomStringConvertible {
        /// The kind of a change.
        public enum Kind: String, Sendable, CaseIterable {
            /// A new member.
            case appeared
            /// A member that is gone.
            case disappeared
            /// Values of a new type.
            case type
            /// Values that are now null, always or sometimes.
            case null
            /// A member that is now missing in some objects.
            case missing
            /// A new value of an enumeration.
            case value
        }

        /// The kind.
        public let kind: Kind
        /// The place: `$.items[].owner.login`.
        public let path: String
        /// Before and after: `string -> number`.
        public let text: String
        let evidence: Evidence
        /// Nil until ``DocumentDrift/findLines(of:in:named:isOld:isList:)`` finds it.
        var line: Line?

        /// The path and the text.
        public var description: String { "\(path): \(text)" }
    }

    /// The changes by place: the members of an object sorted by key.
    public internal(set) var changes: [Change] = []

    /// Compares two documents.
    public init(from old: JSONValue, to new: JSONValue) {
        compare(DocumentShape(old), DocumentShape(new), at: [])
    }

    private mutating func add(
        _ kind: Change.Kind, _ path: [Evidence.Step], _ text: String, _ value: Evidence.Value = .any
    ) {
        changes.append(
            Change(
                kind: kind, path: "$" + path.map(\.description).joined(), text: text,
                evidence: Evidence(path: path, value: value)))
    }

    /// Compares the values at a place that is in both documents.
    private mutating func compare(_ old: DocumentShape, _ new: DocumentShape, at path: [Evidence.Step]) {
        let (before, after) = (old.kinds, new.kinds)
        let isNull = new.counts[.null] != nil && old.counts[.null] == nil
        // If all values were null, their type is not known.
        if !before.isEmpty, after.contains(where: { !before.contains($0) }) || after.isEmpty {
            if after.isEmpty {
                if isNull { add(.null, path, "\(old.words) -> null", .of([.null])) }
            } else {
                add(.type, path, "\(old.words) -> \(new.words)", .of(after.filter { !before.contains($0) }))
            }
        } else if isNull, !before.isEmpty {
            add(.null, path, "\(old.words) -> \(new.words) (null in \(new.share(.null)))", .of([.null]))
        }
        if new.hasFractions, !old.hasFractions, before.contains(.number) {
            add(.type, path, "whole number -> number with fraction", .fraction)
        }
        compareStrings(old, new, at: path)
        if let old = old.element, let new = new.element { compare(old, new, at: path + [.element]) }
        guard before.contains(.object), after.contains(.object) else { return }
        if DocumentShape.keysAreData(old, new) {
            if !old.members.isEmpty, !new.members.isEmpty {
                compare(old.anyMember, new.anyMember, at: path + [.member])
            }
        } else {
            compareMembers(old, new, at: path)
        }
    }

    private mutating func compareMembers(_ old: DocumentShape, _ new: DocumentShape, at path: [Evidence.Step]) {
        let (objectsBefore, objectsAfter) = (old.counts[.object] ?? 0, new.counts[.object] ?? 0)
        for key in Set(old.members.keys).union(new.members.keys).sorted() {
            let place = path + [.key(key.text)]
            switch (old.members[key], new.members[key]) {
            case (let before?, let after?):
                compare(before, after, at: place)
                if before.total == objectsBefore, after.total < objectsAfter {
                    add(
                        .missing, place, "always there -> absent in \(objectsAfter - after.total) of \(objectsAfter)",
                        .absent)
                }
            case (nil, let after?):
                add(.appeared, place, "absent -> \(after.words)" + share(after.total, of: objectsAfter))
            case (let before?, nil):
                add(.disappeared, place, before.words + share(before.total, of: objectsBefore) + " -> absent")
            case (nil, nil): break
            }
        }
    }

    private func share(_ count: Int, of total: Int) -> String { count == total ? "" : " (in \(count) of \(total))" }

    /// Compares strings that look like the cases of an enumeration: few, repeated, and single words.
    private mutating func compareStrings(_ old: DocumentShape, _ new: DocumentShape, at path: [Evidence.Step]) {
        guard !old.hasManyStrings, !new.hasManyStrings, old.strings.count <= DocumentShape.mostStrings,
            (old.counts[.string] ?? 0) >= 2 * old.strings.count, !old.strings.isEmpty
        else { return }
        let added = new.strings.keys.filter { old.strings[$0] == nil }.sorted()
        guard !added.isEmpty, added.count <= 3, (Array(old.strings.keys) + added).allSatisfy(\.isWord) else { return }
        let values = added.map { $0.debugDescription }.joined(separator: ", ")
        let known = old.strings.keys.sorted().map { $0.debugDescription }.joined(separator: ", ")
        add(.value, path, "\(known) -> also \(values)", .strings(added))
    }
}

extension DocumentShape {
    /// `3 of 10`
    fileprivate func share(_ kind: Kind) -> String { "\(counts[kind] ?? 0) of \(total)" }
}

extension String {
    /// Whether the text could name an enumeration's case: a letter, then at most 31 letters, digits, `_`, `-` and `.`.
    fileprivate var isWord: Bool {
        guard let first = unicodeScalars.first, first.properties.isAlphabetic, count <= 32 else { return false }
        return unicodeScalars.allSatisfy { $0.properties.isAlphabetic || "0123456789_-.".unicodeScalars.contains($0) }
    }
}
