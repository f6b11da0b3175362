import ModelMirror

extension DocumentCheck {
    /// Something that does not fit.
    public struct Finding: Sendable {
        /// `failure`, or the kind of a deviation, such as `does not fit`.
        public let label: String
        /// Whether it makes the mapping fail.
        public let isFailure: Bool
        /// What was expected, what was found and where, in one sentence.
        public let sentence: String
        /// The line and column in the source; nil if the finding has no place.
        let place: ErrorPlace?
        /// The name of the source.
        let source: String
        /// The line with a caret under the value, unless it is redacted; nil if the finding has no place.
        public let excerpt: String?
        /// The number of further values of the same property that deviate in the same way.
        public internal(set) var repetitions = 0
        var subject: Subject?

        /// The line in the source, from 1; nil if the finding has no place.
        public var line: Int? { place?.line }
        /// The column in Unicode scalars, from 1; nil if the finding has no place.
        public var column: Int? { place?.column }
    }

    /// What repeated deviations have in common: class, property, kind, key and expectation.
    struct Subject: Hashable {
        let model: String
        let property: String?
        let label: String
        let key: String
        let expected: String

        init(_ entry: MappingReport.Entry) {
            model = entry.model
            property = entry.property
            label = entry.label
            expected = entry.expected
            if entry.property == nil, case .key(let last)? = entry.path.steps.last { key = last } else { key = "" }
        }
    }
}

extension MappingReport.Entry {
    /// Whether the value is an object that its own failures kept out.
    var isFailedObject: Bool { failure.code == .nested }

    /// Whether an object or an element was left out. A key beside a preferred one loses nothing.
    var isLoss: Bool {
        isFailedObject || kind == .skipped && !(failure.code == .alias)
    }

    /// The kind in words.
    var label: String {
        if isFailedObject { return "failure, so skipped" }
        return switch kind {
        case .fallback: "does not fit"
        case .skipped: "skipped"
        case .coerced: "converted"
        case .missing: "missing"
        case .unknownKey: "unknown key"
        }
    }
}

extension PropertyFailure {
    /// The place of the key before the value.
    func keyPlace(in bytes: [UInt8]) -> ErrorPlace? {
        let quote = UInt8(ascii: "\"")
        guard let place, let end = bytes[..<place.offset].lastIndex(of: quote) else { return place }
        var start = end
        repeat {
            guard let before = bytes[..<start].lastIndex(of: quote) else { return place }
            start = before
            // A quote after an odd number of backslashes is part of the key.
        } while !bytes[..<start].reversed().prefix { $0 == UInt8(ascii: "\\") }.count.isMultiple(of: 2)
        func width(_ part: ArraySlice<UInt8>) -> Int { part.count { $0 & 0xC0 != 0x80 } }
        let breaks = String(decoding: bytes[end..<place.offset], as: UTF8.self).count(where: \.isNewline)
        if breaks == 0 {
            return ErrorPlace(
                line: place.line, column: place.column - width(bytes[start..<place.offset]), offset: start)
        }
        let before = bytes[..<start].reversed().prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }.count
        return ErrorPlace(
            line: place.line - breaks, column: 1 + width(bytes[start - before..<start]), offset: start)
    }
}

extension JSONSyntaxError {
    var sentence: String { "not JSON: expected \(expected), found \(found)" }
}
