#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension URL {
    /// The items of the query as written.
    var queryItemTexts: [Substring] {
        let text = absoluteString
        let end = text.firstIndex(of: "#") ?? text.endIndex
        guard let mark = text[..<end].firstIndex(of: "?") else { return [] }
        return text[mark..<end].dropFirst().split(separator: "&")
    }

    /// The name of a query item, unescaped.
    static func name(ofItem item: Substring) -> String {
        let name = item.prefix { $0 != "=" }.replacing("+", with: " ")
        return PercentEscaping.unescaped(name) ?? String(name)
    }

    /// The URL with each item of its query replaced; nil removes it. All else stays as written.
    func mappingQuery(_ transform: (Substring) -> String?) -> URL {
        let text = absoluteString
        let end = text.firstIndex(of: "#") ?? text.endIndex
        guard let mark = text[..<end].firstIndex(of: "?") else { return self }
        let items = queryItemTexts.compactMap(transform)
        let query = items.isEmpty ? "" : "?" + items.joined(separator: "&")
        // The items were parts of a URL, or are tokens.
        return URL(string: text[..<mark] + query + text[end...]) ?? self
    }

    /// The URL without the items of some names, which are compared unescaped.
    func removingQueryItems(_ names: Set<String>) -> URL {
        guard !names.isEmpty, query != nil else { return self }
        return mappingQuery { names.contains(URL.name(ofItem: $0)) ? nil : String($0) }
    }
}
