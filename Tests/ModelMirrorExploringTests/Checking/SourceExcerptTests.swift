import Foundation
import Testing

@testable import ModelMirrorExploring

struct SourceExcerptTests {
    private func text(_ document: String, at value: String, line: Int = 1, width: Int = 40) -> String {
        let bytes = Array(document.utf8)
        let offset = document.range(of: value).map {
            document.utf8.distance(from: document.startIndex, to: $0.lowerBound)
        }
        return SourceExcerpt(bytes, line: line, offset: offset ?? bytes.count, width: width).text()
    }

    @Test func caretsAlignUnderWideAndCombiningCharacters() {
        #expect(
            text(#"{"名前": "e\#u{301}", "n": true}"#, at: "true") == """
                   1 | {"名前": "e\u{301}", "n": true}
                     |                    ^~~~
                """)
    }

    /// Emoji take two columns, also those outside of the blocks of emoji; a flag is two scalars. `☂` and `🌡` are text.
    @Test(arguments: [("✅", 2), ("⭐", 2), ("⚡", 2), ("🟢", 2), ("🚀", 2), ("🇨🇭", 2), ("☂", 1), ("🌡", 1), ("→", 1)])
    func caretsAlignUnderEmoji(emoji: String, width: Int) {
        #expect(
            text(#"["\#(emoji)", true]"#, at: "true") == """
                   1 | ["\(emoji)", true]
                     |    \(String(repeating: " ", count: width))  ^~~~
                """)
    }

    @Test func onlyTheLineOfTheValueIsShown() {
        #expect(
            text("[1,\r\n 22,\r\n 3]", at: "22", line: 2) == """
                   2 |  22,
                     |  ^~
                """)
        #expect(text("[1,", at: "nothing") == "   1 | [1,\n     |    ^")
        #expect(text("", at: "nothing") == "   1 | \n     | ^")
    }

    @Test func aLongLineIsCutAroundTheValue() {
        let long = "[" + Array(repeating: "10", count: 100).joined(separator: ",") + "]"
        let large = Array(repeating: "\"日\"", count: 5000).joined(separator: ",")
        for (document, value, expected) in [
            (
                long.replacing("10,10]", with: "10,-7]"), "-7",
                """
                   1 | …,10,10,10,10,10,10,10,10,10,-7]
                     |                              ^~
                """
            ),
            (
                "[-7," + long + "]", "-7",
                """
                   1 | [-7,[10,10,10,10,10,10,10,10,10…
                     |  ^~
                """
            ),
            (
                "[\(large),-7,\(large)]", "-7",
                """
                   1 | …"日","日","日",-7,"日","日","日…
                     |                 ^~
                """
            ),
            (
                "[\"\(String(repeating: "a", count: 60))\\\"b\"]", "\"a",
                """
                   1 | ["aaaaaaaaaaaaaaaaaaaaaaaaaaaaa…
                     |  ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
                """
            ),
        ] {
            #expect(text(document, at: value) == expected)
        }
    }

    /// A document in one line may have very many findings, each with an excerpt of its own.
    @Test func onlyWhatMayBeShownOfALongLineIsRead() {
        let part = String(repeating: "10,", count: 3000)
        let bytes = Array("[\(part)-7,\(part)10]".utf8)
        let excerpt = SourceExcerpt(bytes, line: 1, offset: part.utf8.count + 1, width: 40)
        #expect(excerpt.cells.count == 2 * 4 * 40)
        #expect(
            excerpt.text() == """
                   1 | …10,10,10,10,10,-7,10,10,10,10,1…
                     |                 ^~
                """)
        #expect(!excerpt.isOfValueAlone)
    }
}
