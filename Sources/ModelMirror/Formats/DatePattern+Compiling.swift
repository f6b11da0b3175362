/// Compiles a pattern's text into fields in two steps: letters are counted, then each is read with its neighbors, because a
/// number directly before another one has a fixed number of digits.
extension DatePattern {
    /// A letter with its count and its position in the pattern, from 1; or a character of text, whose count is 0.
    private typealias Token = (character: Character, count: Int, position: Int)

    static func compile(_ pattern: String) throws(DatePatternError) -> [DatePatternField] {
        let tokens = try tokens(of: pattern)
        let hasDayPeriod = tokens.contains { $0.character == "a" && $0.count > 0 }
        var fields: [DatePatternField] = []
        for (index, token) in tokens.enumerated() {
            let (letter, count, position) = token
            guard count > 0 else {
                fields += String(letter).utf8.map(DatePatternField.literal)
                continue
            }
            func error(_ problem: String, times: String = "") -> DatePatternError {
                let place = "at position \(position) of the date pattern \"\(pattern)\""
                return DatePatternError(description: "\(times)'\(letter)' \(place) \(problem)")
            }
            if letter == "h" || letter == "K", !hasDayPeriod {
                throw error(
                    "counts the hours of half a day and there is no 'a' (AM or PM); use 'H' for 0 to 23, or add 'a'")
            }
            let isFollowed = index + 1 < tokens.count && isNumeric(tokens[index + 1])
            let isPreceded = index > 0 && isNumeric(tokens[index - 1])
            if isFollowed, count == 1, !"yuS".contains(letter), isNumeric(token) {
                throw error(
                    "is followed by another number, and nothing says where it ends; "
                        + "write it with its full number of digits, or put text between the two")
            }
            let hasFixedWidth = isFollowed || isPreceded && count > 1
            let isSpaced = index > 0 && tokens[index - 1].character == " "
            guard let field = field(letter, count, hasFixedWidth: hasFixedWidth, isSpaced: isSpaced) else {
                if let advice = widths.first(where: { $0.letters.contains(letter) })?.advice {
                    throw error("is no form of this field; \(advice)", times: "\(count) × ")
                }
                throw error(
                    "is not a date field; put it in single quotes if it is text, "
                        + "or use one of y u M L d D a H k K h m s S E Z X x z")
            }
            fields.append(field)
        }
        return fields
    }

    /// Advice on how often a letter may be repeated.
    private static let widths: [(letters: String, advice: String)] = [
        ("y", "use y, yy or yyyy"), ("u", "use u or uuuu"), ("D", "use 1 or 3"), ("S", "use 1 to 9"),
        ("MLE", "use 1 to 4"), ("az", "use 1 to 3"), ("ZXx", "use 1 to 5"), ("dHkKhms", "use 1 or 2"),
    ]

    private static func tokens(of pattern: String) throws(DatePatternError) -> [Token] {
        var rest = Array(pattern)[...]
        var tokens: [Token] = []
        /// The place of an open quote; nil outside of quotes.
        var quote: Int?
        while let character = rest.popFirst() {
            let position = rest.startIndex
            if character == "'", rest.first == "'" {
                rest.removeFirst()
                tokens.append((character, 0, position))
            } else if character == "'" {
                quote = quote == nil ? position : nil
            } else {
                let isLetter = quote == nil && character.isASCII && character.isLetter
                let others = isLetter ? rest.prefix { $0 == character }.count : 0
                rest.removeFirst(others)
                tokens.append((character, isLetter ? others + 1 : 0, position))
            }
        }
        if let quote {
            throw DatePatternError(
                description: "the quote at position \(quote) of the date pattern \"\(pattern)\" is never closed; "
                    + "add a single quote, or write two for one that is text")
        }
        return tokens
    }

    private static func isNumeric(_ token: Token) -> Bool {
        let (letter, count, _) = token
        return count > 0 && ("yudDHkKhmsS".contains(letter) || "ML".contains(letter) && count <= 2)
    }

    /// The field of a letter repeated `count` times; `nil` if there is none.
    private static func field(
        _ letter: Character, _ count: Int, hasFixedWidth: Bool, isSpaced: Bool
    ) -> DatePatternField? {
        func offset(_ utc: StaticString) -> DatePatternField { .offset(utc: utc, mayFollowSpace: !isSpaced) }
        func number(_ number: DatePatternField.Number, _ digits: ClosedRange<Int>, width: Int) -> DatePatternField {
            .number(number, digits: hasFixedWidth ? width...width : digits, width: width)
        }
        switch (letter, count) {
        case ("y", 2): return number(.year, 2...2, width: 2)
        case ("y", 1), ("u", 1): return number(.year, 1...4, width: 4)
        case ("y", 4), ("u", 4): return number(.year, 4...4, width: 4)
        case ("M", 3...4), ("L", 3...4): return .monthName(abbreviated: count == 3)
        case ("D", 1), ("D", 3): return number(.dayOfYear, 1...3, width: count)
        case ("S", 1...9): return number(.fraction, 1...9, width: count)
        case ("E", 1...4): return .weekdayName(abbreviated: count < 4)
        case ("a", 1...3): return .dayPeriod
        case ("Z", 1...3), ("x", 2), ("x", 4): return offset("+0000")
        case ("x", 3), ("x", 5): return offset("+00:00")
        case ("x", 1): return offset("+00")
        case ("X", 1...5), ("Z", 5): return offset("Z")
        case ("z", 1...3), ("Z", 4): return offset("GMT")
        case ("L", 1...2): return number(.month, 1...2, width: count)
        case (_, 1...2): return DatePatternField.Number(rawValue: "\(letter)").map { number($0, 1...2, width: count) }
        default: return nil
        }
    }
}

/// A mistake in a date pattern, found when it is compiled.
struct DatePatternError: Error, CustomStringConvertible {
    /// One sentence without the full stop: what, where, and what to do.
    let description: String
}
