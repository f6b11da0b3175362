public import ModelMirror

/// Named values in a fixed order, from which a query, a form or the members of a JSON object are made.
///
/// ```swift
/// let list: ParameterList = ["q": text, "page": page, "tags": ["a", "b"], "since": date, "flag": nil]
/// let poll: ParameterList = ["poll": .object(["options": tags, "multiple": true]), "mixed": .array([1, "a"])]
/// let same = ParameterList(["q": "swift", "page": 2])  // page, q
/// ```
///
/// Values are ``ParameterValue``s; nil leaves the item out, `JSONValue.null` sends null. A literal keeps its order, and may name a
/// parameter more than once; a dictionary is sorted by name (by Unicode scalars, the same on every machine).
///
/// A value that cannot be sent, such as a number that is not finite, fails the request with
/// ``RequestError/invalidRequest(_:)`` that names the parameter.
public struct ParameterList: Hashable, Sendable, ExpressibleByDictionaryLiteral, ParameterValue {
    /// One named value.
    struct Parameter: Hashable, Sendable {
        let name: String
        let value: JSONValue
    }

    private var parameters: [Parameter] = []
    /// Why a value cannot be sent: a clause of a sentence.
    private var problem: String?

    /// Parameters in the order of the literal.
    public init(dictionaryLiteral elements: (String, (any ParameterValue)?)...) {
        for (name, value) in elements { append(value, named: name) }
    }

    /// Parameters sorted by name.
    public init(_ dictionary: [String: (any ParameterValue)?]) {
        for (name, value) in dictionary.sortedByScalars { append(value, named: name) }
    }

    /// Parameters of values whose types are only known at run time, sorted by name; nil is left out, `NSNull` is null.
    ///
    /// - Throws: ``RequestError/invalidRequest(_:)`` with the name of the first parameter that is no JSON value (see
    ///   `JSONValue.init(any:)`), and what is wrong with it.
    public init(any dictionary: [String: Any?]) throws(RequestError) {
        for case (let name, let value?) in dictionary.sortedByScalars {
            do {
                append(try (value as? any ParameterValue) ?? JSONValue(any: value), named: name)
            } catch {
                note(error, named: name)
            }
        }
        _ = try sendable()
    }

    /// Appends a parameter, whether or not there is one with its name; nil appends nothing.
    public mutating func append(_ value: (any ParameterValue)?, named name: String) {
        do {
            if let value = try value?.parameterValue { parameters.append(Parameter(name: name, value: value)) }
        } catch {
            note(error, named: name)
        }
    }

    private mutating func note(_ error: any Error, named name: String) {
        problem = problem ?? "the parameter \(name.debugDescription) cannot be sent: \(error)".withoutFullStop
    }

    /// Whether there are no parameters.
    var isEmpty: Bool { parameters.isEmpty && problem == nil }

    /// The parameters in their order.
    ///
    /// - Throws: ``RequestError/invalidRequest(_:)`` for a value that cannot be sent.
    func sendable() throws(RequestError) -> [Parameter] {
        if let problem { throw .invalidRequest(problem) }
        return parameters
    }

    /// An object, whose members are sorted where they are written; of parameters with one name the last one.
    public var parameterValue: JSONValue? {
        get throws { .object(Dictionary(try sendable().map { ($0.name, $0.value) }) { _, last in last }) }
    }
}

/// Values in a fixed order, of any mixture of types, as one parameter.
public struct ParameterArray: Sendable, ExpressibleByArrayLiteral, ParameterValue {
    private let elements: [any ParameterValue]

    /// An array of the values that are not nil.
    public init(arrayLiteral elements: (any ParameterValue)?...) { self.elements = elements.compactMap { $0 } }

    /// An array.
    public var parameterValue: JSONValue? { get throws { .array(try elements.compactMap { try $0.parameterValue }) } }
}

extension ParameterValue where Self == ParameterList {
    /// A nested object: `["poll": .object(["options": tags, "multiple": true])]`.
    public static func object(_ members: ParameterList) -> ParameterList { members }
}

extension ParameterValue where Self == ParameterArray {
    /// A nested array of mixed values: `["values": .array([1, "a"])]`.
    public static func array(_ elements: ParameterArray) -> ParameterArray { elements }
}

extension Dictionary where Key == String {
    /// The members sorted by the Unicode scalars of their keys, which no locale or version of Unicode changes.
    var sortedByScalars: [(key: String, value: Value)] {
        sorted { $0.key.unicodeScalars.lexicographicallyPrecedes($1.key.unicodeScalars) }
    }
}

extension String {
    /// The text without a full stop at its end, to go on behind it.
    var withoutFullStop: String { hasSuffix(".") ? String(dropLast()) : self }
}
