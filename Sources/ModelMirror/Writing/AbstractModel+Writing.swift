public import ModelMirrorFoundation

extension AbstractModel {
    /// The object as plain Swift values, as in ``JSONValue/any``, which ``init(dictionary:options:)`` accepts.
    ///
    /// On Apple platforms, `JSONSerialization` accepts the result too. Numbers that neither `Int` nor `Double` can hold lose
    /// digits.
    ///
    /// - Throws: ``ModelError``, as ``MappedValue/jsonData(options:mapping:)``.
    public func jsonDictionary(
        options: WritingOptions = [], mapping: MappingOptions = .init()
    ) throws(ModelError) -> [String: Any] {
        try jsonValue(options: options, mapping: mapping).any as? [String: Any] ?? [:]
    }
}

/// Models, arrays and string-keyed dictionaries of models, Optionals, and what they nest.
extension MappedValue {
    /// The value as JSON; the members of a dictionary are sorted by key.
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
    public func jsonData(options: WritingOptions = [], mapping: MappingOptions = .init()) throws(ModelError) -> Data {
        try written(options, mapping).data()
    }

    /// The value as JSON text.
    ///
    /// - Throws: ``ModelError``, as ``MappedValue/jsonData(options:mapping:)``.
    public func jsonString(
        options: WritingOptions = [], mapping: MappingOptions = .init()
    ) throws(ModelError) -> String { try written(options, mapping).withBytes { String(decoding: $0, as: UTF8.self) } }

    /// The value as a JSON value.
    ///
    /// - Throws: ``ModelError``, as ``MappedValue/jsonData(options:mapping:)``.
    public func jsonValue(
        options: WritingOptions = [], mapping: MappingOptions = .init()
    ) throws(ModelError) -> JSONValue {
        try JSONValue(json: jsonData(options: options, mapping: mapping), options: .deepest)
    }

    private func written(_ options: WritingOptions, _ mapping: MappingOptions) throws(ModelError) -> JSONWriter {
        // The type first: to cast a dictionary to a class, Foundation on Linux bridges all of it recursively.
        if Self.self is AbstractModel.Type, let model = self as? AbstractModel {
            return try WritingSession.run(options, mapping, for: type(of: model)) { $1.write(model, &$0) }
        }
        let known = try Self.modelsPlan()
        return try WritingSession.run(options, mapping, for: known.model) { known.plan.write(self, &$0, $1) }
    }

    /// The plan of a type that holds models, by the rules of a call.
    static func modelsPlan(_ options: MappingOptions = .init()) throws(ModelError) -> KnownPlan<Self> {
        if let known = try? JSONMapper.plan(for: self, options), known.model != nil { return known }
        let reason = "it is neither a model nor an Optional, array or dictionary of models"
        throw .invalidModel(InvalidModel(self, reason))
    }
}

extension Array where Element: AbstractModel {
    /// The objects as plain Swift values, as in ``AbstractModel/jsonDictionary(options:mapping:)``.
    ///
    /// - Throws: ``ModelError``, as ``MappedValue/jsonData(options:mapping:)``.
    public func jsonDictionaries(
        options: WritingOptions = [], mapping: MappingOptions = .init()
    ) throws(ModelError) -> [[String: Any]] {
        try jsonValue(options: options, mapping: mapping).any as? [[String: Any]] ?? []
    }
}
