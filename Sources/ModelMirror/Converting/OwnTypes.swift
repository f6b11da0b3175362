/// The plans of user types that are not models.

extension PlanBuilder {
    /// A `TypePlan<Value>`, as all plans of types that are opened by a protocol.
    static func plan<Value: JSONConvertible>(converting type: Value.Type) -> Any {
        TypePlan<Value>.throwing(
            expected: .made(type, by: .convertible), read: { try Value(json: $0) }, write: { try $0.json() })
    }

    static func plan<Value: InitializableWithDictionary>(filling type: Value.Type, _ rules: TableRules) -> Any {
        let coders = CodableRules(rules)
        return TypePlan<Value>.throwing(
            expected: .made(type, by: .dictionary),
            read: { json in
                guard let dictionary = json.any as? [String: Any] else { throw ConversionError(.kind(.object)) }
                return try Value(dictionary: dictionary)
            }, write: { try coders.json($0) })
    }

    /// Decodes the value by the rules of the class around it.
    static func plan<Value: Decodable>(decoding type: Value.Type, _ rules: TableRules) -> Any {
        let coders = CodableRules(rules)
        return TypePlan<Value>.throwing(
            expected: .made(type, by: .decodable), read: { try coders.decode(type, from: $0) },
            write: { try coders.json($0) })
    }

    /// Encodes the value by the rules of the class around it; reads nothing.
    static func plan<Value: Encodable>(encoding type: Value.Type, _ rules: TableRules) -> Any {
        let coders = CodableRules(rules)
        let expected = Expectation.typed("\(type)")
        return TypePlan<Value>.throwing(
            expected: expected, read: { _ in throw ConversionError(expected) }, write: { try coders.json($0) })
    }
}

extension TypePlan {
    /// A plan whose function reads a whole value and may throw.
    static func throwing(
        expected: Expectation, read: @escaping (JSONValue) throws -> Value, write: @escaping (Value) throws -> JSONValue
    ) -> TypePlan {
        TypePlan(
            expected: expected, asksNull: true, held: Any.self,
            read: { reader, session, store throws(Interruption) in
                let offset = reader.offset
                let json = try JSONValue(&reader)
                return session.storing(at: offset, expected, store, of: reader) { try read(json) }
            },
            write: { value, writer, session in
                session.writeThrowing(value, &writer) { try write($0).write(&$1, session) }
            }, schema: { _ in ["$comment": .string("not described: \(expected.words)")] })
    }
}

extension RawRepresentable {
    /// Reads the raw value, then the case. A raw value without a case becomes ``UnknownCase/unknownCase``, if there is one.
    static func plan(_ builder: PlanBuilder) throws(InvalidModel) -> Any? {
        guard let raw = try builder.plan(for: RawValue.self)?.whole else { return nil }
        let unknown = (Self.self as? any UnknownCase.Type).flatMap { $0.unknownCase as? Self }
        let texts = (Self.self as? any CaseIterable.Type)?.rawTexts ?? []
        let expected: Expectation =
            (1...12).contains(texts.count) ? .rawValues(texts, of: self) : .rawValue(raw.expected, of: self)
        let isListed = unknown == nil && (RawValue.self is String.Type || RawValue.self is any BinaryInteger.Type)
        var plan = raw.bridged(
            expected: expected, unknown: { _ in unknown }, to: { Self(rawValue: $0) }, from: { $0.rawValue })
        // Compared by the type's own `==` if it has one; the type is its own copy.
        if self is any Equatable.Type { plan.isEqual = nil }
        plan.copy = nil
        // Without an Optional of the raw value, whose metadata would be looked up for each value.
        plan.write = { value, writer, session in raw.write(value.rawValue, &writer, session) }
        if isListed, !texts.isEmpty { plan.schema = { _ in ["enum": .array(texts)] } }
        return plan
    }
}

extension CaseIterable {
    /// The raw values of all cases as written in JSON.
    static var rawTexts: [JSONValue] {
        allCases.compactMap { ($0 as? any RawRepresentable)?.rawValue }.map { raw in
            if let text = raw as? String { return .string(text) }
            return JSONNumber("\(raw)").map(JSONValue.number) ?? .string("\(raw)")
        }
    }
}

extension ReadingSink {
    /// Stores a value made by user code from a value that was read; nil and errors mean that it does not fit.
    ///
    /// - Parameter reader: The reader of the value that was read, if the paths of errors begin at it.
    func storing<Value>(
        at offset: Int, _ expected: Expectation, _ store: (consuming Value) -> Void, of reader: JSONReader? = nil,
        _ make: () throws -> Value?
    ) -> Bool {
        do {
            guard let value = try make() else { return refused(at: offset, expected) }
            store(value)
            return true
        } catch {
            add(issue(of: error, at: offset, expected, reader))
            return false
        }
    }

    /// The issue of an error that user code threw. A function of its own, so that its frame takes no stack from that code.
    @inline(never)
    private func issue(of error: any Error, at offset: Int, _ expected: Expectation, _ reader: JSONReader?) -> Issue {
        if let error = error as? ConversionError { return Issue(.fallback, error.expectation, at: offset) }
        // A path inside of a value that is never shown may have keys that are not shown, either.
        guard redaction == 0, let failure = PropertyFailure(under: error) else {
            let details = Issue.Details(isDocument: error is ModelError, underlying: error)
            return Issue(.fallback, expected, at: offset, details)
        }
        let steps = failure.path.steps
        let (inner, suffix) = reader?.place(of: steps, inValueAt: offset) ?? (offset, steps)
        return Issue(
            .fallback, failure.expectation, at: offset,
            Issue.Details(innerOffset: inner, suffix: suffix, underlying: error, failure: failure))
    }
}

extension JSONReader {
    /// Where the value begins that a path from the value at an offset leads to; if it is missing, the container that lacks it, and
    /// the steps from there.
    fileprivate func place(of path: [JSONPath.Step], inValueAt offset: Int) -> (offset: Int, suffix: [JSONPath.Step]) {
        var reader = JSONReader(rereading: self, at: offset)
        return switch try? reader.navigate(path[...]) {
        case .value(let inner, _), .null(let inner, _), .notContainer(let inner, _): (inner, [])
        case .missing(let inner, let steps): (inner, steps)
        case nil: (offset, path)
        }
    }
}

extension WritingSink {
    func writeThrowing<Value>(
        _ value: Value, _ writer: inout JSONWriter, _ write: (Value, inout JSONWriter) throws -> Void
    ) {
        do {
            try write(value, &writer)
        } catch let error as ConversionError {
            refuse(&writer, expected: error.expectation, found: FoundValue.text(value))
        } catch {
            refuse(&writer, expected: .writable(.form), found: FoundValue.text(value), underlying: error)
        }
    }
}
