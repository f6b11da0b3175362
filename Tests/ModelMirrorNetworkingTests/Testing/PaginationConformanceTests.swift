import Foundation
import ModelMirrorNetworking
import ModelMirrorTesting
import Synchronization
import Testing

struct PaginationConformanceTests {
    /// The value of a query item; nil if there is none.
    private func item(_ name: String, in request: TransportRequest) -> String? {
        URLComponents(url: request.url, resolvingAgainstBaseURL: false)?.queryItems?.first { $0.name == name }?.value
    }

    private func response(_ request: TransportRequest, _ body: String, link: String? = nil) -> PageResponse {
        PageResponse(Response(Data(body.utf8), url: request.url, headers: link.map { [.link: $0] } ?? [:]))
    }

    /// Five elements, two on a page.
    private func elements(from start: Int) -> String { "\(Array(1...5).dropFirst(start).prefix(2))" }

    @Test func pageNumbers() {
        let failures = PaginationConformance.failures(of: PageNumberPagination(size: 2), pageCount: 3) { request in
            let page = item("page", in: request).flatMap { Int($0) } ?? 1
            return response(request, elements(from: (page - 1) * 2))
        }
        #expect(failures == [])
    }

    @Test func offsets() {
        let failures = PaginationConformance.failures(of: OffsetPagination(limit: 2), pageCount: 3) { request in
            response(request, elements(from: item("offset", in: request).flatMap { Int($0) } ?? 0))
        }
        #expect(failures == [])
    }

    @Test func cursors() {
        let style = CursorPagination(nextPath: "next", previousPath: "back")
        let failures = PaginationConformance.failures(of: style, pageCount: 3) { request in
            switch item("cursor", in: request) {
            case nil: response(request, #"{"next": "b"}"#)
            case "b": response(request, #"{"next": "c", "back": "a"}"#)
            default: response(request, #"{"next": null, "back": "b"}"#)
            }
        }
        // The server names its first page "a", and the list's request has no name.
        #expect(
            failures == [
                #"before the page at the cursor "b" comes the page at the cursor "a", expected the first page"#
            ])
    }

    @Test func links() {
        let failures = PaginationConformance.failures(of: LinkPagination(), pageCount: 3) { request in
            let page = item("page", in: request).flatMap { Int($0) } ?? 1
            let first = "https://api.example.com/items?q=a%20b"
            let previous = page == 2 ? "<\(first)>; rel=\"prev\", " : page == 3 ? "<\(first)&page=2>; rel=\"prev\"" : ""
            let next = page < 3 ? "<\(first)&page=\(page + 1)>; rel=\"next\"" : ""
            return response(request, "[]", link: previous + next)
        }
        #expect(failures == [])
    }

    @Test func aPaginationThatRemembersTheServersLastCursor() {
        let failures = PaginationConformance.failures(of: Remembering(), pageCount: 3) { request in
            response(request, #"{"next": "\#(item("cursor", in: request) == nil ? "b" : "c")"}"#)
        }
        let list = "https://api.example.com/items?q=a%20b"
        #expect(
            failures == [
                "the first page is prepared as \(list), and as \(list)&cursor=c after later pages",
                "page 2 is prepared as \(list)&cursor=b, and as \(list)&cursor=c after later pages",
            ])
    }

    /// The server has the same body for each request.
    @Test func paginationsConformOrTheirFaultIsDescribed() {
        for (pagination, pageCount, body, expected) in [
            (Posted(), 3, "[]", []), (Encoded(), 2, "[]", []),
            (
                CursorPagination(nextPath: "next"), 9, #"{"next": "a"}"#,
                [
                    #"after the page at the cursor "a" comes the page at the cursor "a" again, so that the list has no end"#
                ]
            ),
            (PageNumberPagination(), 2, "[1]", ["the list has more than 2 pages, expected 2"]),
            (PageNumberPagination(), 2, "[]", ["the list has 1 pages, expected 2"]),
            (
                Forgetful(), 2, "[1]",
                ["page 2 is requested as an earlier page: https://api.example.com/items?q=a%20b"]
            ),
            (
                Once(), 2, "[1]",
                [
                    "the page before the first page differs from call to call",
                    "the page before page 2 differs from call to call",
                    "the first page is not prepared once later pages have been: Gone()",
                    "page 2 is prepared with another body or other header fields after later pages: "
                        + "https://api.example.com/items?q=a%20b",
                ]
            ),
            (
                Anew(), 2, "[1]",
                ["the first page", "page 2"].map {
                    "\($0) is requested without the list's field Accept-Language; change the request that was given"
                }
            ),
            (Headed(), 2, "[1]", ["before page 2 comes page 7, expected the first page"]),
            (
                Lost(), 2, "[1]",
                [
                    "the first page is requested by POST, expected GET",
                    "before the first page comes page 7, expected nothing",
                    "page 2 is requested by POST, expected GET",
                    "page 2 is requested from another origin: http://localhost/",
                    "before page 2 comes page 7, expected the first page",
                ]
            ),
            (
                PageNumberPagination(hasNextPath: "more"), 1, #"{"more": "many"}"#,
                [
                    "page 1 fails: JSON at $.more (line 1, column 10): expected true or false, found the string \"many\"."
                ]
            ),
        ] as [(any Pagination, Int, String, [String])] {
            let failures = PaginationConformance.failures(of: pagination, pageCount: pageCount) { response($0, body) }
            #expect(failures == expected, "\(pagination)")
        }
    }
}

/// Writes the members of a body in both orders.
private final class Encoded: Pagination {
    private let isReversed = Atomic(false)
    func prepare(_ request: inout TransportRequest, for position: PagePosition) {
        let members = [#""size": 2"#, #""page": "\#(position)""#]
        let isReversed = isReversed.logicalXor(true, ordering: .relaxed).newValue
        let text = (isReversed ? members.reversed() : members).joined(separator: ", ")
        request.body = .data(Data("{\(text)}".utf8))
    }
    func next(after position: PagePosition, in response: PageResponse) -> PagePosition? {
        position == .first ? .number(2) : nil
    }
}

private struct Forgetful: Pagination {
    func prepare(_ request: inout TransportRequest, for position: PagePosition) {}
    func next(after position: PagePosition, in response: PageResponse) -> PagePosition? {
        position == .first ? .number(2) : nil
    }
}

private struct Lost: Pagination {
    func prepare(_ request: inout TransportRequest, for position: PagePosition) {
        request.method = .post
        switch position {
        case .number(2): request.url = URL(string: "http://localhost/")!
        case .number: request.url.append(path: "\(position)")
        default: break
        }
    }
    func next(after position: PagePosition, in response: PageResponse) -> PagePosition? {
        position == .first ? .number(2) : nil
    }
    func previous(before position: PagePosition, in response: PageResponse) -> PagePosition? { .number(7) }
}

/// Requests pages by the body, where the first page is also page 1.
private struct Posted: Pagination {
    func prepare(_ request: inout TransportRequest, for position: PagePosition) {
        request.body = .data(Data((position == .first ? "page 1" : "\(position)").utf8))
    }
    func next(after position: PagePosition, in response: PageResponse) -> PagePosition? {
        switch position {
        case .number(3): nil
        case .number: .number(3)
        default: .number(2)
        }
    }
    func previous(before position: PagePosition, in response: PageResponse) -> PagePosition? {
        switch position {
        case .number(let number): .number(number - 1)
        default: nil
        }
    }
}

/// Requests pages by a header, and goes back to the wrong one.
private struct Headed: Pagination {
    func prepare(_ request: inout TransportRequest, for position: PagePosition) {
        request.headers["X-Page"] = "\(position)"
    }
    func next(after position: PagePosition, in response: PageResponse) -> PagePosition? {
        position == .first ? .number(2) : nil
    }
    func previous(before position: PagePosition, in response: PageResponse) -> PagePosition? {
        position == .first ? nil : .number(7)
    }
}

/// Has one cursor for all lists and pages.
private final class Remembering: Pagination {
    private let cursor = Mutex("")
    func prepare(_ request: inout TransportRequest, for position: PagePosition) throws {
        let cursor = cursor.withLock(\.self)
        if !cursor.isEmpty {
            request.url = request.url.appending(queryItems: [URLQueryItem(name: "cursor", value: cursor)])
        }
    }
    func next(after position: PagePosition, in response: PageResponse) throws -> PagePosition? {
        if position == .number(3) { return nil }
        let next: String? = try response.value(at: "next")
        cursor.withLock { $0 = next ?? "" }
        return position == .first ? .number(2) : .number(3)
    }
}

/// Counts its calls.
private final class Once: Pagination {
    struct Gone: Error {}
    private let prepared = Atomic(0)
    private let asked = Atomic(0)
    func prepare(_ request: inout TransportRequest, for position: PagePosition) throws {
        let count = prepared.wrappingAdd(1, ordering: .relaxed).newValue
        if position == .first, count > 2 { throw Gone() }
        request.headers["X-Page"] = "\(position)\(count > 4 ? " again" : "")"
    }
    func next(after position: PagePosition, in response: PageResponse) -> PagePosition? {
        position == .first ? .number(2) : nil
    }
    func previous(before position: PagePosition, in response: PageResponse) -> PagePosition? {
        asked.wrappingAdd(1, ordering: .relaxed).newValue % 2 == 1 ? nil : .first
    }
}

/// Loses everything but the URL of the list.
private struct Anew: Pagination {
    func prepare(_ request: inout TransportRequest, for position: PagePosition) {
        let item = URLQueryItem(name: "page", value: "\(position)")
        request = TransportRequest(.get, request.url.appending(queryItems: [item]))
    }
    func next(after position: PagePosition, in response: PageResponse) -> PagePosition? {
        position == .first ? .number(2) : nil
    }
}
