public import ModelMirror

/// Named values in a fixed order, from which a query, a form or the members of a JSON object are made.
///
/// A literal keeps its order, and may name a parameter more than once; a dictionary, which has no order, is sorted by
/// name (by Unicode scalars, the same on every machine).
///
/// ```swift
/// let list: ParameterList = ["q": "swift", "page": 2, "tags": ["a", "b"], "since": nil]
/// let same = ParameterList(["q": "swift", "page": 2])  // page, q
/// ```
public struct ParameterList: Hashable, Sendable, ExpressibleByDictionaryLiteral {
    /// One named value.
    public struct Parameter: Hashable, Sendable {
        /// The name, not escaped.
        public var name: String
        /// The value.
        public var value: JSONValue

        /// A named value.
        public init(name: String, value: JSONValue) {
            self.name = name
            self.value = value
        }
    }

    /// The parameters in their order.
    public private(set) var parameters: [Parameter]

    /// Parameters in their order.
    public init(_ parameters: [Parameter]) { self.parameters = parameters }

    /// Parameters in the order of the literal.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        parameters = elements.map { Parameter(name: $0.0, value: $0.1) }
    }

    /// Parameters sorted by name.
    public init(_ dictionary: [String: JSONValue]) {
        parameters = dictionary.sortedByScalars.map { Parameter(name: $0.key, value: $0.value) }
    }

    /// Adds a parameter at the end, whether or not there is one with its name.
    public mutating func append(_ value: JSONValue, named name: String) {
        parameters.append(Parameter(name: name, value: value))
    }
}

extension Dictionary where Key == String {
    /// The members sorted by the Unicode scalars of their keys, which no locale or version of Unicode changes.
    var sortedByScalars: [(key: String, value: Value)] {
        sorted { $0.key.unicodeScalars.lexicographicallyPrecedes($1.key.unicodeScalars) }
    }
}
