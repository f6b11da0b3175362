import ModelMirror
public import ModelMirrorFoundation

/// The links of `Link` fields, RFC 8288.
///
/// ```swift
/// // Link: <https://api.example.com/gists?page=3>; rel="next", </gists?page=1>; rel="first prev"; title="a, b"
/// response.head.link("next")      // https://api.example.com/gists?page=3
/// response.links[1].parameters["title"]      // a, b
/// ```
extension ResponseHead {
    /// A link.
    public struct Link: Hashable, Sendable {
        /// Its URL; relative ones are resolved against that of the response (RFC 3986 section 5).
        public let target: URL
        /// Its relations to the response, such as `next`, in lower case; empty if there are none.
        public let relations: [String]
        /// Its parameters, including `rel`, with names in lower case. Of several with the same name the first counts; one without
        /// a value has an empty string.
        public let parameters: [String: String]

        /// The links in the value of one field.
        package static func links(in value: String, relativeTo base: URL? = nil) -> [Link] {
            Parser(rest: value[...].utf8, base: base).links()
        }
    }

    /// The links in all `Link` fields. A malformed one is skipped up to the next comma outside quotes; the others are kept.
    public var links: [Link] { headers.values(for: .link).flatMap { Link.links(in: $0, relativeTo: url) } }

    /// The URL of the first link with a relation; nil if there is none.
    ///
    /// Links with an `anchor` are about another resource and are ignored.
    ///
    /// - Parameter relation: The relation, such as `next`, in any case.
    public func link(_ relation: String) -> URL? {
        let wanted = relation.lowercased()
        return links.first { $0.relations.contains(wanted) && $0.parameters["anchor"] == nil }?.target
    }
}

/// Parses the value of a field, RFC 8288 appendix B.2.
private struct Parser {
    var rest: Substring.UTF8View
    let base: URL?

    consuming func links() -> [ResponseHead.Link] {
        var links: [ResponseHead.Link] = []
        while !rest.isEmpty {
            skip { $0.isBlank || $0 == UInt8(ascii: ",") }
            if !rest.isEmpty, let link = nextLink() { links.append(link) }
            skipToComma()
        }
        return links
    }

    /// The link at the position; nil if it is malformed.
    private mutating func nextLink() -> ResponseHead.Link? {
        guard take("<") else { return nil }
        let text = takeText { $0 != UInt8(ascii: ">") }
        guard take(">"), let target = target(of: text) else { return nil }
        var parameters: [String: String] = [:]
        while take(";") {
            skip(\.isBlank)
            let name = takeText { !$0.isBlank && !",;=".utf8.contains($0) }.lowercased()
            var value = ""
            if take("=") {
                guard let taken = takeValue() else { return nil }
                value = taken
            }
            if !name.isEmpty, parameters[name] == nil { parameters[name] = value }
        }
        // Only a parameter or a comma may follow a parameter.
        guard rest.isEmpty || rest.first == UInt8(ascii: ",") else { return nil }
        let relations = (parameters["rel"] ?? "").lowercased().split { $0.isWhitespace }.map(String.init)
        return ResponseHead.Link(target: target, relations: relations, parameters: parameters)
    }

    private func target(of text: String) -> URL? {
        let trimmed = text.withoutOuterSpaces
        // An empty reference is the page itself.
        if trimmed.isEmpty { return base }
        guard let url = URLText.url(from: trimmed) else { return nil }
        guard let base, url.scheme == nil else { return url }
        return URL(string: url.relativeString, relativeTo: base)?.absoluteURL
    }

    /// A quoted string, or the text up to the next parameter or link; nil if a quote is not closed.
    private mutating func takeValue() -> String? {
        guard take("\"") else { return takeText { !",;".utf8.contains($0) }.withoutOuterSpaces }
        var value: [UInt8] = []
        while var byte = rest.popFirst() {
            if byte == UInt8(ascii: "\"") { return String(decoding: value, as: UTF8.self) }
            if byte == UInt8(ascii: "\\"), let escaped = rest.popFirst() { byte = escaped }
            value.append(byte)
        }
        return nil
    }

    /// Moves to the next comma outside quotes and angle brackets.
    private mutating func skipToComma() {
        while let byte = rest.first, byte != UInt8(ascii: ",") {
            switch byte {
            case UInt8(ascii: "\""): _ = takeValue()
            case UInt8(ascii: "<"): skip { $0 != UInt8(ascii: ">") }
            default: rest.removeFirst()
            }
        }
    }

    /// Takes a character, and the blanks before it even if it does not follow.
    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        skip(\.isBlank)
        guard rest.first == UInt8(ascii: character) else { return false }
        rest.removeFirst()
        return true
    }

    private mutating func takeText(while isPart: (UInt8) -> Bool) -> String {
        defer { skip(isPart) }
        return String(decoding: rest.prefix(while: isPart), as: UTF8.self)
    }

    private mutating func skip(_ isSkipped: (UInt8) -> Bool) { rest = rest.drop(while: isSkipped) }
}
