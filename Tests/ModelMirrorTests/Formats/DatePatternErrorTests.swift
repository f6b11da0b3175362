import Testing

@testable import ModelMirror

@Suite struct DatePatternErrorTests {
    private func error(_ pattern: String) -> DatePatternError? {
        do throws(DatePatternError) {
            _ = try DatePattern(pattern)
            return nil
        } catch {
            return error
        }
    }

    @Test(
        arguments: [
            ("yyyy-MM-ddTHH:mm", "T", 11, .unknownLetter), ("Q", "Q", 1, .unknownLetter),
            ("y-qq", "q", 3, .unknownLetter),
            ("年y日b", "b", 4, .unknownLetter), ("'T'Tyyyy", "T", 4, .unknownLetter),
            ("yyy", "y", 1, .unsupportedWidth(3)), ("yyyyy", "y", 1, .unsupportedWidth(5)),
            ("uu", "u", 1, .unsupportedWidth(2)),
            ("y-MMMMM", "M", 3, .unsupportedWidth(5)), ("ddd", "d", 1, .unsupportedWidth(3)),
            ("DD", "D", 1, .unsupportedWidth(2)),
            ("HHH", "H", 1, .unsupportedWidth(3)), ("mmm", "m", 1, .unsupportedWidth(3)),
            ("sss", "s", 1, .unsupportedWidth(3)),
            ("SSSSSSSSSS", "S", 1, .unsupportedWidth(10)), ("EEEEE", "E", 1, .unsupportedWidth(5)),
            ("zzzz", "z", 1, .unsupportedWidth(4)), ("ZZZZZZ", "Z", 1, .unsupportedWidth(6)),
            ("aaaa", "a", 1, .unsupportedWidth(4)),
            ("yMdd", "M", 2, .ambiguousWidth), ("Hmm", "H", 1, .ambiguousWidth), ("yyyyDHH", "D", 5, .ambiguousWidth),
            ("hh:mm", "h", 1, .missingDayPeriod), ("y K", "K", 3, .missingDayPeriod),
            ("h 'a'", "h", 1, .missingDayPeriod),
            ("y 'at", "'", 3, .unclosedQuote), ("'", "'", 1, .unclosedQuote), ("'''", "'", 3, .unclosedQuote),
        ] as [(String, Character, Int, DatePatternError.Problem)])
    func `A pattern error has the letter, the position and the problem`(
        pattern: String, letter: Character, position: Int, problem: DatePatternError.Problem
    ) {
        #expect(
            error(pattern)
                == DatePatternError(pattern: pattern, letter: letter, position: position, problem: problem))
    }

    @Test(arguments: [
        (
            "yyyy-MM-ddTHH:mm",
            "'T' at position 11 of the date pattern \"yyyy-MM-ddTHH:mm\" is not a date field; put it in single quotes "
                + "if it is text, or use one of y u M L d D a H k K h m s S E Z X x z"
        ),
        (
            "yyy", "3 × 'y' at position 1 of the date pattern \"yyy\" is no form of this field; use y, yy or yyyy"
        ),
        (
            "Hmm",
            "'H' at position 1 of the date pattern \"Hmm\" is followed by another number, and nothing says where it "
                + "ends; write it with its full number of digits, or put text between the two"
        ),
        (
            "hh:mm",
            "'h' at position 1 of the date pattern \"hh:mm\" counts the hours of half a day and there is no 'a' (AM or "
                + "PM); use 'H' for 0 to 23, or add 'a'"
        ),
        (
            "y 'at",
            "the quote at position 3 of the date pattern \"y 'at\" is never closed; add a single quote, or write two "
                + "for one that is text"
        ),
    ])
    func `A pattern error is described in one sentence with advice`(pattern: String, description: String) {
        #expect(error(pattern)?.description == description)
    }

    @Test(arguments: [
        ("uu", "use u or uuuu"), ("LLLLL", "use 1 to 4"), ("DD", "use 1 or 3"), ("SSSSSSSSSS", "use 1 to 9"),
        ("EEEEE", "use 1 to 4"), ("zzzz", "use 1 to 3"), ("xxxxxx", "use 1 to 5"), ("kkk", "use 1 or 2"),
    ])
    func `An unsupported field width is reported with the supported widths`(pattern: String, advice: String) {
        #expect(error(pattern)?.description.hasSuffix("; \(advice)") == true)
    }
}
