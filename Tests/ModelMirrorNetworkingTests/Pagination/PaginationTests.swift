import Foundation
import ModelMirror
import ModelMirrorNetworking
import Testing

@Suite("Pagination")
struct PaginationTests {
    /// A response with elements at `items` of an object, otherwise in the root array.
    private func response(_ count: Int, _ body: String = "", _ headers: HTTPHeaders = [:]) -> PageResponse {
        let items = "[" + (0..<count).map(String.init).joined(separator: ", ") + "]"
        let isObject = body.hasPrefix("{")
        let separator = body == "{}" ? "" : ", "
        let whole = isObject ? "\(body.dropLast())\(separator)\"items\": \(items)}" : items
        return PageResponse(
            Response(Data(whole.utf8), url: URL(string: "https://a.example/l?page=2")!, headers: headers),
            elementsAt: isObject ? "items" : .root)
    }

    private func query(_ pagination: some Pagination, _ position: PagePosition) throws -> String {
        var request = TransportRequest(.get, URL(string: "https://a.example/l?q=x&page=9")!)
        try pagination.prepare(&request, for: position)
        return request.url.absoluteString.replacing("https://a.example", with: "")
    }

    @Test("PageNumberPagination counts pages up to an incomplete or empty one")
    func numbers() throws {
        var pages = PageNumberPagination()
        #expect(pages.first == .number(1))
        #expect(try query(pages, .number(3)) == "/l?q=x&page=3")
        #expect(try pages.next(after: .number(3), in: response(1)) == .number(4))
        #expect(try pages.next(after: .number(3), in: response(0)) == nil)
        #expect(try pages.next(after: .number(.max), in: response(1)) == nil)
        #expect(try pages.previous(before: .number(3), in: response(1)) == .number(2))
        #expect(try pages.previous(before: .number(1), in: response(1)) == nil)
        pages = PageNumberPagination(parameter: "p", firstNumber: 0, sizeParameter: "n", size: 20)
        #expect(try query(pages, pages.first) == "/l?q=x&page=9&p=0&n=20")
        #expect(try pages.next(after: .number(0), in: response(20)) == .number(1))
        #expect(try pages.next(after: .number(0), in: response(19)) == nil)
        #expect(try pages.previous(before: .number(1), in: response(1)) == .number(0))
    }

    @Test(
        "PageNumberPagination reads from the body whether there are more pages",
        arguments: [
            (#"{"more": true}"#, 0, true), (#"{"more": false}"#, 5, false), (#"{}"#, 5, true), (#"{}"#, 0, false),
            (#"{"more": null, "pages": 3}"#, 5, true), (#"{"pages": 2}"#, 5, false),
            (#"{"pages": -9223372036854775808}"#, 5, false), (#"{"pages": 9223372036854775807}"#, 5, true),
        ])
    func hasNext(body: String, count: Int, expected: Bool) throws {
        let pages = PageNumberPagination(hasNextPath: "more", pageCountPath: "pages")
        #expect(try (pages.next(after: .number(2), in: response(count, body)) != nil) == expected)
    }

    @Test("OffsetPagination counts elements up to the total or an incomplete page")
    func offsets() throws {
        var pages = OffsetPagination(limit: 20)
        #expect(try query(pages, pages.first) == "/l?q=x&page=9&offset=0&limit=20")
        for (position, count, expected) in [(20, 20, 40), (20, 19, nil), (.max, 20, nil)] as [(Int, Int, Int?)] {
            let next = try pages.next(after: .number(position), in: response(count))
            #expect(next == expected.map { .number($0) }, "\(count) from \(position)")
        }
        for (position, expected) in [(30, 10), (10, 0), (0, nil)] as [(Int, Int?)] {
            let previous = try pages.previous(before: .number(position), in: response(1))
            #expect(previous == expected.map { .number($0) }, "\(position)")
        }
        #expect(try OffsetPagination(limit: 1).previous(before: .number(5), in: response(1)) == .number(4))
        #expect(try OffsetPagination(limit: 0).previous(before: .number(5), in: response(1)) == nil)
        pages = OffsetPagination(parameter: "skip", limitParameter: nil, firstOffset: 1, totalPath: ["meta", "total"])
        #expect(try query(pages, pages.first) == "/l?q=x&page=9&skip=1")
        for (position, count, body, expected) in [
            (1, 3, #"{"meta": {"total": 4}}"#, 4), (4, 1, #"{"meta": {"total": 4}}"#, nil),
            (4, 0, #"{"meta": {"total": 9}}"#, nil), (4, 1, "{}", 5),
        ] as [(Int, Int, String, Int?)] {
            let next = try pages.next(after: .number(position), in: response(count, body))
            #expect(next == expected.map { .number($0) }, "\(count) from \(position) of \(body)")
        }
        #expect(try pages.previous(before: .number(5), in: response(1)) == nil)
    }

    @Test(
        "OffsetPagination has no page before one that is too short and not the last",
        arguments: [(2, 9, nil), (4, 9, 2), (3, 9, 2), (2, 8, 2)] as [(Int, Int, Int?)])
    func shortOffsets(count: Int, total: Int, expected: Int?) throws {
        let pages = OffsetPagination(limit: 4, totalPath: "total")
        let response = response(count, "{\"total\": \(total)}")
        #expect(try pages.previous(before: .number(6), in: response) == expected.map { .number($0) })
    }

    @Test(
        "CursorPagination reads the next cursor from the body",
        arguments: [
            (#"{"meta": {"next": "a&b"}}"#, .cursor("a&b")),
            (#"{"meta": {"next": 12345678901234567890}}"#, .cursor("12345678901234567890")),
            (#"{"meta": {"next": ""}}"#, nil), (#"{"meta": {"next": null}}"#, nil), (#"{"meta": null}"#, nil),
            ("{}", nil),
            (#"{"meta": {"next": false}}"#, nil),
        ] as [(String, PagePosition?)])
    func cursors(body: String, expected: PagePosition?) throws {
        let pages = CursorPagination(parameter: "c", nextPath: ["meta", "next"], sizeParameter: "n", size: 5)
        #expect(try pages.next(after: .first, in: response(3, body)) == expected)
        #expect(try query(pages, .first) == "/l?q=x&page=9&n=5")
        #expect(try query(pages, .cursor("a&b")) == "/l?q=x&page=9&c=a%26b&n=5")
        #expect(try pages.previous(before: .first, in: response(3, body)) == nil)
        let back = CursorPagination(nextPath: "next", previousPath: ["meta", "next"])
        #expect(try back.previous(before: .first, in: response(3, body)) == expected)
    }

    @Test(
        "A cursor of the wrong type is an error that names the cure", arguments: ["true", "[]", "{}"])
    func badCursor(value: String) {
        let pages = CursorPagination(nextPath: "next")
        let error = #expect(throws: RequestError.self) {
            try pages.next(after: .first, in: response(1, "{\"next\": \(value)}"))
        }
        #expect(
            error?.description
                == "The request cannot be sent: the next page is unknown, since the value at $.next is not a string or number, "
                + "which CursorPagination sends as a cursor; set nextPath to the server's cursor.")
        let both = CursorPagination(nextPath: "next", previousPath: "previous")
        let previous = #expect(throws: RequestError.self) {
            try both.previous(before: .first, in: response(1, "{\"previous\": \(value)}"))
        }
        #expect(
            previous?.description
                == "The request cannot be sent: the previous page is unknown, since the value at $.previous is not a string or "
                + "number, which CursorPagination sends as a cursor; set previousPath to the server's cursor.")
    }

    @Test("LinkPagination follows the Link header")
    func links() throws {
        let pages = LinkPagination(sizeParameter: "per_page", size: 50)
        #expect(try query(pages, .first) == "/l?q=x&page=9&per_page=50")
        #expect(
            try query(pages, .url(URL(string: "https://A.example:443/m?page=3")!)) == "https://A.example:443/m?page=3")
        let headers: HTTPHeaders = [.link: "<?page=3>; rel=next, <?page=1>; rel=prev"]
        #expect(
            try pages.next(after: .first, in: response(0, "", headers))
                == .url(URL(string: "https://a.example/l?page=3")!))
        #expect(
            try pages.previous(before: .first, in: response(0, "", headers))
                == .url(URL(string: "https://a.example/l?page=1")!))
        #expect(try pages.next(after: .first, in: response(5)) == nil)
        let own = LinkPagination(nextRelation: "PREV")
        #expect(
            try own.next(after: .first, in: response(0, "", headers))
                == .url(URL(string: "https://a.example/l?page=1")!))
    }

    @Test("A position whose URL is relative to another keeps the user of the request")
    func relativeLink() throws {
        let link = try #require(URL(string: "m?page=3", relativeTo: URL(string: "https://a.example/l")))
        var request = TransportRequest(.get, try #require(URL(string: "https://me:it@a.example/l")))
        try LinkPagination().prepare(&request, for: .url(link))
        #expect(request.url.absoluteString == "https://me:it@a.example/m?page=3")
    }

    @Test(
        "A link to another origin is rejected unless allowed",
        arguments: [
            "http://a.example/l", "https://b.example/l", "https://a.example:8443/l", "https://u:p@b.example/l",
        ])
    func otherOrigin(link: String) throws {
        let url = try #require(URL(string: link))
        let error = #expect(throws: RequestError.self) { try query(LinkPagination(), .url(url)) }
        let origin = link.replacing("/l", with: "").replacing("u:p@", with: "")
        #expect(
            error?.description
                == "The request cannot be sent: the link points from https://a.example to another origin, \(origin), which would "
                + "receive this server's credentials; to allow it use LinkPagination(allowsOtherOrigins: true).")
        #expect(try query(LinkPagination(allowsOtherOrigins: true), .url(url)).hasSuffix("/l"))
    }

    @Test("Positions of another pagination are rejected")
    func foreign() {
        let error = #expect(throws: RequestError.self) { try query(PageNumberPagination(), .cursor("a")) }
        #expect(
            error?.description
                == "The request cannot be sent: the page at the cursor \"a\" is not a position of PageNumberPagination."
        )
        let calls: [() throws -> Any?] = [
            { try query(OffsetPagination(), .first) }, { try query(CursorPagination(nextPath: "n"), .number(1)) },
            { try query(LinkPagination(), .number(1)) },
            { try PageNumberPagination().next(after: .first, in: response(1)) },
            { try OffsetPagination().next(after: .first, in: response(1)) },
        ]
        for (number, call) in calls.enumerated() {
            #expect(throws: RequestError.self, "call \(number)") { try call() }
        }
    }

    @Test("A page response has its elements at any path, and the values beside them")
    func elements() throws {
        let page = PageResponse(
            Response(
                Data(#"{"data": {"items": [{"id": "7"}, 2]}, "total": 9}"#.utf8),
                url: URL(string: "https://a.example/l")!),
            elementsAt: ["data", "items"])
        #expect(page.elements == [["id": "7"], 2])
        #expect(page.elementCount == 2)
        #expect(try page.value(at: "total", as: Int.self) == 9)
        #expect(try page.value(at: ["data", "none"], as: Int.self) == nil)
        #expect(throws: ModelError.self) { try page.value(at: "data", as: Int.self) }
        let nothing = PageResponse(Response(Data(), url: URL(string: "https://a.example/l")!))
        #expect(nothing.elements == [])
        #expect(nothing.elementCount == 0)
        #expect(try nothing.value(at: "total", as: Int.self) == nil)
        #expect(try CursorPagination(nextPath: "next").next(after: .first, in: nothing) == nil)
    }
}
