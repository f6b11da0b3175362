/// Header fields in the order in which they are sent; a name may occur more than once.
///
/// ```swift
/// var headers: HTTPHeaders = [.accept: "application/json", "X-Client": "tour"]
/// headers[.authorization] = "Bearer …"
/// headers["ACCEPT"]  // "application/json"
/// ```
///
/// Nothing is checked here; ``TransportRequest/validate()`` refuses names and values that cannot be sent.
public struct HTTPHeaders: Hashable, Sendable, ExpressibleByDictionaryLiteral {
    /// One header field.
    public struct Field: Hashable, Sendable {
        /// The name.
        public var name: HeaderName
        /// The value, without space around it.
        public var value: String

        /// A header field.
        public init(name: HeaderName, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The fields in their order.
    public private(set) var fields: [Field] = []

    /// No fields.
    public init() {}

    /// Fields in their order.
    public init(_ fields: [Field]) { self.fields = fields }

    /// Fields in the order of the literal.
    public init(dictionaryLiteral elements: (HeaderName, String)...) {
        fields = elements.map { Field(name: $0.0, value: $0.1) }
    }

    /// The value of a field; of several with one name, their values joined by ", " as RFC 9110 section 5.2 says.
    /// Setting replaces them all, in the place of the first; nil removes them.
    public subscript(name: HeaderName) -> String? {
        get {
            guard let first = fields.firstIndex(where: { $0.name == name }) else { return nil }
            // Almost always there is no other, and nothing to join.
            let others = fields[(first + 1)...].lazy.filter { $0.name == name }
            return others.reduce(fields[first].value) { $0 + ", " + $1.value }
        }
        set {
            let first = fields.firstIndex { $0.name == name }
            fields.removeAll { $0.name == name }
            guard let newValue else { return }
            fields.insert(Field(name: name, value: newValue), at: first ?? fields.endIndex)
        }
    }

    /// The values of all fields with a name, in their order: for `Set-Cookie`, whose values cannot be joined.
    public func values(for name: HeaderName) -> [String] {
        fields.lazy.filter { $0.name == name }.map(\.value)
    }

    /// Adds a field, whether or not there is one with its name.
    public mutating func append(_ value: String, for name: HeaderName) {
        fields.append(Field(name: name, value: value))
    }

    /// These fields, with those of `other` put in the place of the ones they share a name with.
    public func merging(_ other: HTTPHeaders) -> HTTPHeaders {
        if other.fields.isEmpty { return self }
        if fields.isEmpty { return other }
        let replaced = Set(other.fields.map(\.name))
        return HTTPHeaders(fields.filter { !replaced.contains($0.name) } + other.fields)
    }
}
