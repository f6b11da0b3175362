/// A mistake in a date pattern: in the program, not in the data. Found once, when the pattern is compiled.
struct DatePatternError: Error, Equatable, CustomStringConvertible {
    /// What is wrong at ``DatePatternError/position``.
    enum Problem: Equatable, Sendable {
        /// An ASCII letter outside quotes that is none of the fields.
        case unknownLetter
        /// A known letter, repeated a number of times that has no meaning here.
        case unsupportedWidth(Int)
        /// A one-letter number directly before another number: nothing says where it ends.
        case ambiguousWidth
        /// `h` or `K`, hours of half a day, in a pattern without `a`.
        case missingDayPeriod
        /// A quote that is never closed.
        case unclosedQuote
    }

    /// The whole pattern.
    let pattern: String
    /// The letter in question, or the quote.
    let letter: Character
    /// Where it stands in the pattern, in characters from 1; of a repeated letter, the first.
    let position: Int
    let problem: Problem

    /// One sentence: what, where, and what to do.
    var description: String {
        let place = "at position \(position) of the date pattern \"\(pattern)\""
        switch problem {
        case .unknownLetter:
            return "'\(letter)' \(place) is no date field; put it in single quotes if it is text, "
                + "or use one of y u M L d D a H k K h m s S E Z X x z"
        case .unsupportedWidth(let count):
            return "\(count) × '\(letter)' \(place) is no form of this field; \(Self.widths(of: letter))"
        case .ambiguousWidth:
            return "'\(letter)' \(place) is followed by another number, and nothing says where it ends; "
                + "write it with its full number of digits, or put text between the two"
        case .missingDayPeriod:
            return "'\(letter)' \(place) counts the hours of half a day and there is no 'a' (AM or PM); "
                + "use 'H' for 0 to 23, or add 'a'"
        case .unclosedQuote:
            return "the quote \(place) is never closed; add a single quote, or write two for one that is text"
        }
    }

    private static func widths(of letter: Character) -> String {
        switch letter {
        case "y": "use y, yy or yyyy"
        case "u": "use u or uuuu"
        case "M", "L": "use 1 to 4"
        case "D": "use 1 or 3"
        case "S": "use 1 to 9"
        case "E": "use 1 to 4"
        case "a", "z": "use 1 to 3"
        case "Z", "X", "x": "use 1 to 5"
        default: "use 1 or 2"
        }
    }
}
