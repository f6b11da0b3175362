package import ModelMirrorFoundation

/// Reads JSON without building values from it, for the other targets of the package.
package enum ValueReading {
    /// The number of elements in the array at a path, including those that ``MappingOptions/skipsInvalidElements`` or a
    /// ``DynamicTypeModel`` leaves out; 0 if the value is not an array.
    ///
    /// - Throws: ``ModelError/invalidJSON(_:)``, or ``ModelError/invalidValues(_:)`` if the path leads nowhere.
    package static func elementCount(in json: some JSONInput, at path: JSONPath) throws(ModelError) -> Int {
        try MappingSession.run(json, MappingCall(options: .deepest, path: path)) { reader, _ throws(Interruption) in
            var count = 0
            if reader.byte != UInt8(ascii: "[") {
                try reader.skipValue()
            } else if try reader.openArray() {
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
        _ = try MappingSession.run(json, MappingCall(options: options)) { reader, _ throws(Interruption) in
            try reader.skipValue()
            return true
        }
    }

    /// The bytes of the value at a path, unchanged; at the root, the whole text, unchecked.
    ///
    /// - Throws: ``ModelError/invalidJSON(_:)``, or ``ModelError/invalidValues(_:)`` if the path leads nowhere.
    package static func bytes(
        of json: Data, at path: JSONPath, options: MappingOptions = .init()
    ) throws(ModelError) -> Data {
        if path == .root { return json }
        return try MappingSession.run(json, MappingCall(options: options, path: path)) {
            reader, _ throws(Interruption) in
            let start = reader.cursor
            try reader.skipValue()
            return Data(UnsafeBufferPointer(start: start, count: reader.cursor - start))
        }.result
    }
}
