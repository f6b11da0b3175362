import Foundation
import ModelMirror
import ModelMirrorExploring
import Testing

struct JSONQueryTests {
    private func lines(_ query: String, _ json: String) throws -> [String] { try JSONQuery(query).lines(in: json) }

    /// The document and the queries of RFC 9535, section 1.5.
    @Test(arguments: [
        ("$.store.book[*].author", ["Nigel Rees", "Evelyn Waugh", "Herman Melville", "J. R. R. Tolkien"]),
        ("$..author", ["Nigel Rees", "Evelyn Waugh", "Herman Melville", "J. R. R. Tolkien"]),
        ("$..book[2].author", ["Herman Melville"]), ("$..book[2].publisher", []),
        ("$..book[-1].title", ["The Lord of the Rings"]),
        ("$..book[:2].title", ["Sayings of the Century", "Sword of Honour"]),
        ("$..book[0,1].title", ["Sayings of the Century", "Sword of Honour"]),
        ("$..book[?@.isbn].title", ["Moby Dick", "The Lord of the Rings"]),
        ("$..book[?@.price<10].title", ["Sayings of the Century", "Moby Dick"]),
    ]) func theExamplesOfTheStandard(query: String, titles: [String]) throws {
        let store = """
            {"store": {"book": [
              {"category": "reference", "author": "Nigel Rees", "title": "Sayings of the Century", "price": 8.95},
              {"category": "fiction", "author": "Evelyn Waugh", "title": "Sword of Honour", "price": 12.99},
              {"category": "fiction", "author": "Herman Melville", "title": "Moby Dick", "isbn": "0-553-21311-3", "price": 8.99},
              {"category": "fiction", "author": "J. R. R. Tolkien", "title": "The Lord of the Rings", "isbn": "0-395-19395-8",
               "price": 22.99}], "bicycle": {"color": "red", "price": 399}}}
            """
        #expect(try JSONQuery(query).values(in: store).map(\.string) == titles)
    }

    @Test func resultsKeepTheOrderAndTheDigitsOfTheDocument() throws {
        let json = #"{"b": 1.50, "a": {"z": [1e2, "\u00e9\n"], "y": null, "z": 2}, "c": [], "d": {}}"#
        #expect(try lines("$.*", json) == ["1.50", #"{"z":2,"y":null}"#, "[]", "{}"])
        #expect(
            try JSONQuery("$..*").paths(in: json).map { "\($0)" } == ["$.b", "$.a", "$.c", "$.d", "$.a.z", "$.a.y"])
        #expect(try lines("$", #" [1e2, "\u00e9\n\u0007", true] "#) == [#"[1e2,"é\n\u0007",true]"#])
        let value: JSONValue = ["b": 1, "a": 2]
        #expect(try JSONQuery("$.*").lines(in: value) == ["2", "1"])
    }

    @Test func textsAreComparedByScalarsAndNumbersByTheirExactValues() throws {
        let names = "{\"e\u{301}\": 1, \"\u{e9}\": 2}"
        let texts = "[\"\u{e9}\", \"e\u{301}\"]"
        let numbers = "[9007199254740993, 9007199254740992, 1e400, 2e400, -1e400, 1.0, 100e-2]"
        for (query, json, expected) in [
            ("$['\u{e9}']", names, ["2"]), ("$['e\\u0301']", names, ["1"]),
            ("$[?@ == 'e\u{301}']", texts, ["\"e\u{301}\""]), ("$[?length(@) == 2]", texts, ["\"e\u{301}\""]),
            ("$[?@ == 9007199254740993]", numbers, ["9007199254740993"]),
            ("$[?@ < 9007199254740993]", numbers, ["9007199254740992", "-1e400", "1.0", "100e-2"]),
            ("$[?@ == 1]", numbers, ["1.0", "100e-2"]),
            ("$[?@ > 9007199254740993]", numbers, ["1e400", "2e400"]),
        ] {
            #expect(try lines(query, json) == expected, "\(query)")
        }
    }

    @Test(arguments: [0, 7, 8, 9, 99]) func wideObjectsAreObjects(index: Int) throws {
        let members = (0..<100).map { #""k\#($0)": \#($0)"# }.joined(separator: ", ")
        #expect(try lines("$.k\(index)", "{\(members), \"k\(index)\": -1}") == ["-1"])
        #expect(try lines("$[?@ == $[0]]", "[{\(members)}, {\(members)}]").count == 2)
    }

    @Test func normalizedPathsAreThoseOfTheStandard() {
        let path: JSONPath = ["a", 3, "it's \\ \u{8}\t\n\u{C}\r\u{1}\u{1F}\"é"]
        #expect(path.normalized == #"$['a'][3]['it\'s \\ \b\t\n\f\r\u0001\u001f"é']"#)
        #expect(JSONPath.root.normalized == "$")
    }

    @Test(arguments: [
        (
            "",
            #"Invalid JSONPath at position 1: expected '$', found the end of the query; a query begins at the root: $.items[0].id."#
        ),
        (
            "$.a-b",
            #"Invalid JSONPath at position 4: expected '.', '..', '[' or the end of the query, found "-"; write a name with other characters than letters, digits and '_' in brackets: $['content-type']."#
        ),
        (
            "$.a[b]",
            #"Invalid JSONPath at position 5: expected a name in quotes, an index, a slice, '*' or a filter '?', found "b"; names in brackets need quotes."#
        ),
        ("$[01]", #"Invalid JSONPath at position 3: expected an integer without leading zeros, or 0, found "01"."#),
        (
            "$['a",
            "Invalid JSONPath at position 5: expected the closing quote of the string that begins at position 3, found the end of the query."
        ),
        (
            #"$['\q']"#,
            #"Invalid JSONPath at position 5: expected an escape: one of ' \ / b f n r t u, found "q"; write a backslash as \\."#
        ),
        (
            #"$['\uD83D\u0041']"#,
            #"Invalid JSONPath at position 4: expected a high and a low surrogate: \uD83D\uDE00, found "\\uD83D\\u0041"."#
        ),
        ("$[?@.a = 1]", #"Invalid JSONPath at position 8: expected ',' or ']', found "="; compare with ==."#),
        (
            "$[?@.* == 1]",
            #"Invalid JSONPath at position 4: expected a query that finds at most one value, found "@.*"; use names and indices only, or value(…) or count(…)."#
        ),
        (
            "$[?length(@)]",
            #"Invalid JSONPath at position 4: expected a condition, found "length(@)"; compare the value: with ==, !=, <, <=, > or >=."#
        ),
        (
            "$[?1 == match(@, 'a')]",
            #"Invalid JSONPath at position 9: expected a value, found "match(@, 'a')"; match and search are conditions: use them without a comparison."#
        ),
        (
            "$[?cuont(@.*) > 1]",
            #"Invalid JSONPath at position 4: expected one of length, count, match, search, value (did you mean "count"?), found "cuont"."#
        ),
        ("$[?match(@)]", #"Invalid JSONPath at position 11: expected ',' and 2 arguments of match, found ")"."#),
        ("$[?count(1) > 1]", #"Invalid JSONPath at position 10: expected a query: @… or $…, found "1"."#),
    ]) func errorsPointIntoTheText(query: String, sentence: String) {
        do throws(JSONQueryError) {
            _ = try JSONQuery(query)
            Issue.record("\(query) is accepted")
        } catch {
            #expect(error.description == sentence)
        }
    }

    @Test func aDocumentThatIsNotJSONIsAnError() throws {
        let error = #expect(throws: JSONQueryError.self) { try JSONQuery("$").lines(in: "[1,") }
        guard case .invalidDocument(.invalidJSON(let syntax))? = error else { throw try #require(error) }
        #expect(syntax.offset == 3)
    }
}
