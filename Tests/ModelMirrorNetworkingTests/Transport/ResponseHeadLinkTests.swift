import Foundation
import ModelMirrorNetworking
import Testing

@Suite("Links of a response's head")
struct ResponseHeadLinkTests {
    private static let base = URL(string: "https://api.example.com/gists/all?page=2")

    private func summary(_ value: String, relativeTo base: URL? = Self.base) -> [String] {
        ResponseHead.Link.links(in: value, relativeTo: base).map { link in
            "\(link.relations.joined(separator: "+")) \(link.target.absoluteString)"
        }
    }

    @Test(
        "Targets and relations are parsed",
        arguments: [
            ("", []), (" , ,, ", []),
            (
                #"<https://api.github.com/u?page=3&per_page=100>; rel="next", <https://api.github.com/u?page=50>; rel="last""#,
                ["next https://api.github.com/u?page=3&per_page=100", "last https://api.github.com/u?page=50"]
            ),
            (#"<https://a.example/x,y;z>; rel="next""#, ["next https://a.example/x,y;z"]),
            (
                #"</a>; title="a, b; \"c\" <d>"; rel=next,</b>;rel=prev"#,
                ["next https://api.example.com/a", "prev https://api.example.com/b"]
            ),
            (#"</a>; rel="next  Last\#tstart""#, ["next+last+start https://api.example.com/a"]),
            (#"</a> ;\#tREL = "NEXT" ; foo"#, ["next https://api.example.com/a"]),
            (
                #"</a>; rel=next last ; x=y, </b>; rel=\#tprev "#,
                ["next+last https://api.example.com/a", "prev https://api.example.com/b"]
            ),
            (#"</a>; rel=prev; rel=next"#, ["prev https://api.example.com/a"]),
            (
                #"<?page=3>; rel=next, <b>; rel=prev, <../c>; rel=up, <//o.example/d>; rel=x, <>; rel=self"#,
                [
                    "next https://api.example.com/gists/all?page=3", "prev https://api.example.com/gists/b",
                    "up https://api.example.com/c", "x https://o.example/d",
                    "self https://api.example.com/gists/all?page=2",
                ]
            ),
            (#"</a>"#, [" https://api.example.com/a"]), (#"</a>; rel"#, [" https://api.example.com/a"]),
            (#"</a>;; rel=next;"#, ["next https://api.example.com/a"]),
            (#"</a b>; rel=next"#, ["next https://api.example.com/a%20b"]),
            (#"</ä>; rel=next"#, ["next https://api.example.com/%C3%A4"]),
        ] as [(String, [String])])
    func reading(value: String, expected: [String]) {
        #expect(summary(value) == expected)
    }

    @Test(
        "Unreadable links are skipped, and the others are parsed",
        arguments: [
            #"/a; rel=prev, </b>; rel=next"#, #"<http://[>; rel=prev, </b>; rel=next"#,
            #"</a> rel=prev, </b>; rel=next"#, #"</a>; rel="prev" x, </b>; rel=next"#,
            #""quoted, </c>; rel=no", </b>; rel=next"#, #"< >< , >, </b>; rel=next"#,
            #"</b>; rel=next, </a>; title="not closed, </c>; rel=no"#, #"</b>; rel=next, </a"#,
            #"</b>; rel=next, <http://a:b:c>; rel=prev"#, #"</b>; rel=next, </a>; title="\"#,
        ])
    func skipping(value: String) {
        #expect(summary(value) == ["next https://api.example.com/b"])
    }

    @Test("Several fields are joined, parameters are read, and a target is found by its relation")
    func fields() {
        var headers: HTTPHeaders = [
            "link": #"</a>; rel=first; Title="a\"b"; title="B"; flag"#, "Other": "</x>; rel=next",
        ]
        headers.append(#"</b>; rel=next; anchor="/elsewhere""#, for: .link)
        headers.append(#"</c>; rel=next"#, for: .link)
        let head = ResponseHead(url: URL(string: "https://api.example.com/gists/all?page=2")!, headers: headers)
        let links = head.links
        #expect(links.count == 3)
        #expect(links[0].parameters == ["rel": "first", "title": #"a"b"#, "flag": ""])
        #expect(head.link("Next")?.absoluteString == "https://api.example.com/c")
        #expect(head.link("last") == nil)
    }

    @Test("Without a base URL, targets are kept as they are")
    func noBase() {
        #expect(
            summary("</a?x=1>; rel=next, <https://b.example>; rel=prev, <>; rel=self", relativeTo: nil) == [
                "next /a?x=1", "prev https://b.example",
            ])
    }

    @Test("Every prefix of a header is parsed without failing")
    func prefixes() {
        let value = #"</a>; rel="next"; title="a\", b", <b>; rel=prev, x<"y>, </c>"#
        for count in 0...value.count {
            #expect(ResponseHead.Link.links(in: String(value.prefix(count)), relativeTo: Self.base).count <= 3)
        }
        #expect(ResponseHead.Link.links(in: value, relativeTo: Self.base).count == 3)
    }
}
