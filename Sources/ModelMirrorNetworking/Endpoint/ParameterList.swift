public import ModelMirror

/// Named values in a fixed order, written as a query, a form or the members of a JSON object.
///
/// ```swift
/// let list: ParameterList = ["q": text, "page": page, "tags": ["a", "b"], "since": date, "flag": nil]
/// let poll: ParameterList = ["poll": .object(["options": tags, "multiple": true]), "mixed": .array([1, "a"])]
/// let same = ParameterList(["q": "swift", "page": 2])  // page, q
/// ```
///
/// Values are `ParameterValue`s; nil omits the item. `JSONValue.null` is null in JSON; a query or form omits it, unless its
/// ``ParameterStyle`` has other ``ParameterStyle/nulls``. A literal keeps its order and may repeat a name; a dictionary is sorted by the
/// Unicode scalars of its names, so the order is the same on every machine.
///
/// A value that cannot be sent, such as a number that is not finite, fails the request with
/// ``RequestError/invalidRequest(_:)``, which names the parameter.
public struct ParameterList: Hashable, Sendable, ExpressibleByDictionaryLiteral, ParameterValue {
    struct Parameter: Hashable, Sendable {
        let name: String
        let value: JSONValue
    }

    private var parameters: [Parameter] = []
    /// Why a value cannot be sent, as a clause of a sentence.
    private var problem: String?

    /// Parameters in the order of the literal.
    public init(dictionaryLiteral elements: (String, (any ParameterValue)?)...) { self.init(elements) }

    /// Parameters sorted by name.
    public init(_ dictionary: [String: (any ParameterValue)?]) { self.init(dictionary.sortedByScalars) }

    /// Parameters in order.
    init(_ elements: [(String, (any ParameterValue)?)]) {
        for (name, value) in elements { append(value, named: name) }
    }

    /// Parameters whose types are known only at run time, sorted by name; nil is omitted, `NSNull` is null.
    ///
    /// - Throws: ``RequestError/invalidRequest(_:)`` naming the first parameter that is not a JSON value (see
    ///   `JSONValue.init(any:)`), with the reason.
    public init(any dictionary: [String: Any?]) throws(RequestError) {
        for case (let name, let value?) in dictionary.sortedByScalars {
            add(named: name) { try (value as? any ParameterValue) ?? JSONValue(any: value) }
        }
        _ = try sendable()
    }

    /// Appends a parameter and keeps others with the same name; nil appends nothing.
    public mutating func append(_ value: (any ParameterValue)?, named name: String) { add(named: name) { value } }

    private mutating func add(named name: String, _ value: () throws -> (any ParameterValue)?) {
        do {
            if let value = try value()?.parameterValue { parameters.append(Parameter(name: name, value: value)) }
        } catch {
            problem = problem ?? "the parameter \(name.debugDescription) cannot be sent: \(error)".withoutFullStop
        }
    }

    /// The parameters in order.
    ///
    /// - Throws: ``RequestError/invalidRequest(_:)`` for a value that cannot be sent.
    func sendable() throws(RequestError) -> [Parameter] {
        if let problem { throw .invalidRequest(problem) }
        return parameters
    }

    /// An object whose members are sorted when written; among parameters with the same name, the last wins.
    public var parameterValue: JSONValue? {
        get throws { .object(Dictionary(try sendable().map { ($0.name, $0.value) }) { _, last in last }) }
    }
}

/// Values of mixed types in a fixed order, as one parameter.
public struct ParameterArray: Sendable, ParameterValue {
    fileprivate let elements: [any ParameterValue]

    /// An array.
    public var parameterValue: JSONValue? { get throws { .array(try elements.compactMap { try $0.parameterValue }) } }
}

extension ParameterValue where Self == ParameterList {
    /// A nested object: `["poll": .object(["options": tags, "multiple": true])]`.
    public static func object(_ members: ParameterList) -> ParameterList { members }
}

extension ParameterValue where Self == ParameterArray {
    /// A nested array of the values that are not nil, of mixed types: `["values": .array([1, "a"])]`.
    public static func array(_ elements: [(any ParameterValue)?]) -> ParameterArray {
        ParameterArray(elements: elements.compactMap { $0 })
    }
}

extension Dictionary where Key == String {
    /// The members sorted by the Unicode scalars of their keys, independent of locale and Unicode version.
    var sortedByScalars: [(key: String, value: Value)] {
        sorted { $0.key.unicodeScalars.lexicographicallyPrecedes($1.key.unicodeScalars) }
    }
}
