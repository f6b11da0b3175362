#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension AbstractModel {
    /// The object as JSON.
    ///
    /// Properties are written as they are read: converters reversed, key paths rebuilt as nested objects, the first of several keys
    /// used. The result reads back equal.
    ///
    /// ```swift
    /// let data = try gist.jsonData()                                  // {"id":"1","created_at":"2016-01-23T18:30:00Z"}
    /// let text = try gist.jsonString(options: [.pretty, .sortedKeys])
    /// ```
    ///
    /// - Throws: ``ModelError/invalidValues(_:)`` with the path of each value that JSON cannot hold (infinities, NaN, a reference
    ///   cycle, a value that a converter rejects, and with `.strict` a required property that is nil);
    ///   ``ModelError/invalidModel(_:)`` if a class cannot be mapped.
    public func jsonData(options: WritingOptions = []) throws(ModelError) -> Data {
        try written(options).data()
    }

    /// The object as JSON text.
    ///
    /// - Throws: ``ModelError``, as ``jsonData(options:)``.
    public func jsonString(options: WritingOptions = []) throws(ModelError) -> String {
        try written(options).withBytes { String(decoding: $0, as: UTF8.self) }
    }

    /// The object as a JSON value.
    ///
    /// - Throws: ``ModelError``, as ``jsonData(options:)``.
    public func jsonValue(options: WritingOptions = []) throws(ModelError) -> JSONValue {
        try JSONValue(json: jsonData(options: options), options: .deepest)
    }

    /// The object as plain Swift values, which ``init(dictionary:options:)`` accepts: `String`, `Bool`, `Int` (else `UInt64`,
    /// `Decimal`, `Double`), `[Any]`, `[String: Any]`, and `JSONValue.null` for written nulls.
    ///
    /// - Throws: ``ModelError``, as ``jsonData(options:)``.
    public func jsonDictionary(options: WritingOptions = []) throws(ModelError) -> [String: Any] {
        try jsonValue(options: options).any as? [String: Any] ?? [:]
    }

    private func written(_ options: WritingOptions) throws(ModelError) -> JSONWriter {
        try WritingSession.run(options, for: type(of: self)) { $1.write(self, &$0) }
    }
}

extension Array where Element: AbstractModel {
    /// The objects as a JSON array.
    ///
    /// - Throws: ``ModelError``, as ``AbstractModel/jsonData(options:)``.
    public func jsonData(options: WritingOptions = []) throws(ModelError) -> Data {
        try WritingSession.run(options, for: Element.self) { writer, session in
            writer.open("[")
            for object in self {
                writer.element()
                session.write(object, &writer)
            }
            writer.close("]")
        }.data()
    }
}

extension Dictionary where Key == String, Value: AbstractModel {
    /// The objects as the members of a JSON object, sorted by key.
    ///
    /// - Throws: ``ModelError``, as ``AbstractModel/jsonData(options:)``.
    public func jsonData(options: WritingOptions = []) throws(ModelError) -> Data {
        try WritingSession.run(options, for: Value.self) { writer, session in
            writer.open("{")
            for (key, object) in sorted(by: { $0.key.precedes($1.key) }) {
                writer.member(key)
                session.write(object, &writer)
            }
            writer.close("}")
        }.data()
    }
}
