#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// Reads values of any type, for the other targets of the package.
package enum ValueReading {
    /// Makes an object of a class, or of the subclass that the JSON names, if the class is a ``DynamicTypeModel``.
    ///
    /// - Throws: ``ModelError``, as the initialisers of ``AbstractModel``.
    package static func object<Model: AbstractModel>(
        _ model: Model.Type, from json: some JSONInput, at path: JSONPath, options: MappingOptions
    ) throws(ModelError) -> Model {
        try MappingSession.run(
            json, at: path, for: model, classOptions: model.classOptions, options: options,
            body: model.modelCodec().value
        ).result
    }

    /// Reads a value of any type that a property may have.
    ///
    /// A type to which `null` is a value (an Optional, ``JSONValue``) takes it too where the path leads nowhere, and for an
    /// empty document.
    ///
    /// - Throws: ``ModelError``: the syntax error if there is one, else all failures; ``ModelError/invalidModel(_:)`` if
    ///   nothing converts the type.
    package static func value<Value>(
        _ type: Value.Type, from json: some JSONInput, at path: JSONPath = .root, options: MappingOptions = .init()
    ) throws(ModelError) -> Value {
        let codec = try codec(for: type)
        guard codec.acceptsNull else { return try read(codec, from: json, at: path, options) }
        switch try place(in: json, at: path, options) {
        case .value: return try read(codec, from: json, at: path, options)
        case .nothing: return try read(codec, from: "null", at: .root, options)
        }
    }

    /// Reads an array. Objects are read as by the initialiser of their array, so that the options and the errors of their class
    /// count.
    ///
    /// - Throws: ``ModelError``, as ``value(_:from:at:options:)`` and the initialisers of ``AbstractModel``.
    package static func elements<Element>(
        _ type: Element.Type, from json: some JSONInput, at path: JSONPath, options: MappingOptions
    ) throws(ModelError) -> [Element] {
        guard let model = type as? any MappedModel.Type else {
            return try value([Element].self, from: json, at: path, options: options)
        }
        return try objects(model, from: json, at: path, options: options)
    }

    /// - Parameter model: The class that `Element` is, opened from it by the only caller, so that the cast cannot fail.
    private static func objects<Model: MappedModel, Element>(
        _ model: Model.Type, from json: some JSONInput, at path: JSONPath, options: MappingOptions
    ) throws(ModelError) -> [Element] {
        try [Model](json: json, at: path, options: options) as! [Element]
    }

    /// The count of the elements of the array that a path leads to, those included that ``MappingOptions/skipsInvalidElements``
    /// or a ``DynamicTypeModel`` leaves out; 0 for what is no array.
    ///
    /// - Throws: ``ModelError/invalidJSON(_:)``, or that the path leads nowhere.
    package static func elementCount(in json: some JSONInput, at path: JSONPath) throws(ModelError) -> Int {
        try MappingSession.run(json, at: path, options: .deepest) { reader, _ throws(Interruption) in
            var count = 0
            guard reader.byte == UInt8(ascii: "[") else {
                try reader.skipValue()
                return count
            }
            if try reader.openArray() {
                repeat {
                    try reader.skipValue()
                    count += 1
                } while try reader.nextElement()
            }
            return count
        }.result
    }

    /// Checks that a text is JSON.
    ///
    /// - Throws: ``ModelError/invalidJSON(_:)``.
    package static func check(_ json: some JSONInput, options: MappingOptions) throws(ModelError) {
        _ = try MappingSession.run(json, options: options) { reader, _ throws(Interruption) in
            try reader.skipValue()
            return true
        }
    }

    /// The bytes of the value that a path leads to, as they stand in a text; the whole text, unread, at the root.
    ///
    /// - Throws: ``ModelError``: the syntax error if there is one, else that the path leads nowhere.
    package static func bytes(
        of json: Data, at path: JSONPath, options: MappingOptions = .init()
    ) throws(ModelError) -> Data {
        if path == .root { return json }
        return try MappingSession.run(json, at: path, options: options) { reader, _ throws(Interruption) in
            let start = reader.cursor
            try reader.skipValue()
            return Data(UnsafeBufferPointer(start: start, count: reader.cursor - start))
        }.result
    }

    private enum Place {
        case value, nothing
    }

    /// Whether a path leads to a value other than `null`. A scalar on the way is a value too, so that it is refused.
    private static func place(
        in json: some JSONInput, at path: JSONPath, _ options: MappingOptions
    ) throws(ModelError) -> Place {
        if json.reading({ $1 }) == 0 { return .nothing }
        guard !path.steps.isEmpty else { return .value }
        return try MappingSession.run(json, options: options) { reader, _ throws(Interruption) in
            switch try reader.navigate(path.steps[...]) {
            case .value, .notContainer: Place.value
            case .null, .missing: Place.nothing
            }
        }.result
    }

    private static func read<Value>(
        _ codec: ValueCodec<Value>, from json: some JSONInput, at path: JSONPath, _ options: MappingOptions
    ) throws(ModelError) -> Value {
        try MappingSession.run(json, at: path, options: options) { reader, session throws(Interruption) in
            let value = try codec.value(&reader, session)
            if codec.isCollection, value != nil, options.skipsInvalidElements == true { session.reportFindings() }
            return value
        }.result
    }

    private static func codec<Value>(for type: Value.Type) throws(ModelError) -> ValueCodec<Value> {
        let codec: ValueCodec<Value>?
        do throws(InvalidModel) { codec = try CodecBuilder().codec(for: type) } catch { throw .invalidModel(error) }
        guard let codec else {
            throw .invalidModel(
                InvalidModel(
                    model: TypeShape.name(type), property: nil,
                    reason: "nothing converts it from JSON; make it JSONConvertible or Decodable"))
        }
        return codec
    }
}
