import ModelMirror
import ModelMirrorExploring
import Testing

/// The regular expressions of RFC 9485, in queries.
struct InterchangePatternTests {
    /// The given texts that match as a whole.
    private func matches(_ pattern: String, _ texts: [String]) throws -> [String] {
        let document = JSONValue.object(["pattern": .string(pattern), "texts": .array(texts.map { .string($0) })])
        return try JSONQuery("$.texts[?match(@, $.pattern)]").values(in: document).compactMap(\.string)
    }

    @Test(arguments: [
        ("a|bc|", ["a", "b", "bc", ""], ["a", "bc", ""]), ("a*", ["", "aaa", "ab"], ["", "aaa"]),
        ("a+b?", ["", "a", "aab", "abb"], ["a", "aab"]), ("a{2}", ["a", "aa", "aaa"], ["aa"]),
        ("a{2,}", ["a", "aa", "aaa"], ["aa", "aaa"]), ("a{1,2}", ["", "a", "aa", "aaa"], ["a", "aa"]),
        ("a{0}b", ["b", "ab"], ["b"]), ("(ab){2}c", ["ababc", "abc"], ["ababc"]),
        ("(a|b)*c", ["abbac", "abd"], ["abbac"]),
        ("a.c", ["abc", "a\nc", "a\rc", "a\u{2028}c", "a😀c"], ["abc", "a\u{2028}c", "a😀c"]),
        ("[a-c-]", ["a", "b", "-", "d"], ["a", "b", "-"]), ("[-a]", ["-", "a", "b"], ["-", "a"]),
        ("[^a-c\\]]", ["a", "]", "d", "\n"], ["d", "\n"]), ("[\\p{Nd}x]+", ["1x٣", "a"], ["1x٣"]),
        ("[\\^$.*]", ["^", "$", ".", "*", "a"], ["^", "$", ".", "*"]),
        ("\\p{L}", ["a", "é", "1", "Ж", "中"], ["a", "é", "Ж", "中"]),
        ("\\P{L}", ["a", "1", " "], ["1", " "]), ("[^\\P{Lu}]", ["A", "a", "1"], ["A"]),
        ("\\p{Zs}\\p{Sc}\\p{Cn}?", [" €", " $", "  "], [" €", " $"]),
        ("\\n\\r\\t\\.\\\\\\-\\{\\|", ["\n\r\t.\\-{|"], ["\n\r\t.\\-{|"]),
        ("e\u{301}", ["é", "e\u{301}"], ["e\u{301}"]),
        ("^a$", ["a", "^a$"], ["a"]), ("a-b,c/d<e", ["a-b,c/d<e"], ["a-b,c/d<e"]),
    ]) func wholeStringsMatch(pattern: String, texts: [String], expected: [String]) throws {
        // By scalars: for Swift, composed and decomposed characters are equal.
        #expect(
            try matches(pattern, texts).map { Array($0.unicodeScalars) } == expected.map { Array($0.unicodeScalars) })
    }

    /// What other dialects allow, and what is malformed, matches nothing.
    @Test(arguments: [
        "a**", "*a", "(a", "a)", "[a", "a]", "a{", "a}", "a{1", "a{,2}", "a{2,1}", "a{1,2,3}", "[]", "[^]", "[b-a]",
        "[a--]", "[a-b-c]", "[a[b]", "\\d", "\\",
        "\\p", "\\p{", "\\p{Lx}", "\\p{}", "\\pL", "\\p{Cs}", "[\\p{Lu}-z]", "[a-\\p{Lu}]", "(?:a)", "a+?", "\\u0061",
        "a||*",
    ]) func malformedPatternsMatchNothing(pattern: String) throws {
        #expect(try matches(pattern, ["a", "", "b", pattern, "1", "A"]) == [])
    }

    @Test func searchFindsAPart() throws {
        let json = #"["xxabyy", "ab", "a", "", "b a"]"#
        for (pattern, found) in [
            ("a.", [#""xxabyy""#, #""ab""#]), ("^a", [#""ab""#, #""a""#]), ("a$", [#""a""#, #""b a""#]),
            ("", [#""xxabyy""#, #""ab""#, #""a""#, #""""#, #""b a""#]),
        ] {
            #expect(try JSONQuery("$[?search(@, '\(pattern)')]").lines(in: json) == found)
        }
    }
}
