import ModelMirror

/// Compiles the text of a query by the grammar of RFC 9535. Filters are in `QueryParser+Filters.swift`.
struct QueryParser {
    private let scalars: [Unicode.Scalar]
    /// The number of Unicode scalars before the next one.
    var position = 0
    /// How many more filters, parentheses and functions may be opened inside each other.
    private var depthLeft = QueryParser.depth
    /// The number of queries from the root in filters.
    private(set) var absoluteCount = 0
    private static let depth = 32

    init(_ text: String) { scalars = Array(text.unicodeScalars) }

    /// The whole text as a query.
    mutating func query() throws(JSONQueryError) -> QueryPath {
        guard take("$") else { throw expected("'$'", "a query begins at the root: $.items[0].id") }
        let path = QueryPath(number: nil, segments: try segments())
        guard next == nil else {
            throw expected(
                "'.', '..', '[' or the end of the query",
                "write a name with other characters than letters, digits and '_' in brackets: $['content-type']")
        }
        return path
    }

    /// A query in a filter, whose first scalar is known to be `@` or `$`.
    mutating func nestedQuery() throws(JSONQueryError) -> QueryPath {
        var number: Int?
        if next == "$" { (number, absoluteCount) = (absoluteCount, absoluteCount + 1) }
        position += 1
        return QueryPath(number: number, segments: try segments())
    }

    private mutating func segments() throws(JSONQueryError) -> [QuerySegment] {
        var segments: [QuerySegment] = []
        while true {
            let end = position
            skipBlank()
            if take("..") {
                let selectors = next == "[" ? try bracketed() : [try shorthand("a name, '*' or '[' after '..'")]
                segments.append(QuerySegment(isDescendant: true, selectors: selectors))
            } else if take(".") {
                let selector = try shorthand("a name or '*' after '.'")
                segments.append(QuerySegment(isDescendant: false, selectors: [selector]))
            } else if next == "[" {
                segments.append(QuerySegment(isDescendant: false, selectors: try bracketed()))
            } else {
                position = end
                return segments
            }
        }
    }

    /// A name without quotes, or `*`.
    private mutating func shorthand(_ what: String) throws(JSONQueryError) -> QuerySelector {
        if take("*") { return .wildcard }
        guard let first = next, first.isNameStart else {
            throw expected(what, "write any other name in brackets and quotes: ['content-type']")
        }
        return .name(Array(text { $0.isNameStart || $0.isDigit }.utf8))
    }

    private mutating func bracketed() throws(JSONQueryError) -> [QuerySelector] {
        position += 1
        var selectors: [QuerySelector] = []
        repeat {
            skipBlank()
            selectors.append(try selector())
            skipBlank()
        } while take(",")
        guard take("]") else { throw expected("',' or ']'", next == "=" ? "compare with ==" : nil) }
        return selectors
    }

    private mutating func selector() throws(JSONQueryError) -> QuerySelector {
        switch next {
        case "'", "\"": return .name(Array(try string().utf8))
        case "*":
            position += 1
            return .wildcard
        case "?":
            position += 1
            skipBlank()
            return .filter(try nested { parser throws(JSONQueryError) in try parser.condition() })
        case let scalar? where scalar.isDigit || scalar == "-" || scalar == ":": return try indexOrSlice()
        default:
            throw expected("a name in quotes, an index, a slice, '*' or a filter '?'", "names in brackets need quotes")
        }
    }

    private mutating func indexOrSlice() throws(JSONQueryError) -> QuerySelector {
        let start = next == ":" ? nil : try integer()
        let end = position
        skipBlank()
        guard take(":") else {
            position = end
            guard let start else { throw expected("an index", nil) }
            return .index(start)
        }
        var bounds: [Int?] = [nil, 1]
        for index in bounds.indices {
            skipBlank()
            if let scalar = next, scalar.isDigit || scalar == "-" {
                bounds[index] = try integer()
                skipBlank()
            }
            guard index == 0, take(":") else { break }
        }
        return .slice(start: start, end: bounds[0], step: bounds[1] ?? 1)
    }

    private mutating func integer() throws(JSONQueryError) -> Int {
        let start = position
        let isNegative = take("-")
        let digits = text(\.isDigit)
        if digits.isEmpty { throw expected("a digit", nil) }
        guard !digits.hasPrefix("0") || digits == "0" && !isNegative else {
            throw expected("an integer without leading zeros, or 0", nil, start..<position)
        }
        guard let value = Int64(digits), value <= Int64(1) << 53 - 1 else {
            throw expected("an integer from -9007199254740991 to 9007199254740991", nil, start..<position)
        }
        return Int(clamping: isNegative ? -value : value)
    }

    /// A string in single or double quotes.
    mutating func string() throws(JSONQueryError) -> String {
        let (start, quote) = (position, scalars[position])
        position += 1
        var text = ""
        while let scalar = next {
            if scalar.value < 0x20 {
                throw expected("no control character in a string", "escape it: \\n, \\t, \\u0000")
            }
            position += 1
            if scalar == quote { return text }
            text.unicodeScalars.append(scalar == "\\" ? try escaped(quote) : scalar)
        }
        throw expected("the closing quote of the string that begins at position \(start + 1)", nil)
    }

    private mutating func escaped(_ quote: Unicode.Scalar) throws(JSONQueryError) -> Unicode.Scalar {
        let start = position - 1
        let escape = next
        position += 1
        switch escape {
        case quote, "/", "\\": return escape ?? quote
        case "b": return "\u{8}"
        case "f": return "\u{C}"
        case "n": return "\n"
        case "r": return "\r"
        case "t": return "\t"
        case "u":
            let unit = try hexadecimal()
            if let scalar = Unicode.Scalar(unit) { return scalar }
            if unit < 0xDC00, take("\\u") {
                let low = try hexadecimal()
                if (0xDC00...0xDFFF).contains(low),
                    let scalar = Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + low - 0xDC00)
                {
                    return scalar
                }
            }
            throw expected("a high and a low surrogate: \\uD83D\\uDE00", nil, start..<position)
        default:
            position = start + 1
            throw expected("an escape: one of \(quote) \\ / b f n r t u", "write a backslash as \\\\")
        }
    }

    private mutating func hexadecimal() throws(JSONQueryError) -> UInt32 {
        let start = position
        var value: UInt32 = 0
        while position < start + 4 {
            guard let scalar = next, scalar.isASCII, let digit = Character(scalar).hexDigitValue else {
                throw expected("four hexadecimal digits after \\u", nil)
            }
            value = value << 4 + UInt32(digit)
            position += 1
        }
        return value
    }

    // MARK: Scalars

    var next: Unicode.Scalar? { position < scalars.count ? scalars[position] : nil }

    mutating func skipBlank() {
        while let scalar = next, " \t\n\r".unicodeScalars.contains(scalar) { position += 1 }
    }

    /// Moves past a text if it is next.
    mutating func take(_ text: String) -> Bool {
        guard scalars[position...].starts(with: text.unicodeScalars) else { return false }
        position += text.unicodeScalars.count
        return true
    }

    /// Moves past scalars of a kind.
    mutating func text(_ isIncluded: (Unicode.Scalar) -> Bool) -> String {
        var text = String.UnicodeScalarView()
        while let scalar = next, isIncluded(scalar) {
            text.append(scalar)
            position += 1
        }
        return String(text)
    }

    /// Parses what is inside a filter, parentheses or a function.
    mutating func nested<Result>(
        _ body: (inout QueryParser) throws(JSONQueryError) -> Result
    ) throws(JSONQueryError) -> Result {
        guard depthLeft > 0 else {
            throw expected(
                "no more than \(QueryParser.depth) filters, parentheses and functions inside each other", nil)
        }
        depthLeft -= 1
        defer { depthLeft += 1 }
        return try body(&self)
    }

    /// - Parameter range: The positions of what does not fit. Defaults to the next scalar.
    func expected(_ what: String, _ advice: String?, _ range: Range<Int>? = nil) -> JSONQueryError {
        let range = range ?? position..<min(position + 1, scalars.count)
        var found = String.UnicodeScalarView()
        found.append(contentsOf: scalars[range.prefix(40)])
        return .invalidQuery(
            position: range.lowerBound + 1, expected: what,
            found: range.isEmpty ? "the end of the query" : String(found).quotedForMessage, advice: advice)
    }
}

extension Unicode.Scalar {
    var isDigit: Bool { ("0"..."9").contains(self) }
    var isLowercaseLetter: Bool { ("a"..."z").contains(self) }

    /// Whether a name without quotes can begin with the scalar.
    fileprivate var isNameStart: Bool {
        isLowercaseLetter || ("A"..."Z").contains(self) || self == "_" || value >= 0x80
    }
}
