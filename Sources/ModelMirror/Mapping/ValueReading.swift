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
        try JSONMapper.value(model, from: json, at: path, options: options)
    }

    /// Reads a value of any type that a property may have, as ``JSONMapper/value(_:from:at:options:)``.
    package static func value<Value>(
        _ type: Value.Type, from json: some JSONInput, at path: JSONPath = .root, options: MappingOptions = .init()
    ) throws(ModelError) -> Value {
        try JSONMapper.value(type, from: json, at: path, options: options)
    }

    /// Reads an array. Objects are read as by the initialiser of their array, so that the options and the errors of their class
    /// count.
    ///
    /// - Throws: ``ModelError``, as ``value(_:from:at:options:)`` and the initialisers of ``AbstractModel``.
    package static func elements<Element>(
        _ type: Element.Type, from json: some JSONInput, at path: JSONPath, options: MappingOptions
    ) throws(ModelError) -> [Element] {
        guard let model = type as? any MappedModel.Type else {
            return try JSONMapper.value([Element].self, from: json, at: path, options: options)
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
}
