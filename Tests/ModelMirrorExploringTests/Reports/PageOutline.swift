/// The elements of a page of HTML. It reads less than a browser does: every element has its end, and every attribute its quotes.
struct PageOutline {
    struct Element {
        let name: String
        let attributes: [String: String]
        /// The number of the element around; nil for the first.
        let parent: Int?
        /// The text in the element and in those in it.
        var text = ""
    }

    private(set) var elements: [Element] = []
    /// What is wrong.
    private(set) var errors: [String] = []

    private static let void: Set = ["meta"]
    private static let raw: Set = ["style", "script"]
    /// The elements that may be around others.
    private static let parents: [String: Set<String>] = [
        "html": [], "head": ["html"], "body": ["html"], "meta": ["head"], "title": ["head", "svg", "rect"],
        "desc": ["svg"], "main": ["body"], "header": ["body"], "section": ["main"], "li": ["ul", "ol"],
        "summary": ["details"],
        "caption": ["table"], "thead": ["table"], "tbody": ["table"], "tr": ["thead", "tbody"], "td": ["tr"],
        "th": ["tr"],
        "figcaption": ["figure"], "rect": ["svg"],
    ]

    subscript(name: String) -> [Element] { elements.filter { $0.name == name } }

    init(_ html: String) {
        var rest = html[...]
        if rest.hasPrefix("<!DOCTYPE html>\n") { rest = rest.dropFirst(16) } else { errors.append("no DOCTYPE") }
        var open: [Int] = []
        while !rest.isEmpty {
            if let last = open.last, PageOutline.raw.contains(elements[last].name) {
                var end = rest.startIndex
                while end < rest.endIndex, !rest[end...].hasPrefix("</") {
                    end = rest[rest.index(after: end)...].utf8.firstIndex(of: UInt8(ascii: "<")) ?? rest.endIndex
                }
                elements[last].text += rest[..<end]
                rest = rest[end...]
            }
            guard rest.first == "<" else {
                let end = rest.utf8.firstIndex(of: UInt8(ascii: "<")) ?? rest.endIndex
                let text = text(rest[..<end])
                for element in open { elements[element].text += text }
                rest = rest[end...]
                continue
            }
            guard let end = rest.utf8.firstIndex(of: UInt8(ascii: ">")), let tag = Tag(rest[..<end].dropFirst()) else {
                errors.append("no tag: \(rest.prefix(40))")
                return
            }
            if tag.isEnd {
                let name = open.popLast().map { elements[$0].name }
                if name != tag.name { errors.append("\(rest[...end]) ends \(name ?? "nothing")") }
            } else {
                let around = open.last.map { elements[$0].name } ?? ""
                if let parents = PageOutline.parents[tag.name],
                    !(parents.isEmpty ? around.isEmpty : parents.contains(around))
                {
                    errors.append("<\(tag.name)> in <\(around)>")
                }
                let attributes = tag.attributes.mapValues { text($0) }
                elements.append(Element(name: tag.name, attributes: attributes, parent: open.last))
                if !tag.isEmpty, !PageOutline.void.contains(tag.name) { open.append(elements.count - 1) }
            }
            rest = rest[end...].dropFirst()
        }
        if !open.isEmpty { errors.append("no end of \(open.map { elements[$0].name })") }
        let names = Set(elements.compactMap { $0.attributes["id"] })
        if names.count != elements.count(where: { $0.attributes["id"] != nil }) { errors.append("an id twice") }
        for element in elements {
            var references = (element.attributes["aria-labelledby"] ?? "").split(separator: " ").map(String.init)
            if let link = element.attributes["href"] { references.append(String(link.dropFirst())) }
            for name in references where !names.contains(name) { errors.append("no id \(name)") }
        }
    }

    /// The text of markup without tags.
    private mutating func text(_ markup: Substring) -> String {
        guard markup.utf8.contains(UInt8(ascii: "&")) else { return String(markup) }
        let names: [Substring: String] = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "#39": "'"]
        let parts = markup.split(separator: "&", omittingEmptySubsequences: false)
        var text = String(parts.first ?? "")
        for part in parts.dropFirst() {
            guard let end = part.firstIndex(of: ";"), let character = names[part[..<end]] else {
                errors.append("& is not escaped: \(part.prefix(20))")
                continue
            }
            text += character + part[part.index(after: end)...]
        }
        return text
    }
}

/// What stands between `<` and `>`. Scanned by hand: a regular expression takes most of the time of the tests.
private struct Tag {
    let name: String
    private(set) var attributes: [String: Substring] = [:]
    let isEnd: Bool
    /// Whether it is an element without an end, `<rect/>`.
    let isEmpty: Bool

    init?(_ markup: Substring) {
        isEnd = markup.hasPrefix("/")
        isEmpty = markup.hasSuffix("/")
        let markup = markup.dropFirst(isEnd ? 1 : 0).dropLast(isEmpty ? 1 : 0)
        let isOfName = { (byte: UInt8) in (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) }
        let end = markup.utf8.firstIndex { !isOfName($0) } ?? markup.endIndex
        name = String(markup[..<end])
        if name.isEmpty || isEnd && (isEmpty || end < markup.endIndex) { return nil }
        // Every second part is a value, which the one before it names.
        let parts = markup[end...].split(separator: "\"", omittingEmptySubsequences: false)
        if parts.count.isMultiple(of: 2) { return nil }
        for (index, part) in parts.enumerated() where index.isMultiple(of: 2) {
            let isLast = index == parts.count - 1
            var names = part.split(separator: " ", omittingEmptySubsequences: false)
            guard names.first?.isEmpty == true || isLast && part.isEmpty else { return nil }
            names = Array(names.dropFirst())
            if !isLast {
                guard let name = names.popLast(), name.hasSuffix("="), !parts[index + 1].utf8.contains(0x3C) else {
                    return nil
                }
                attributes[String(name.dropLast())] = parts[index + 1]
            }
            for name in names { attributes[String(name)] = "" }
        }
        let isAttribute = { (name: String) in
            !name.isEmpty && name.utf8.allSatisfy { (0x61...0x7A).contains($0 | 0x20) || $0 == 0x2D }
        }
        if !attributes.keys.allSatisfy(isAttribute) { return nil }
    }
}
