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
                let end = rest.firstRange(of: "</")?.lowerBound ?? rest.endIndex
                elements[last].text += rest[..<end]
                rest = rest[end...]
            }
            if let tag = rest.prefixMatch(of: #/</([a-z0-9]+)>/#) {
                let name = open.popLast().map { elements[$0].name }
                if name != String(tag.1) { errors.append("\(tag.0) ends \(name ?? "nothing")") }
                rest = rest[tag.range.upperBound...]
            } else if let tag = rest.prefixMatch(of: #/<([a-z0-9]+)((?: [a-zA-Z-]+(?:="[^"<>]*")?)*)(/?)>/#) {
                let name = String(tag.1)
                var attributes: [String: String] = [:]
                for match in tag.2.matches(of: #/ ([a-zA-Z-]+)(?:="([^"]*)")?/#) {
                    attributes[String(match.1)] = text(match.2 ?? "")
                }
                let around = open.last.map { elements[$0].name } ?? ""
                if let parents = PageOutline.parents[name],
                    !(parents.isEmpty ? around.isEmpty : parents.contains(around))
                {
                    errors.append("<\(name)> in <\(around)>")
                }
                elements.append(Element(name: name, attributes: attributes, parent: open.last))
                if tag.3.isEmpty, !PageOutline.void.contains(name) { open.append(elements.count - 1) }
                rest = rest[tag.range.upperBound...]
            } else if rest.first == "<" {
                errors.append("no tag: \(rest.prefix(40))")
                return
            } else {
                let end = rest.firstIndex(of: "<") ?? rest.endIndex
                let text = text(rest[..<end])
                for element in open { elements[element].text += text }
                rest = rest[end...]
            }
        }
        if !open.isEmpty { errors.append("no end of \(open.map { elements[$0].name })") }
        let names = elements.compactMap { $0.attributes["id"] }
        if Set(names).count != names.count { errors.append("an id twice") }
        for element in elements {
            var references = (element.attributes["aria-labelledby"] ?? "").split(separator: " ").map(String.init)
            if let link = element.attributes["href"] { references.append(String(link.dropFirst())) }
            for name in references where !names.contains(name) { errors.append("no id \(name)") }
        }
    }

    /// The text of markup without tags.
    private mutating func text(_ markup: Substring) -> String {
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
