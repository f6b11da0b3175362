#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension AbstractModel {
    /// The object as JSON.
    ///
    /// Properties are written as they are read: converters run in reverse, paths become nested objects, and the first of
    /// several keys is used. The result reads back equal.
    ///
    /// ```swift
    /// let data = try gist.jsonData()                                  // {"id":"1","created_at":"2016-01-23T18:30:00Z"}
    /// let text = try gist.jsonString(options: [.pretty, .sortedKeys])
    /// ```
    ///
    /// - Parameters:
    ///   - options: The layout, and what is written.
    ///   - mapping: Of these, the dates, keys, non-finite numbers, encoder and ``MappingOptions/writesNulls`` apply.
    /// - Throws: ``ModelError/invalidValues(_:)`` with the path of each value that JSON cannot hold (infinities, NaN, a reference
    ///   cycle, a value that a converter rejects, and with `.strict` a required property that is nil);
    ///   ``ModelError/invalidModel(_:)`` if a class cannot be mapped.
    public func jsonData(
        options: WritingOptions = [], mapping: MappingOptions = .init()
    ) throws(ModelError) -> Data {
        try written(options, mapping).data()
    }

    /// The object as JSON text.
    ///
    /// - Throws: ``ModelError``, as ``jsonData(options:mapping:)``.
    public func jsonString(
        options: WritingOptions = [], mapping: MappingOptions = .init()
    ) throws(ModelError) -> String {
        try written(options, mapping).withBytes { String(decoding: $0, as: UTF8.self) }
    }

    /// The object as a JSON value.
    ///
    /// - Throws: ``ModelError``, as ``jsonData(options:mapping:)``.
    public func jsonValue(
        options: WritingOptions = [], mapping: MappingOptions = .init()
    ) throws(ModelError) -> JSONValue {
        try JSONValue(json: jsonData(options: options, mapping: mapping), options: .deepest)
    }

    /// The object as plain Swift values, as in ``JSONValue/any``, which ``init(dictionary:options:)`` accepts.
    ///
    /// On Apple platforms, `JSONSerialization` accepts the result too. Numbers that neither `Int` nor `Double` can hold lose
    /// digits.
    ///
    /// - Throws: ``ModelError``, as ``jsonData(options:mapping:)``.
    public func jsonDictionary(
        options: WritingOptions = [], mapping: MappingOptions = .init()
    ) throws(ModelError) -> [String: Any] {
        try jsonValue(options: options, mapping: mapping).any as? [String: Any] ?? [:]
    }

    private func written(_ options: WritingOptions, _ mapping: MappingOptions) throws(ModelError) -> JSONWriter {
        try WritingSession.run(options, mapping, for: type(of: self)) { $1.write(self, &$0) }
    }
}

extension Array where Element: AbstractModel {
    /// The objects as a JSON array.
    ///
    /// - Throws: ``ModelError``, as ``AbstractModel/jsonData(options:mapping:)``.
    public func jsonData(options: WritingOptions = [], mapping: MappingOptions = .init()) throws(ModelError) -> Data {
        try written(options, mapping).data()
    }

    /// The objects as JSON text.
    ///
    /// - Throws: ``ModelError``, as ``jsonData(options:mapping:)``.
    public func jsonString(
        options: WritingOptions = [], mapping: MappingOptions = .init()
    ) throws(ModelError) -> String {
        try written(options, mapping).withBytes { String(decoding: $0, as: UTF8.self) }
    }

    /// The objects as a JSON value.
    ///
    /// - Throws: ``ModelError``, as ``jsonData(options:mapping:)``.
    public func jsonValue(
        options: WritingOptions = [], mapping: MappingOptions = .init()
    ) throws(ModelError) -> JSONValue {
        try JSONValue(json: jsonData(options: options, mapping: mapping), options: .deepest)
    }

    /// The objects as plain Swift values, as in ``AbstractModel/jsonDictionary(options:mapping:)``.
    ///
    /// - Throws: ``ModelError``, as ``jsonData(options:mapping:)``.
    public func jsonDictionaries(
        options: WritingOptions = [], mapping: MappingOptions = .init()
    ) throws(ModelError) -> [[String: Any]] {
        try jsonValue(options: options, mapping: mapping).any as? [[String: Any]] ?? []
    }

    private func written(_ options: WritingOptions, _ mapping: MappingOptions) throws(ModelError) -> JSONWriter {
        try WritingSession.run(options, mapping, for: Element.self) { writer, session in
            writer.open("[")
            for object in self {
                writer.element()
                session.write(object, &writer)
            }
            writer.close("]")
        }
    }
}

extension Dictionary where Key == String, Value: AbstractModel {
    /// The objects as the members of a JSON object, sorted by key.
    ///
    /// - Throws: ``ModelError``, as ``AbstractModel/jsonData(options:mapping:)``.
    public func jsonData(options: WritingOptions = [], mapping: MappingOptions = .init()) throws(ModelError) -> Data {
        try written(options, mapping).data()
    }

    /// The objects as JSON text.
    ///
    /// - Throws: ``ModelError``, as ``jsonData(options:mapping:)``.
    public func jsonString(
        options: WritingOptions = [], mapping: MappingOptions = .init()
    ) throws(ModelError) -> String {
        try written(options, mapping).withBytes { String(decoding: $0, as: UTF8.self) }
    }

    /// The objects as a JSON value.
    ///
    /// - Throws: ``ModelError``, as ``jsonData(options:mapping:)``.
    public func jsonValue(
        options: WritingOptions = [], mapping: MappingOptions = .init()
    ) throws(ModelError) -> JSONValue {
        try JSONValue(json: jsonData(options: options, mapping: mapping), options: .deepest)
    }

    private func written(_ options: WritingOptions, _ mapping: MappingOptions) throws(ModelError) -> JSONWriter {
        try WritingSession.run(options, mapping, for: Value.self) { writer, session in
            writer.open("{")
            for (key, object) in sorted(by: { $0.key.precedes($1.key) }) {
                writer.member(key)
                session.write(object, &writer)
            }
            writer.close("}")
        }
    }
}
