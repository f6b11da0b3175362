public import ModelMirrorFoundation

/// Reads and writes dates: ISO 8601, patterns, seconds or milliseconds since 1970, HTTP dates.
struct DateConverter: Sendable {
    /// One way to write a date.
    enum Form: Sendable {
        case iso8601
        case pattern(DatePattern)
        case httpDate
        /// A number since 1970, of so many units a second.
        case number(perSecond: Double)

        var perSecond: Double? { if case .number(let perSecond) = self { perSecond } else { nil } }

        /// Equal for forms that are equal; how a converter of the form is written in Swift.
        var identity: String {
            switch self {
            case .iso8601: "iso8601"
            case .pattern(let pattern): "format(\(pattern.pattern.quotedForMessage))"
            case .httpDate: "httpDate"
            case .number(let perSecond): perSecond == 1 ? "secondsSince1970" : "millisecondsSince1970"
            }
        }
    }

    /// The forms to read, in order. The first that keeps a date to the second is written.
    let forms: [Form]
    /// The numeric forms, each with its units a second.
    private let units: [(form: Int, perSecond: Double)]
    let expectation: DateExpectation
    /// The expected value.
    let expected: Expectation
    /// The names of the forms, if a report names the form of each value; otherwise empty.
    private let recognized: [Expectation]

    /// - Parameter recognized: The names of the forms, if a report names that of each value; a number's unit then follows from its size.
    init(_ forms: [Form], expected: DateExpectation, recognized: [Expectation]? = nil) {
        self.forms = forms
        units = forms.enumerated().compactMap { index, form in form.perSecond.map { (index, $0) } }
        expectation = expected
        self.expected = recognized.map(Expectation.any) ?? .date(expected)
        self.recognized = recognized ?? []
    }

    /// The default: reads ISO 8601 and `y-MM-dd HH:mm:ssZ`, writes the former.
    static let standard = DateConverter([.iso8601] + seedForms, expected: .standard)

    private static var seedForms: [Form] { (try? DatePattern("y-MM-dd HH:mm:ssZ")).map { [.pattern($0)] } ?? [] }

    /// Equal for converters with equal forms.
    fileprivate var identity: String { forms.map(\.identity).joined(separator: ",") }

    func date(text: String) -> Date? { date(Array(text.utf8))?.date }

    /// The JSON of a date in the first form that keeps it to the second; nil if none does.
    private func json(_ value: Date) -> JSONValue? {
        // If both units are recognized, a number in one of them may be read in the other.
        func number(_ perSecond: Double, _ index: Int) -> JSONValue? {
            let exact = value.timeIntervalSince1970 * perSecond
            let number = perSecond == 1 ? exact : exact.rounded()
            guard recognized.isEmpty || date(number: number)?.form == index else { return nil }
            return JSONNumber(number).map(JSONValue.number)
        }
        for (index, form) in forms.enumerated() {
            let json: JSONValue? =
                switch form {
                case .iso8601: ISO8601Date.text(value).map(JSONValue.string)
                case .pattern(let pattern): DateConverter.text(value, pattern).map(JSONValue.string)
                case .httpDate: HTTPDate.text(value).map(JSONValue.string)
                case .number(let perSecond): number(perSecond, index)
                }
            if let json { return json }
        }
        return nil
    }

    /// The text of a date; nil if it would be read back as another day or time. Fractions of a second may be lost.
    private static func text(_ value: Date, _ pattern: DatePattern) -> String? {
        guard let text = pattern.text(value), let read = pattern.parse(Array(text.utf8)),
            abs(read.timeIntervalSince(value)) < 1
        else { return nil }
        return text
    }

    // MARK: Reading text and numbers

    /// The date of a text in the first form that reads it. Numeric forms also read strings of digits.
    @inline(__always)
    private func date(_ text: some ByteString) -> Found? {
        for (index, form) in forms.enumerated() {
            let found: Found? =
                switch form {
                case .iso8601: ISO8601Date.parse(text).map { ($0, index) }
                case .pattern(let pattern): pattern.parse(text).map { ($0, index) }
                case .httpDate: HTTPDate.parse(text).map { ($0, index) }
                case .number: JSONNumber(String(decoding: text, as: UTF8.self))?.double.flatMap(date(number:))
                }
            if let found { return found }
        }
        return nil
    }

    /// The expectation for a text that is not a date. A text that would be one with other digits has the form of a date, but its day or
    /// time does not exist.
    func expected(insteadOf text: [UInt8]) -> Expectation {
        guard text.count <= 64 else { return expected }
        let isDigit = text.map { $0 &- UInt8(ascii: "0") < 10 }
        let textual = DateConverter(forms.filter { $0.perSecond == nil }, expected: expectation)
        let hasForm = isDigit.indices.dropLast().contains { index in
            guard isDigit[index], isDigit[index + 1] else { return false }
            var changed = text
            (changed[index], changed[index + 1]) = (UInt8(ascii: "0"), UInt8(ascii: "1"))
            return textual.date(changed) != nil
        }
        guard hasForm else { return expected }
        var existing = expectation
        existing.dayExists = true
        return .date(existing)
    }

    /// The date of a number; nil if no form is numeric.
    ///
    /// If both units are recognized, numbers from 100,000,000,000 on are milliseconds (after 1973-03-03): as seconds they would be after
    /// the year 5138.
    private func date(number: Double) -> Found? {
        let unit = units.first { recognized.isEmpty || ($0.perSecond == 1) == (abs(number) < 1e11) } ?? units.first
        return unit.map { (Date(timeIntervalSince1970: number / $0.perSecond), $0.form) }
    }

    /// A date, and the index of its form.
    private typealias Found = (date: Date, form: Int)

    // MARK: The plan

    private var schema: JSONValue {
        let kinds = forms.map { form -> JSONValue in
            switch form {
            case .iso8601: ["type": "string", "format": "date-time"]
            case .pattern, .httpDate: ["type": "string"]
            // Numeric strings are read too.
            case .number: ["type": ["number", "string"]]
            }
        }
        return kinds.count == 1 ? kinds[0] : ["anyOf": .array(kinds)]
    }

    var plan: TypePlan<Date> {
        TypePlan(
            expected: expected,
            read: { reader, session, store throws(Interruption) in
                let offset = reader.offset
                var (found, needed): (Found?, Expectation?)
                if reader.isAtNumber {
                    found = FloatingPointRounding.double(try reader.scanNumber()).flatMap(date(number:))
                } else if reader.byte == UInt8(ascii: "\"") {
                    found = try reader.scanString().withBytes { text in
                        let found = date(text) ?? (session.isPlain ? ISO8601Date.parse(text).map { ($0, 0) } : nil)
                        if found == nil, session.showsNext { needed = expected(insteadOf: Array(text)) }
                        return found
                    }
                } else {
                    return try session.refuse(&reader, expected)
                }
                guard let found else { return session.refused(at: offset, needed ?? expected) }
                // The report tells the form of a date if it is a recognized one other than the first.
                if found.form > 0, !recognized.isEmpty { session.coerced(at: offset, recognized[found.form]) }
                store(found.date)
                return true
            }, write: write, schema: { _ in schema })
    }

    func write(_ value: Date, _ writer: inout JSONWriter, _ session: WritingSink) {
        // By far the most frequent form.
        if case .iso8601? = forms.first, let text = ISO8601Date.text(value) { return writer.write(text) }
        guard let json = json(value) else {
            var kept = expectation
            kept.isKept = true
            let needed = ISO8601Date.text(value) != nil ? Expectation.date(kept) : .plain(.dateRange)
            return session.refuse(&writer, expected: needed, found: FoundValue.text(value))
        }
        json.write(&writer, session)
    }
}

extension Converter where Self == AnyConverter<Date> {
    /// ISO 8601 and RFC 3339: `2016-01-23T18:30:00Z`, with 0 to 9 fraction digits and `Z`, an offset or neither (UTC).
    public static var iso8601: Self { Self([.iso8601], expected: .dateTime) }

    /// Seconds since 1 January 1970, 00:00 UTC, as a number or a numeric string; written as a number, to the microsecond.
    public static var secondsSince1970: Self { Self([.number(perSecond: 1)], expected: .seconds) }

    /// Milliseconds since 1 January 1970, 00:00 UTC, as a number or a numeric string; written as a number of whole milliseconds.
    public static var millisecondsSince1970: Self { Self([.number(perSecond: 1000)], expected: .milliseconds) }

    /// The three forms of RFC 9110 section 5.6.7; written as `Sat, 23 Jan 2016 18:30:00 GMT`, in whole seconds.
    public static var httpDate: Self { Self([.httpDate], expected: .httpDate) }

    /// Several forms of dates. A report names the form of a value, unless it is the first one.
    ///
    /// ```swift
    /// .recognized([.iso8601, .secondsSince1970, .millisecondsSince1970, .format("dd.MM.yyyy")])
    /// ```
    ///
    /// With both units, numbers below 100,000,000,000 are seconds and others milliseconds, whatever the sign: seconds until the year
    /// 5138, milliseconds except in the three years before and after 1970. The first form is written, if it keeps the date.
    ///
    /// - Parameter forms: Built-in converters, other than this and ``Converter/any(_:)``. Others make the class that uses the converter
    ///   fail with ``ModelError/invalidModel(_:)``.
    public static func recognized(_ forms: [Self]) -> Self {
        let known = forms.filter { $0.dateForms.count == 1 }
        let dates = DateConverter(
            known.map { $0.dateForms[0] }, expected: DateExpectation(format: .date),
            recognized: known.map(\.plan.expected))
        let isKnown = !known.isEmpty && known.count == forms.count
        let fault =
            forms.lazy.compactMap(\.fault).first
            ?? (isKnown ? nil : "recognized needs built-in converters, each for one form of dates")
        // One with a fault leaves out forms.
        return AnyConverter(
            plan: dates.plan, fault: fault, identity: fault == nil ? "recognized(\(dates.identity))" : nil)
    }

    /// A Unicode TR 35 pattern with numeric fields and English names, in the POSIX locale and UTC unless the text has an offset.
    ///
    /// An invalid pattern makes the class that uses it fail with ``ModelError/invalidModel(_:)``.
    public static func format(_ pattern: String) -> Self { formats([pattern]) }

    /// Several patterns, as for ``format(_:)``.
    static func formats(_ patterns: [String]) -> Self {
        do {
            let forms = try patterns.map { DateConverter.Form.pattern(try DatePattern($0)) }
            return AnyConverter(forms, expected: .date, patterns: patterns)
        } catch {
            return AnyConverter(
                plan: DateConverter([], expected: DateExpectation(format: .date)).plan, fault: "\(error)")
        }
    }
}

extension AnyConverter<Date> {
    fileprivate init(_ forms: [DateConverter.Form], expected format: TextFormat, patterns: [String] = []) {
        let dates = DateConverter(forms, expected: DateExpectation(format: format, patterns: patterns))
        self.init(plan: dates.plan, identity: dates.identity, dateForms: forms)
    }
}
