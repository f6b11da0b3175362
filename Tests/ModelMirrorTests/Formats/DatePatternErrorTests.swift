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

    private static let letter =
        "is not a date field; put it in single quotes if it is text, or use one of y u M L d D a H k K h m s S E Z X x z"
    private static let number =
        "is followed by another number, and nothing says where it ends; write it with its full number of digits, or put text "
        + "between the two"
    private static let half =
        "counts the hours of half a day and there is no 'a' (AM or PM); use 'H' for 0 to 23, or add 'a'"
    private static let quote = "is never closed; add a single quote, or write two for one that is text"

    private static func width(_ widths: String) -> String { "is no form of this field; use \(widths)" }

    @Test(arguments: [
        ("yyyy-MM-ddTHH:mm", "'T'", 11, letter),
        ("Q", "'Q'", 1, letter),
        ("y-qq", "'q'", 3, letter),
        ("年y日b", "'b'", 4, letter),
        ("'T'Tyyyy", "'T'", 4, letter),
        ("yyy", "3 × 'y'", 1, width("y, yy or yyyy")),
        ("yyyyy", "5 × 'y'", 1, width("y, yy or yyyy")),
        ("uu", "2 × 'u'", 1, width("u or uuuu")),
        ("y-MMMMM", "5 × 'M'", 3, width("1 to 4")),
        ("LLLLL", "5 × 'L'", 1, width("1 to 4")),
        ("ddd", "3 × 'd'", 1, width("1 or 2")),
        ("DD", "2 × 'D'", 1, width("1 or 3")),
        ("HHH", "3 × 'H'", 1, width("1 or 2")),
        ("kkk", "3 × 'k'", 1, width("1 or 2")),
        ("mmm", "3 × 'm'", 1, width("1 or 2")),
        ("sss", "3 × 's'", 1, width("1 or 2")),
        ("SSSSSSSSSS", "10 × 'S'", 1, width("1 to 9")),
        ("EEEEE", "5 × 'E'", 1, width("1 to 4")),
        ("zzzz", "4 × 'z'", 1, width("1 to 3")),
        ("ZZZZZZ", "6 × 'Z'", 1, width("1 to 5")),
        ("xxxxxx", "6 × 'x'", 1, width("1 to 5")),
        ("aaaa", "4 × 'a'", 1, width("1 to 3")),
        ("yMdd", "'M'", 2, number),
        ("Hmm", "'H'", 1, number),
        ("yyyyDHH", "'D'", 5, number),
        ("hh:mm", "'h'", 1, half),
        ("y K", "'K'", 3, half),
        ("h 'a'", "'h'", 1, half),
        ("y 'at", "the quote", 3, quote),
        ("'", "the quote", 1, quote),
        ("'''", "the quote", 3, quote),
    ])
    func `A pattern error is one sentence with the letter, the position, the problem and advice`(
        pattern: String, subject: String, position: Int, problem: String
    ) {
        #expect(
            error(pattern)?.description
                == "\(subject) at position \(position) of the date pattern \"\(pattern)\" \(problem)")
    }
}
