/// What a value was expected to be. It becomes parameters and words only when it is shown.
///
/// No text is made while a value is read, except the reason of an ``Alternative``: lists of names and the like are made once, with the
/// class's table.
enum Expectation: Sendable {
    // MARK: Values of a type

    /// A value of a JSON kind.
    case kind(JSONKind)
    /// Any JSON value but null, a value of unknown type, and the value at a call's path.
    case anything, value, root
    /// An integer, and a number, that a type can hold.
    case integer(Any.Type)
    case number(Any.Type)
    case decimal
    /// A string of a form.
    case format(TextFormat)
    indirect case date(DateExpectation)
    /// An object for a model class.
    case object(Any.Type)
    /// A value that a type makes of any JSON.
    indirect case made(Any.Type, by: Maker)
    /// A value of a type that nothing converts.
    indirect case typed(String)
    /// A value from which a converter's function makes one of a type.
    indirect case converted(Expectation, to: Any.Type)
    /// A raw value of an enum: one of those listed, one of too many to list, and one that is the key of a dictionary.
    indirect case rawValues([JSONValue], of: Any.Type)
    indirect case rawValue(Expectation, of: Any.Type)
    case rawKey(of: Any.Type)
    /// One of several.
    indirect case alternatives([Alternative])
    /// A string that holds JSON, for a value of any kind if nil.
    indirect case embedded(Expectation?)

    // MARK: Places and names

    /// The name of a class. `orFunction`: or an object that `dynamicType(for:)` knows; `for`: the class, if the value's is another.
    indirect case typeNames([String], orFunction: Bool = false, for: Any.Type? = nil)
    /// A key of a dictionary.
    indirect case key(Expectation)
    /// A key of a class.
    case knownKey(of: Any.Type)

    // MARK: Rules and user code

    /// An expectation without parameters: no second key, less nesting, a finite number. Any known code is accepted, because a type for the
    /// codes without parameters would list them a second time.
    case plain(FailureCode.Known)

    /// An object that `didMap` accepts.
    case accepted
    /// What a rule of the library requires: the code of the bound that was broken, and all of the rule's parameters.
    indirect case rule(FailureCode.Known, [String: JSONValue])
    /// Words of the user, or of a rare case in the library.
    indirect case stated(String, FailureCode, [String: JSONValue])

    // MARK: Writing

    case writable(WritingNeed)

    // MARK: Rows

    /// The value of the issue's row.
    case ofRow
    /// The values of several rows: one for each bit, the lowest bit for the issue's row.
    case ofRows(UInt64)

    /// An object whose `willWrite` does not throw.
    static let acceptedByWillWrite = stated("an object that willWrite accepts", .thrown)

    /// One of several; an expectation alone for one.
    static func any(_ alternatives: [Expectation]) -> Expectation {
        .alternatives(alternatives.map { Alternative($0) })
    }

    /// What is expected by a user's words.
    static func stated(_ words: String, _ code: FailureCode.Known) -> Expectation {
        .stated(words, FailureCode(code), [:])
    }

    /// Whether one of the alternatives maps the value as a document of its own.
    var isOfDocument: Bool {
        if case .alternatives(let list) = self { list.contains(where: \.isDocument) } else { false }
    }

    /// One of several alternatives.
    struct Alternative: Sendable {
        let expectation: Expectation
        /// Whether it maps the value as a document of its own.
        let isDocument: Bool
        /// Why it did not fit: the error that was thrown, or the part of the value that does not fit. Nil if the value itself does not.
        let reason: String?

        /// - Parameters:
        ///   - whole: What is expected of the value.
        ///   - refusal: Why it did not fit; nil if nothing says so.
        ///   - offset: The start of the value.
        ///   - isHidden: Whether the value is never shown.
        init(_ whole: Expectation, _ refusal: Issue? = nil, at offset: Int = 0, isHidden: Bool = false) {
            let part = refusal.flatMap { $0.subject == nil && $0.place == offset ? nil : $0 }
            expectation = part == nil ? refusal?.expectation ?? whole : whole
            isDocument = refusal.map { $0.details.isDocument || $0.expectation.isOfDocument } ?? false
            let isHidden = isHidden || refusal?.isRedacted == true
            reason = isHidden ? nil : refusal?.underlying.map(PropertyFailure.reason) ?? part.map(FailureWords.part)
        }

        fileprivate var described: JSONValue {
            .object(expectation.described.merging(reason.map { ["reason": .string($0)] } ?? [:]) { $1 })
        }
    }

    /// What makes a value of any JSON.
    enum Maker: String, Sendable {
        case convertible = "JSONConvertible"
        case decodable = "Decodable"
        case dictionary = "InitializableWithDictionary"
        case converter = "Converter"
    }

    /// Why a value has no JSON form.
    enum WritingNeed: String, Sendable {
        /// A plain value; a model that its session writes; the errors of converters and coders.
        case plainValue, notModel, encodable, form
        /// A property whose type nothing converts, and one for the name of a class, or of the wrong class.
        case convertibleType, nameProperty, namedClass, caseName
    }
}

/// The forms of strings, by the names of JSON Schema and OpenAPI where they have one.
enum TextFormat: String, Sendable, CaseIterable {
    case uri, escapedURI = "escaped-uri", uuid, byte, hex, color, argbColor = "argb-color", zone = "time-zone", locale
    case character, dateTime = "date-time", date, httpDate = "http-date", seconds, milliseconds
}

/// A date by its form.
struct DateExpectation: Sendable, Hashable {
    let format: TextFormat
    var patterns: [String] = []
    /// Whether the text has the form of a date, but its day or time does not exist.
    var dayExists = false
    /// Whether the form has to keep a date that is written.
    var isKept = false

    /// A date in ISO 8601 or in the second form of all dates.
    static let standard = DateExpectation(format: .dateTime, patterns: ["y-MM-dd HH:mm:ssZ"])

    fileprivate var isNumeric: Bool { format == .seconds || format == .milliseconds }

    fileprivate var parameters: [String: JSONValue] {
        var parameters: [String: JSONValue] = ["format": .string(format.rawValue)]
        if !patterns.isEmpty { parameters["patterns"] = .array(patterns.map(JSONValue.string)) }
        if dayExists { parameters["dayExists"] = true }
        if isKept { parameters["by"] = "writing" }
        return parameters
    }
}

// MARK: Codes

extension Expectation {
    /// What follows from an expectation: the code for a value of the right kind; the JSON kinds that fit, empty if any fits or none is
    /// known, nil if the code holds for values of all kinds (rules, keys, limits); and what the words are made of, besides the kinds.
    private typealias Form = (code: FailureCode, kinds: [JSONKind]?, parameters: () -> [String: JSONValue])

    private var form: Form {
        func form(
            _ code: FailureCode.Known, _ kinds: [JSONKind]? = nil,
            _ parameters: @autoclosure @escaping () -> [String: JSONValue] = [:]
        ) -> Form { (FailureCode(code), kinds, parameters) }
        func name(_ type: Any.Type) -> JSONValue { .string("\(type)") }
        switch self {
        case .kind(let kind): return form(.type, [kind])
        case .anything: return form(.type, [.boolean, .number, .string, .array, .object])
        case .value, .ofRow, .ofRows: return form(.type, [])
        case .root: return form(.type, [], ["by": "path"])
        case .typed(let type): return form(.type, [], ["type": .string(type)])
        case .object(let type): return form(.type, [.object], ["model": name(type)])
        case .integer(let type):
            let bounds = (type as? any FixedWidthInteger.Type).map { integer in
                ["minimum": JSONValue.number(JSONNumber(integer.min)), "maximum": .number(JSONNumber(integer.max))]
            }
            return form(.integerRange, [.integer], (bounds ?? [:]).merging(["type": name(type)]) { $1 })
        case .number(let type): return form(.numberRange, [.number], ["type": name(type)])
        case .decimal: return form(.numberRange, [.number], ["type": "Decimal", "digits": 38])
        case .format(let format): return form(.format, [.string], ["format": .string(format.rawValue)])
        case .date(let date): return form(.format, date.isNumeric ? [.number, .string] : [.string], date.parameters)
        case .made(let type, let maker):
            let kinds: [JSONKind] = maker == .dictionary ? [.object] : []
            return form(.conversion, kinds, ["type": name(type), "by": .string(maker.rawValue)])
        case .converted(let raw, let type):
            return form(
                .conversion, raw.kinds, ["inside": .object(raw.parameters), "type": name(type), "by": "converting"])
        case .rawValues(let values, let type):
            let isText = values.allSatisfy { $0.string != nil }
            let kinds: [JSONKind] = isText ? [.string] : values.allSatisfy { $0.number != nil } ? [.number] : []
            return form(values.count == 1 ? .const : .enum, kinds, ["values": .array(values), "type": name(type)])
        case .rawValue(let raw, let type):
            return form(.enum, raw.kinds, ["inside": .object(raw.parameters), "type": name(type)])
        case .rawKey(let type): return form(.enum, [], ["type": name(type), "by": "RawRepresentable"])
        case .alternatives(let alternatives): return form(.anyOf, [], ["anyOf": .array(alternatives.map(\.described))])
        case .embedded(let inner):
            return form(
                .embedded, [.string],
                inner.map { ["format": "json", "inside": .object($0.described)] } ?? ["format": "json"])
        case .typeNames(let names, let orFunction, let type):
            var parameters: [String: JSONValue] = [:]
            if !names.isEmpty { parameters["names"] = .array(names.map(JSONValue.string)) }
            if orFunction { parameters["by"] = "dynamicType" }
            if let type { parameters["type"] = name(type) }
            return form(.discriminator, nil, parameters)
        case .key(let key): return form(.propertyNames, nil, ["inside": .object(key.described)])
        case .knownKey(let type): return form(.additionalProperties, nil, ["model": name(type)])
        case .plain(let code): return form(code)
        case .accepted: return form(.thrown, nil, ["by": "didMap"])
        case .rule(let code, let parameters): return form(code, nil, parameters)
        case .stated(_, let code, let parameters): return (code, nil, { parameters })
        case .writable(let need): return form(.notWritable, nil, ["by": .string(need.rawValue)])
        }
    }

    var kinds: [JSONKind] { form.kinds ?? [] }

    /// The code for a value that was found.
    ///
    /// - Parameters:
    ///   - found: What was found.
    ///   - kind: The kind of the value in the document; nil if there is none.
    func code(_ found: Issue.Found, _ kind: JSONKind?) -> FailureCode {
        let own = form
        guard let fitting = own.kinds else { return own.code }
        switch found {
        case .noKey, .noKeyOrIndex: return FailureCode(.required)
        case .failedObject: return FailureCode(.nested)
        case .nothing: return FailureCode(.null)
        case .value, .usedDuplicate, .duplicate: break
        }
        guard let kind else { return own.code }
        if kind == .null, !fitting.contains(.null) { return FailureCode(.null) }
        return fitting.isEmpty || fitting.contains { $0.includes(kind) } ? own.code : FailureCode(.type)
    }

    /// The end of "expected …".
    var words: String { words(code, parameters) }

    /// The end of "expected …" for the code and parameters of a failure.
    func words(_ code: FailureCode, _ parameters: [String: JSONValue]) -> String {
        if case .stated(let words, _, _) = self { words } else { FailureWords.expected(code, parameters) }
    }

    /// The code where there is no document, as for a converter that is called alone.
    var code: FailureCode { form.code }

    // MARK: Parameters

    /// All that the words are made of.
    var parameters: [String: JSONValue] {
        let form = form
        var parameters = form.parameters()
        if let kinds = form.kinds, !kinds.isEmpty {
            parameters["expected"] = .array(kinds.map { .string($0.rawValue) })
        }
        return parameters
    }

    /// The parameters as a part of others: with the code of a rule, and the user's words.
    fileprivate var described: [String: JSONValue] {
        switch self {
        case .rule(let code, let parameters): return parameters.merging(["code": .string(code.rawValue)]) { $1 }
        case .stated(let words, let code, let parameters):
            return parameters.merging(["words": .string(words), "code": .string(code.rawValue)]) { $1 }
        default: return parameters
        }
    }
}
