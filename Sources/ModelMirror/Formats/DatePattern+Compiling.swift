/// Compiles a pattern's text into fields in two steps: letters are counted, then each is read with its neighbors, because a
/// number directly before another one has a fixed number of digits.
extension DatePattern {
    /// A letter with its count, or text.
    private enum Token {
        case letters(Character, count: Int, position: Int)
        case text(Character)
    }

    static func compile(_ pattern: String) throws(DatePatternError) -> [DatePatternField] {
        let tokens = try tokens(of: pattern)
        let hasDayPeriod = tokens.contains { if case .letters("a", _, _) = $0 { true } else { false } }
        var fields: [DatePatternField] = []
        for (index, token) in tokens.enumerated() {
            switch token {
            case .text(let character): fields += String(character).utf8.map(DatePatternField.literal)
            case .letters(let letter, let count, let position):
                func error(_ problem: DatePatternError.Problem) -> DatePatternError {
                    DatePatternError(pattern: pattern, letter: letter, position: position, problem: problem)
                }
                if letter == "h" || letter == "K", !hasDayPeriod { throw error(.missingDayPeriod) }
                let isFollowed = index + 1 < tokens.count && isNumeric(tokens[index + 1])
                let isPreceded = index > 0 && isNumeric(tokens[index - 1])
                if isFollowed, count == 1, !"yuS".contains(letter), isNumeric(token) { throw error(.ambiguousWidth) }
                let hasFixedWidth = isFollowed || isPreceded && count > 1
                guard let field = field(letter, count, hasFixedWidth: hasFixedWidth, follows: fields.last) else {
                    let isKnown = DatePatternError.widths(of: letter) != nil
                    throw error(isKnown ? .unsupportedWidth(count) : .unknownLetter)
                }
                fields.append(field)
            }
        }
        return fields
    }

    private static func tokens(of pattern: String) throws(DatePatternError) -> [Token] {
        var rest = Array(pattern)[...]
        var tokens: [Token] = []
        /// The place of an open quote; nil outside of quotes.
        var quote: Int?
        while let character = rest.popFirst() {
            let position = rest.startIndex
            if character == "'", rest.first == "'" {
                rest.removeFirst()
                tokens.append(.text("'"))
            } else if character == "'" {
                quote = quote == nil ? position : nil
            } else if quote == nil, character.isASCII, character.isLetter {
                let others = rest.prefix { $0 == character }.count
                rest.removeFirst(others)
                tokens.append(.letters(character, count: others + 1, position: position))
            } else {
                tokens.append(.text(character))
            }
        }
        if let quote { throw DatePatternError(pattern: pattern, letter: "'", position: quote, problem: .unclosedQuote) }
        return tokens
    }

    private static func isNumeric(_ token: Token) -> Bool {
        guard case .letters(let letter, let count, _) = token else { return false }
        return "yudDHkKhmsS".contains(letter) || "ML".contains(letter) && count <= 2
    }

    /// The field of a letter repeated `count` times; `nil` if there is none.
    private static func field(
        _ letter: Character, _ count: Int, hasFixedWidth: Bool, follows previous: DatePatternField?
    ) -> DatePatternField? {
        func offset(_ style: DatePatternField.OffsetStyle) -> DatePatternField {
            .offset(utc: style, mayFollowSpace: previous != .literal(UInt8(ascii: " ")))
        }
        func number(_ number: DatePatternField.Number, _ digits: ClosedRange<Int>, width: Int) -> DatePatternField {
            .number(number, digits: hasFixedWidth ? width...width : digits, width: width)
        }
        switch (letter, count) {
        case ("y", 2): return number(.twoDigitYear, 2...2, width: 2)
        case ("y", 1), ("u", 1): return number(.year, 1...4, width: 4)
        case ("y", 4), ("u", 4): return number(.year, 4...4, width: 4)
        case ("M", 3...4), ("L", 3...4): return .monthName(abbreviated: count == 3)
        case ("D", 1), ("D", 3): return number(.dayOfYear, 1...3, width: count)
        case ("S", 1...9): return number(.fraction, 1...9, width: count)
        case ("E", 1...4): return .weekdayName(abbreviated: count < 4)
        case ("a", 1...3): return .dayPeriod
        case ("Z", 1...3), ("x", 2), ("x", 4): return offset(.basic)
        case ("x", 3), ("x", 5): return offset(.extended)
        case ("x", 1): return offset(.hours)
        case ("X", 1...5), ("Z", 5): return offset(.letter)
        case ("z", 1...3), ("Z", 4): return offset(.name)
        case ("L", 1...2): return number(.month, 1...2, width: count)
        case (_, 1...2): return DatePatternField.Number(rawValue: "\(letter)").map { number($0, 1...2, width: count) }
        default: return nil
        }
    }
}

/// A mistake in a date pattern, found when it is compiled.
struct DatePatternError: Error, Equatable, CustomStringConvertible {
    /// What is wrong at ``DatePatternError/position``.
    enum Problem: Equatable, Sendable {
        /// An ASCII letter outside quotes that is not a field.
        case unknownLetter
        /// A known letter, repeated an unsupported number of times.
        case unsupportedWidth(Int)
        /// A one-letter number directly before another number, so that its end is ambiguous.
        case ambiguousWidth
        /// `h` or `K`, hours of a half day, in a pattern without `a`.
        case missingDayPeriod
        /// A quote that is never closed.
        case unclosedQuote
    }

    let pattern: String
    /// The letter with the problem, or the quote.
    let letter: Character
    /// Its position in the pattern, in characters from 1; of a repeated letter, the first.
    let position: Int
    let problem: Problem

    /// One sentence: what, where, and what to do.
    var description: String {
        let place = "at position \(position) of the date pattern \"\(pattern)\""
        switch problem {
        case .unknownLetter:
            return "'\(letter)' \(place) is not a date field; put it in single quotes if it is text, "
                + "or use one of y u M L d D a H k K h m s S E Z X x z"
        case .unsupportedWidth(let count):
            return "\(count) × '\(letter)' \(place) is no form of this field; \(Self.widths(of: letter) ?? "")"
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

    /// Advice on how often a letter may be repeated; nil if it is not a field.
    fileprivate static func widths(of letter: Character) -> String? {
        switch letter {
        case "y": "use y, yy or yyyy"
        case "u": "use u or uuuu"
        case "D": "use 1 or 3"
        case "S": "use 1 to 9"
        case "M", "L", "E": "use 1 to 4"
        case "a", "z": "use 1 to 3"
        case "Z", "X", "x": "use 1 to 5"
        case "d", "H", "k", "K", "h", "m", "s": "use 1 or 2"
        default: nil
        }
    }
}
