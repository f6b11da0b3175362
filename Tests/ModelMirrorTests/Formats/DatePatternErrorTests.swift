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

    @Test(arguments: [
        ("yyyy-MM-ddTHH:mm", "'T'", 11, "is not a date field"),
        ("Q", "'Q'", 1, "is not a date field"),
        ("y-qq", "'q'", 3, "is not a date field"),
        ("年y日b", "'b'", 4, "is not a date field"),
        ("'T'Tyyyy", "'T'", 4, "is not a date field"),
        ("yyy", "3 × 'y'", 1, "is no form of this field"),
        ("yyyyy", "5 × 'y'", 1, "is no form of this field"),
        ("uu", "2 × 'u'", 1, "is no form of this field"),
        ("y-MMMMM", "5 × 'M'", 3, "is no form of this field"),
        ("ddd", "3 × 'd'", 1, "is no form of this field"),
        ("DD", "2 × 'D'", 1, "is no form of this field"),
        ("HHH", "3 × 'H'", 1, "is no form of this field"),
        ("mmm", "3 × 'm'", 1, "is no form of this field"),
        ("sss", "3 × 's'", 1, "is no form of this field"),
        ("SSSSSSSSSS", "10 × 'S'", 1, "is no form of this field"),
        ("EEEEE", "5 × 'E'", 1, "is no form of this field"),
        ("zzzz", "4 × 'z'", 1, "is no form of this field"),
        ("ZZZZZZ", "6 × 'Z'", 1, "is no form of this field"),
        ("aaaa", "4 × 'a'", 1, "is no form of this field"),
        ("yMdd", "'M'", 2, "is followed by another number"),
        ("Hmm", "'H'", 1, "is followed by another number"),
        ("yyyyDHH", "'D'", 5, "is followed by another number"),
        ("hh:mm", "'h'", 1, "counts the hours of half a day"),
        ("y K", "'K'", 3, "counts the hours of half a day"),
        ("h 'a'", "'h'", 1, "counts the hours of half a day"),
        ("y 'at", "the quote", 3, "is never closed"),
        ("'", "the quote", 1, "is never closed"),
        ("'''", "the quote", 3, "is never closed"),
    ])
    func `A pattern error has the letter, the position and the problem`(
        pattern: String, subject: String, position: Int, problem: String
    ) {
        let words = "\(subject) at position \(position) of the date pattern \"\(pattern)\" \(problem)"
        #expect(error(pattern)?.description.hasPrefix(words) == true)
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
