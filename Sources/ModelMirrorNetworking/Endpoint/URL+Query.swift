public import ModelMirrorFoundation

extension URL {
    /// The URL with parameters appended to its query; existing items with the same names stay.
    func addingQuery(_ list: ParameterList, style: ParameterStyle = ParameterStyle()) throws(RequestError) -> URL {
        let added = try ParameterEncoder.text(list, style: style, isForm: false)
        return added.isEmpty ? self : try splicing(added) { _ in true }
    }

    /// The URL with parameters appended to its query, replacing existing items with the same names. All else stays as
    /// written.
    ///
    /// ```swift
    /// try URL(string: "https://example.com/a?q=x+y&page=1")!.settingQuery(["page": 2])
    /// // https://example.com/a?q=x+y&page=2
    /// ```
    ///
    /// - Parameters:
    ///   - list: The parameters, escaped by RFC 3986 as in ``RequestParameters/query(_:style:)``.
    ///   - style: How values are written.
    /// - Throws: ``RequestError/invalidRequest(_:)`` for values that cannot be written in a query.
    public func settingQuery(
        _ list: ParameterList, style: ParameterStyle = ParameterStyle()
    ) throws(RequestError) -> URL {
        let added = try ParameterEncoder.text(list, style: style, isForm: false)
        guard !added.isEmpty else { return self }
        let names = Set(added.split(separator: "&").map(URL.name(ofItem:)))
        return try splicing(added) { !names.contains(URL.name(ofItem: $0)) }
    }

    /// Edits the text of the URL, so that the rest stays as written.
    private func splicing(_ added: String, keeping isKept: (Substring) -> Bool) throws(RequestError) -> URL {
        let (start, items, end) = partsAroundQuery
        var kept = items.filter(isKept)
        // The separator at the end of a query stands before what is added.
        if items.last?.isEmpty == true { kept.removeLast() }
        let query = (kept + [added[...]]).joined(separator: "&")
        let whole = String(start + "?" + query + end)
        guard let url = URL(string: whole) else { throw .invalidURL(whole) }
        return url
    }
}
