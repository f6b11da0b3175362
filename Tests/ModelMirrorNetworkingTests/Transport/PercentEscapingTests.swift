import Foundation
import Testing

@testable import ModelMirrorNetworking

struct PercentEscapingTests {
    @Test(
        "Percent escapes are decoded as by Foundation",
        arguments: [
            ("", ""), ("a+b c", "a+b c"), ("a%2Fb%20%c3%A9", "a/b é"), ("%00", "\0"), ("é%41", "éA"), ("%", nil),
            ("100%", nil), ("%4", nil), ("%4g", nil), ("%%41", nil), ("%FF", nil), ("%C3", nil), ("%C3é", nil),
            ("%-1", nil), ("%+1", nil), ("% 1", nil),
        ])
    func unescapes(_ text: String, _ expected: String?) {
        #expect(PercentEscaping.unescaped(text) == expected)
        #expect(text.removingPercentEncoding == expected)
        #expect(PercentEscaping.unescaped("a" + text) == expected.map { "a" + $0 })
    }

    @Test(
        "Escapes are written in one way",
        arguments: [
            ("", ""), ("/a+b?c=%2f", "/a+b?c=%2F"), ("%7e%41%2E", "~A."), ("%C3%a9a", "%C3%A9a"), ("%2541", "%2541"),
            ("%ff%2f%2d", "%FF%2F-"),
        ])
    func normalizes(_ text: String, _ expected: String) {
        #expect(PercentEscaping.normalized(text) == expected)
    }

    @Test("Outer spaces are trimmed as by Foundation")
    func trims() {
        for text in ["", " ", "a", " a b\t", "\u{A0}\u{2003}a\u{3000}", "\na ", "a\r\n", "\u{B}a", " e\u{301} "] {
            #expect(text.withoutOuterSpaces == text.trimmingCharacters(in: .whitespaces))
        }
    }
}
