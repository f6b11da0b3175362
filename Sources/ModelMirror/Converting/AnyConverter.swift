/// A converter made of functions or of other converters; all built-in converters have this type.
///
/// ```swift
/// override class var propertyConverters: [String: any Converter] {
///     [
///         "price": .converting(String.self, { Price($0) }, back: { $0.text }),
///         "seen": .any([.iso8601, .format("dd.MM.yyyy")]),
///         "payload": .embeddedJSON,
///     ]
/// }
/// ```
///
/// Declare a converter for several classes as a static member in `extension Converter where Self == AnyConverter<Price>`.
public struct AnyConverter<Value>: Converter {
    let plan: TypePlan<Value>
    /// The mistake in the converter, if any; classes that use it cannot be mapped.
    var fault: String?
    /// For ``Converter/embeddedJSON``, which adopts the property's own type, whether JSON without a string around it is also read.
    var embedsOrObject: Bool?
    /// Equal for converters that work alike; nil if that is unknown.
    var identity: String?
    /// The forms of a built-in converter for dates.
    var dateForms: [DateConverter.Form] = []

    /// Reads a value with lenient mapping.
    ///
    /// - Throws: ``ConversionError``, or errors of the converter's own functions.
    public func value(from json: JSONValue) throws -> Value { try plan.value(of: json) }

    /// Writes a value.
    ///
    /// - Throws: ``ConversionError``, or errors of the converter's own functions.
    public func json(from value: Value) throws -> JSONValue { try plan.json(of: value) }
}

// MARK: Made of functions

extension Converter {
    /// Converts between the property's values and values of another type: strings, numbers, arrays, any type that a property may
    /// have.
    ///
    /// ```swift
    /// .converting(String.self, { Price($0) }, back: { $0.text })
    /// .converting([Double].self, { $0.count == 2 ? Point(x: $0[0], y: $0[1]) : nil }, back: { [$0.x, $0.y] })
    /// ```
    ///
    /// - Parameters:
    ///   - raw: The type of the JSON value, read by the rules for properties of this type.
    ///   - convert: Makes the value. nil and errors mean that the JSON does not fit.
    ///   - back: Makes the JSON value.
    public static func converting<Raw, Value>(
        _ raw: Raw.Type, _ convert: @escaping @Sendable (Raw) throws -> Value?,
        back: @escaping @Sendable (Value) throws -> Raw
    ) -> Self where Self == AnyConverter<Value> {
        var fault = "nothing converts the type \(raw)"
        do throws(InvalidModel) {
            if let plan = try PlanBuilder(isShared: true).plan(for: raw) {
                // The function must not get a collection whose bad elements were skipped.
                return AnyConverter(plan: .converting(plan.whole, convert, back: back))
            }
        } catch {
            fault = error.reason
        }
        return AnyConverter(plan: .nothing(reads: "no value", writes: "no value"), fault: fault)
    }
}

extension Converter where Self == AnyConverter<RGBAColor> {
    /// Colors with alpha first: `#ARGB`, `#AARRGGBB`, or `#RGB`, `#RRGGBB` without alpha; written as `#AARRGGBB`, opaque as `#RRGGBB`.
    public static var argbHex: Self { AnyConverter(plan: .text(.argbColor, RGBAColor.init(argbHex:), \.argbHex)) }
}

// MARK: Made of converters

extension Converter {
    /// This converter for Optional values: `null` is nil.
    public var optional: AnyConverter<Value?> { AnyConverter(plan: Optional.plan(of: plan), fault: ownFault) }

    /// Arrays whose elements are read by a converter; all must fit.
    public static func array<Element>(of element: some Converter<Element>) -> Self
    where Self == AnyConverter<[Element]> {
        AnyConverter(plan: TypePlan.array(of: element.plan).whole, fault: element.ownFault)
    }

    /// Several converters, tried in order for reading and for writing.
    ///
    /// The failure of a value that none of them reads lists what each expected.
    public static func any<Value>(_ converters: [any Converter<Value>]) -> Self where Self == AnyConverter<Value> {
        let identities = converters.map { $0.ownIdentity }
        return AnyConverter(
            plan: .any(converters.map { $0.plan }), fault: converters.lazy.compactMap { $0.ownFault }.first,
            identity: identities.contains(nil) ? nil : "any(\(identities.compactMap { $0 }.joined(separator: ",")))")
    }

    package var ownFault: String? { (self as? AnyConverter<Value>)?.fault }

    /// Equal for converters with the same effect; nil if that cannot be known.
    var ownIdentity: String? { (self as? AnyConverter<Value>)?.identity }

    /// The plan that uses this converter.
    var plan: TypePlan<Value> {
        if let ready = self as? AnyConverter<Value> { return ready.plan }
        var plan = TypePlan<Value>.throwing(
            expected: .made(Self.self, by: .converter), read: { try value(from: $0) }, write: json)
        plan.acceptsNull = Value.self is any OptionalType.Type
        return plan
    }
}

extension TypePlan {
    /// Reads a value from a tree, by the rules of lenient or strict mapping.
    ///
    /// - Throws: ``ConversionError``, or any error of a user's own code.
    @_semantics("optimize.sil.specialize.generic.never")
    func value(of json: JSONValue, isStrict: Bool = false) throws -> Value {
        let sink = ReadingSink(rules: .init(strict: isStrict), isReporting: false, limit: 1)
        var value: Value?
        json.withJSONBytes { bytes, count in
            var reader = JSONReader(bytes, count: count, depth: .max)
            _ = try? read(&reader, sink) { value = $0 }
        }
        if let issue = sink.issues.first { throw issue.underlying ?? ConversionError(issue.expectation) }
        guard let value else { throw ConversionError(expected) }
        return value
    }

    /// The JSON of a value.
    ///
    /// - Throws: ``ConversionError``, or any error of a user's own code.
    func json(of value: Value) throws -> JSONValue {
        let sink = WritingSink([])
        var writer = JSONWriter()
        write(value, &writer, sink)
        if let issue = sink.issues.first { throw issue.underlying ?? ConversionError(issue.expectation) }
        return try JSONValue(json: writer.data(), options: .deepest)
    }

    /// A plan for values converted from another plan's values.
    fileprivate static func converting<Raw>(
        _ raw: TypePlan<Raw>, _ convert: @escaping (Raw) throws -> Value?, back: @escaping (Value) throws -> Raw
    ) -> TypePlan {
        let expected = Expectation.converted(raw.expected, to: Value.self)
        return TypePlan(
            expected: expected, acceptsNull: raw.acceptsNull,
            read: { reader, session, store throws(Interruption) in
                let offset = reader.offset
                guard let value = try raw.value(&reader, session) else { return false }
                return session.storing(at: offset, expected, store) { try convert(value) }
            },
            write: { value, writer, session in
                session.writeThrowing(value, &writer) { raw.write(try back($0), &$1, session) }
            },
            isEqual: { left, right in
                if let known = Comparison.equality(left, right) { return known }
                // By the other type's plan, since models are not compared by their JSON.
                guard let left = try? back(left), let right = try? back(right) else { return false }
                return raw.areEqual(left, right)
            }, schema: { _ in ["$comment": .string("not described: \(expected.words)")] })
    }

    static func text(
        _ format: TextFormat, _ read: @escaping (String) -> Value?, _ write: @escaping (Value) -> String
    ) -> TypePlan {
        TypePlan(
            expected: .format(format),
            read: { reader, session, store throws(Interruption) in
                try session.readText(&reader, .format(format)) { read($0.string) }.isStored(by: store)
            }, write: { value, writer, _ in writer.write(write(value)) }, schema: { _ in ["type": "string"] })
    }

    fileprivate static func nothing(reads: String, writes: String) -> TypePlan {
        .throwing(
            expected: .stated(reads, .conversion), read: { _ in throw ConversionError(expected: reads) },
            write: { _ in throw ConversionError(expected: writes) })
    }

    /// Several plans, tried in order for reading and for writing.
    ///
    /// - Parameter last: Reads values that none of them reads; failures do not mention it.
    static func any(_ plans: [TypePlan], orElse last: TypePlan? = nil) -> TypePlan {
        guard !plans.isEmpty else { return .nothing(reads: "no value", writes: "a converter in .any") }
        let all = plans + (last.map { [$0] } ?? [])
        return TypePlan(
            expected: .any(plans.map(\.expected)), acceptsNull: plans.contains(where: \.acceptsNull),
            read: { reader, session, store throws(Interruption) in
                let (mark, offset) = (session.mark, reader.offset)
                let skips = session.skips?.count ?? 0
                var refusals: [Issue?] = []
                for plan in all {
                    var attempt = reader
                    if try plan.read(&attempt, session, store) {
                        reader = attempt
                        return true
                    }
                    try session.countReading(since: offset, attempt)
                    // What is wrong with a property says more than an unknown key.
                    let issues = session.retractIssues(to: mark).listed
                    refusals.append(issues.first { $0.property != nil } ?? issues.first)
                    session.dropNotes(to: mark.notes)
                    // The next one may read the same elements.
                    session.skips?.removeSubrange(skips...)
                }
                let alternatives = zip(plans, refusals).map { plan, refusal in
                    Expectation.Alternative(plan.expected, refusal, at: offset, isHidden: session.redaction > 0)
                }
                return try session.refuse(&reader, .alternatives(alternatives))
            },
            write: { value, writer, session in session.write(value, &writer, byFirstOf: plans) },
            isEqual: { left, right in
                if let known = Comparison.equality(left, right) { return known }
                // By the first that has both, as its JSON is written; models are not compared by their JSON.
                let own = plans.first { $0.areEqual(left, left) && $0.areEqual(right, right) }
                return own?.areEqual(left, right) ?? false
            })
    }
}
