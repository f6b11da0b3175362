import ModelMirror
import ModelMirrorFoundation
public import ModelMirrorNetworking

/// Checks that a pagination fulfills the contract of `Pagination`, against a server that a closure describes.
///
/// ```swift
/// @Test func conforms() {
///     let failures = PaginationConformance.failures(of: DayPagination(), pageCount: 3) { request in
///         PageResponse(Response(Data("[1, 2]".utf8), url: request.url, headers: ["X-Previous-Day": …]))
///     }
///     #expect(failures == [])
/// }
/// ```
public enum PaginationConformance {
    /// Walks through a list from its first page and returns the violations as sentences; empty for a conforming pagination.
    ///
    /// Checks that the list ends after its last page; that each page has its own position and its own request, with the list's
    /// method, origin and header fields; that the same arguments give the same results; that a page's request is made from the list's alone;
    /// and that `previous` is nil or the page before, and nil for the first page.
    ///
    /// - Parameters:
    ///   - pagination: The pagination.
    ///   - pageCount: The number of pages, at least 1, including an empty last page if the pagination requests it.
    ///   - request: The request of the list. Defaults to `GET https://api.example.com/items?q=a%20b` with a header field.
    ///   - respond: Returns the server's response to a page's request. An error it throws is a violation.
    public static func failures<Style: Pagination>(
        of pagination: Style, pageCount: Int, request: TransportRequest? = nil,
        respond: (_ request: TransportRequest) throws -> PageResponse
    ) -> [String] {
        let list = request ?? TransportRequest(.get, standardURL, headers: [.acceptLanguage: "en"])
        var walk = PaginationWalk(pagination: pagination, list: list)
        var position = pagination.first
        do {
            if pagination.first != position { walk.found.append("the first position differs from call to call") }
            while true {
                let request = try walk.request(for: position)
                let response = try respond(request)
                walk.positions.append(position)
                try walk.checkPrevious(response)
                guard let next = try walk.next(after: position, response) else { break }
                if walk.positions.contains(next) {
                    walk.found.append("after \(position) comes \(next) again, so that the list has no end")
                    return walk.found
                }
                if walk.positions.count > pageCount { break }
                position = next
            }
        } catch {
            walk.found.append("\(position) fails: \(error)")
            return walk.found
        }
        if walk.positions.count != pageCount {
            let more = walk.positions.count > pageCount ? "more than " : ""
            let count = min(walk.positions.count, pageCount)
            walk.found.append("the list has \(more)\(count) pages, expected \(pageCount)")
        }
        walk.checkAgain()
        return walk.found
    }

    private static var standardURL: URL {
        URL(string: "https://api.example.com/items?q=a%20b") ?? URL(fileURLWithPath: "/")
    }
}

/// The pages visited so far, and the violations found.
private struct PaginationWalk {
    let pagination: any Pagination
    let list: TransportRequest
    var positions: [PagePosition] = []
    var found: [String] = []
    var targets: [String] = []
    var urls: [URL] = []

    /// The request of a page, prepared from the list's twice to compare the results.
    mutating func request(for position: PagePosition) throws -> TransportRequest {
        var (request, again) = (list, list)
        try pagination.prepare(&request, for: position)
        try pagination.prepare(&again, for: position)
        let target = target(of: request)
        if target != self.target(of: again) {
            found.append(
                request.url == again.url
                    ? "\(position) is prepared with another body or other header fields the second time: \(request.url)"
                    : "\(position) is prepared as \(request.url) and then as \(again.url)")
        }
        if request.method != list.method {
            found.append("\(position) is requested by \(request.method), expected \(list.method)")
        }
        if request.url.origin != list.url.origin {
            found.append("\(position) is requested from another origin: \(request.url)")
        }
        if let lost = list.headers.fields.first(where: { request.headers[$0.name] == nil }) {
            found.append(
                "\(position) is requested without the list's field \(lost.name); change the request that was given")
        }
        if targets.contains(target) { found.append("\(position) is requested as an earlier page: \(request.url)") }
        targets.append(target)
        urls.append(request.url)
        return request
    }

    /// Prepares all pages again, as after a refresh: what the walk has left behind must not change them.
    mutating func checkAgain() {
        for (index, position) in positions.enumerated() {
            var again = list
            do {
                try pagination.prepare(&again, for: position)
            } catch {
                found.append("\(position) is not prepared once later pages have been: \(error)")
                continue
            }
            if target(of: again) != targets[index] {
                found.append(
                    again.url == urls[index]
                        ? "\(position) is prepared with another body or other header fields after later pages: \(again.url)"
                        : "\(position) is prepared as \(urls[index]), and as \(again.url) after later pages")
            }
        }
    }

    /// What tells a page's request from another's: URL, header fields and body. Chunks are not compared.
    private func target(of request: TransportRequest) -> String {
        let body: String
        switch request.body?.content {
        case .data(let data):
            // Encoders may write the same members in another order each time.
            let sorted = try? JSONValue(json: data).jsonData(options: .sortedKeys)
            body = (sorted ?? data).base64EncodedString()
        case .file(let url): body = "\(url)"
        case .chunks, nil: body = ""
        }
        return "\(request.url) \(request.headers.fields.map { "\($0.name): \($0.value)" }) \(body)"
    }

    mutating func next(after position: PagePosition, _ response: PageResponse) throws -> PagePosition? {
        let next = try pagination.next(after: position, in: response)
        if try pagination.next(after: position, in: response) != next {
            found.append("the page after \(position) differs from call to call")
        }
        return next
    }

    /// Checks `previous` for the last of ``positions``.
    mutating func checkPrevious(_ response: PageResponse) throws {
        guard let position = positions.last else { return }
        let previous = try pagination.previous(before: position, in: response)
        if try pagination.previous(before: position, in: response) != previous {
            found.append("the page before \(position) differs from call to call")
        }
        let expected = positions.dropLast().last
        guard let previous, previous != expected else { return }
        // Different positions may mean the same page: the first page is often requested without a position.
        if let expected {
            var (own, other) = (list, list)
            try pagination.prepare(&own, for: previous)
            try pagination.prepare(&other, for: expected)
            if target(of: own) == target(of: other) { return }
        }
        let text = expected.map { "\($0)" } ?? "nothing"
        found.append("before \(position) comes \(previous), expected \(text)")
    }
}
