import ModelMirrorFoundation

extension JSONValue {
    /// The JSON of plain Swift values.
    ///
    /// Accepted are strings, Booleans, integers and floating-point numbers of any width, `Decimal`, arrays, dictionaries with
    /// string keys, nil, the types of `JSONSerialization` (`NSNumber`, `NSNull` and so on), ``JSONValue`` and ``JSONNumber``, in
    /// any combination, Optional or not. Numbers keep their exact value. `Date`, `URL`, `UUID`, `Data` and the other types of
    /// ``ParameterValue`` have the text that a property of the type is written as.
    ///
    /// ```swift
    /// let value = try JSONValue(any: ["id": 7, "tags": ["a", nil]])    // {"id": 7, "tags": ["a", null]}
    /// try JSONValue(any: ["size": CGSize()])
    /// // JSON at $.size: expected a value that JSON can hold, found a value of type CGSize.
    /// ```
    ///
    /// - Throws: ``ModelError/invalidValues(_:)`` with the path of each value that JSON cannot hold (up to 100): other types,
    ///   infinities and NaN, and containers nested deeper than ``MappingOptions/maximumDepth`` or the stack has room for.
    public init(any value: Any?) throws(ModelError) {
        self = try PlainValueInput.json(from: value as Any, for: "JSON", limit: 100)
    }
}

struct PlainValueInput {
    private var path: [JSONPath.Step] = []
    private var failures: [PropertyFailure] = []
    private let model: String
    private let limit: Int
    /// Whether members are read sorted by key, so that the order of failures is stable.
    private let isSorted: Bool
    private let stack = StackRoom()
    /// The classes of Foundation that were met, which only their names tell from others here.
    private var classes: [ObjectIdentifier: FoundationClass] = [:]

    private enum FoundationClass { case boolean, number, null, other }

    /// The JSON of a value; throws at most `limit` failures with the model's name.
    static func json(from value: Any, for model: String, limit: Int) throws(ModelError) -> JSONValue {
        var input = PlainValueInput(model: model, limit: limit, isSorted: false)
        let json = input.json(value)
        guard !input.failures.isEmpty else { return json }
        input = PlainValueInput(model: model, limit: limit, isSorted: true)
        _ = input.json(value)
        throw .invalidValues(input.failures)
    }

    private mutating func json(_ value: Any) -> JSONValue {
        // The common types by identity, and those of `JSONSerialization`, since a cast to another type takes up to a thousand
        // instructions. (Measured: with the casts below alone, gists as dictionaries took 59 million instructions, not 17.)
        let type = type(of: value)
        if type == String.self, let text = value as? String { return .string(text) }
        if type == [String: Any].self, let members = value as? [String: Any] { return json(members) }
        if type == [Any].self, let list = value as? [Any] { return json(list) }
        if type is AnyClass {
            switch foundationClass(type) {
            case .boolean: if let flag = value as? Bool { return .bool(flag) }
            case .number: return foundationNumber(value)
            case .null: return .null
            case .other: break
            }
        }
        return json(casting: value)
    }

    private mutating func foundationClass(_ type: Any.Type) -> FoundationClass {
        if let known = classes[ObjectIdentifier(type)] { return known }
        // The first is that of JSONSerialization on Linux, the second on Apple's platforms. Neither is used for NSDecimalNumber.
        let found: FoundationClass =
            switch String(reflecting: type) {
            case "Foundation.NSNumber", "__NSCFNumber": .number
            case "Foundation.__NSCFBoolean", "__NSCFBoolean": .boolean
            case "Foundation.NSNull", "NSNull": .null
            default: .other
            }
        classes[ObjectIdentifier(type)] = found
        return found
    }

    /// A value of any other type.
    private mutating func json(casting value: Any) -> JSONValue {
        switch value {
        case let text as String: .string(text)
        case let flag as Bool where type(of: value) == Bool.self: .bool(flag)
        case let json as JSONValue: json
        case let number as JSONNumber: .number(number)
        case let optional as any OptionalType: optional.wrappedValue.map { json($0) } ?? .null
        case let list as [Any]: json(list)
        case let members as [String: Any]: json(members)
        default: number(value)
        }
    }

    /// Swift's numbers and, through bridging, Foundation's; other values are rejected.
    ///
    /// The description of a floating-point number is the shortest that reads back as the same value, and keeps the fraction of `1.0`,
    /// so that it is read back as a `Double`. A function of its own, because its casts would enlarge the frame of each level of nesting.
    @inline(never)
    private mutating func number(_ value: Any) -> JSONValue {
        switch value {
        case let integer as any BinaryInteger: return .number(JSONNumber(integer))
        case let float as any BinaryFloatingPoint: return finite(JSONNumber("\(float)"), value)
        case let decimal as Decimal where type(of: value) == Decimal.self: return finite(JSONNumber(decimal), value)
        default: return foundationNumber(value)
        }
    }

    private mutating func foundationNumber(_ value: Any) -> JSONValue {
        switch value {
        // Foundation's numbers have no Swift type. Only NSDecimalNumber casts to `Decimal`; it also casts to `Double`, which would
        // lose digits.
        case let integer as Int: return .number(JSONNumber(integer))
        case let integer as UInt64: return .number(JSONNumber(integer))
        case let decimal as Decimal: return finite(JSONNumber(decimal), value)
        case let double as Double: return finite(JSONNumber("\(double)"), value)
        case let scalar as any JSONScalar: return text(of: scalar)
        default: return refuse(.writable(.plainValue), found: FoundValue.typedText(value))
        }
    }

    /// A value of a type whose JSON is a string.
    private mutating func text<Scalar: JSONScalar>(of value: Scalar) -> JSONValue {
        do { return try Scalar.plan.json(of: value) } catch {
            let expected = (error as? ConversionError)?.expectation
            return refuse(expected ?? .writable(.plainValue), found: FoundValue.typedText(value))
        }
    }

    private mutating func finite(_ number: JSONNumber?, _ value: Any) -> JSONValue {
        number.map { .number($0) } ?? refuse(.plain(.notFinite), found: FoundValue.typedText(value))
    }

    private mutating func json(_ list: [Any]) -> JSONValue {
        guard hasDepth else { return refuse(.plain(.depth), found: "an array") }
        var elements: [JSONValue] = []
        elements.reserveCapacity(list.count)
        for (index, element) in list.enumerated() { elements.append(json(element, at: .index(index))) }
        return .array(elements)
    }

    private mutating func json(_ members: [String: Any]) -> JSONValue {
        guard hasDepth else { return refuse(.plain(.depth), found: "an object") }
        var result = [String: JSONValue](minimumCapacity: members.count)
        if isSorted {
            for (key, value) in members.ordered(by: { $0.key < $1.key }) { result[key] = json(value, at: .key(key)) }
        } else {
            for (key, value) in members { result[key] = json(value, at: .key(key)) }
        }
        return .object(result)
    }

    /// The JSON of a part of a container.
    private mutating func json(_ value: Any, at step: JSONPath.Step) -> JSONValue {
        path.append(step)
        defer { path.removeLast() }
        return json(value)
    }

    /// Whether another container may be opened. The limit protects the stack.
    private var hasDepth: Bool { path.count < MappingOptions.maximumDepth && stack.isLeft }

    private mutating func refuse(_ expected: Expectation, found: String) -> JSONValue {
        if failures.count < limit { failures.append(PropertyFailure(expected, found, of: model, at: path)) }
        return .null
    }
}
