public import ModelMirrorFoundation

/// Foundation's value types in their usual JSON forms.

/// `Date`: ISO 8601 or `y-MM-dd HH:mm:ssZ`; other forms with a converter or the class's date formats.
extension Date: CommonScalar {
    static var expected: Expectation { DateConverter.standard.expected }
    static var schema: JSONValue { ["type": "string", "format": "date-time"] }
    static func plan(by rules: TableRules) -> TypePlan<Date>? { rules.dates?.plan }

    /// That of an infinite date would end the process; outside of the years 1 to 4000, some versions of Foundation have none.
    var shownText: String? {
        -6.2e10...6.4e10 ~= timeIntervalSince1970 ? "\(self)" : "the date \(timeIntervalSince1970) seconds since 1970"
    }

    static func read(_ reader: inout JSONReader, _ session: ReadingSink) throws(Interruption) -> Date? {
        guard reader.byte == UInt8(ascii: "\"") else { return try session.refuse(&reader, expected) }
        let offset = reader.offset
        let token = try reader.scanString()
        // By far the most frequent form, without escapes.
        if !token.hasEscapes, let date = ISO8601Date.parse(token.raw) { return date }
        let (dates, text) = (DateConverter.standard, token.string)
        if let date = dates.date(text: text) { return date }
        return session.refused(at: offset, session.showsNext ? dates.expected(insteadOf: Array(text.utf8)) : expected)
    }

    func write(_ writer: inout JSONWriter, _ session: WritingSink) {
        DateConverter.standard.write(self, &writer, session)
    }
}

/// `URL`: absolute or relative; spaces and non-ASCII characters are percent-encoded.
extension URL: CommonScalar {
    static var expected: Expectation { .format(.uri) }
    static var schema: JSONValue { ["type": "string", "format": "uri"] }

    static func read(_ reader: inout JSONReader, _ session: ReadingSink) throws(Interruption) -> URL? {
        let offset = reader.offset
        return try session.readText(&reader, expected) { token in
            token.withBytes { bytes in
                let url = URLText.url(fromUTF8: bytes)
                if session.isReporting, let url, !url.absoluteString.utf8.elementsEqual(bytes) {
                    session.coerced(at: offset, .format(.escapedURI))
                }
                return url
            }
        }
    }

    func write(_ writer: inout JSONWriter, _ session: WritingSink) { writer.write(absoluteString) }
}

/// `UUID`: its string form in any case.
extension UUID: CommonScalar, TextScalar {
    static var expected: Expectation { .format(.uuid) }
    static var schema: JSONValue { ["type": "string", "format": "uuid"] }
    static var key: KeyPlan<UUID>? {
        KeyPlan(expected: expected, value: value(ofText:), text: \.jsonText, schema: { ["propertyNames": schema] })
    }
    static var decodesItself: Bool { true }
    // Foundation reads up to a U+0000, whatever follows.
    static func value(ofText text: String) -> UUID? { text.utf8.count == 36 ? UUID(uuidString: text) : nil }
    var jsonText: String { uuidString }
}

/// `Data`: base64, also with the URL alphabet; hexadecimal digits with the converter `.hex`.
extension Data: CommonScalar {
    static var expected: Expectation { .format(.byte) }
    static var schema: JSONValue { ["type": "string", "format": "byte", "contentEncoding": "base64"] }
    var shownText: String? { nil }

    @inline(never)
    static func read(_ reader: inout JSONReader, _ session: ReadingSink) throws(Interruption) -> Data? {
        try session.readText(&reader, expected) { $0.withBytes { Base64.decode($0) } }
    }

    func write(_ writer: inout JSONWriter, _ session: WritingSink) { writer.write(Base64.encode(self)) }
}

extension Converter where Self == AnyConverter<Data> {
    /// `Data` as hexadecimal digits in any case, two per byte; written in lower case.
    public static var hex: Self {
        AnyConverter(plan: .text(.hex, { Hexadecimal.decode(Array($0.utf8)) }, { Hexadecimal.encode($0) }))
    }

    /// `Data` as base64 (RFC 4648), which is also the form of `Data` without a converter.
    public static var base64: Self { AnyConverter(plan: Data.plan) }
}

/// `Decimal`: exact, or it does not fit.
extension Decimal: JSONNumberScalar, CommonScalar {
    static var expected: Expectation { .decimal }
    static var range: Expectation { .decimal }
    static func plainValue(of json: JSONValue) -> Decimal? { json.number?.decimal }
    static func value(_ token: NumberToken) -> Decimal? { DecimalReading.decimal(token) }
    var number: JSONNumber? { JSONNumber(self) }
}

/// `TimeZone`: an identifier of the time zone database (`Europe/Paris`) or an abbreviation.
extension TimeZone: TextScalar {
    static var expected: Expectation { .format(.zone) }
    static var decodesItself: Bool { true }
    static func value(ofText text: String) -> TimeZone? { TimeZone(identifier: text) ?? TimeZone(abbreviation: text) }
    var jsonText: String { identifier }
    var shownText: String? { nil }
}

/// `Locale`: an identifier (`de_DE`); every nonempty text is one.
extension Locale: TextScalar {
    static var expected: Expectation { .format(.locale) }
    static var schema: JSONValue { ["type": "string", "minLength": 1] }
    static var decodesItself: Bool { true }
    static func value(ofText text: String) -> Locale? { text.isEmpty ? nil : Locale(identifier: text) }
    var jsonText: String { identifier }
    var shownText: String? { nil }
}

/// `RGBAColor`: `#RGB`, `#RGBA`, `#RRGGBB` or `#RRGGBBAA`; alpha first with the converter `.argbHex`.
extension RGBAColor: TextScalar {
    static var expected: Expectation { .format(.color) }
    static func value(ofText text: String) -> RGBAColor? { RGBAColor(hex: text) }
    var jsonText: String { hex }
    var shownText: String? { nil }
}
