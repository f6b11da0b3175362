extension JSONReader {
    /// What stands at the end of a path.
    enum Destination {
        /// A value, and the depth that is left for it.
        case value(offset: Int, depthLeft: Int)
        /// `null`, at the end of the path or on the way.
        case null(offset: Int)
        /// The container at the offset has no such key or index; the rest of the path from there.
        case missing(offset: Int, steps: [JSONPath.Step])
        /// The value at the offset should be a container and is something else.
        case notContainer(offset: Int, expected: String)
    }

    /// Follows a path from the value at the cursor, and passes that value, checking all of it.
    ///
    /// Of duplicate keys the last one counts.
    mutating func navigate(_ path: ArraySlice<JSONPath.Step>) throws(Interruption) -> Destination {
        let offset = offset
        guard let step = path.first else {
            let depth = depthLeft
            let isNull = byte == UInt8(ascii: "n")
            try skipValue()
            return isNull ? .null(offset: offset) : .value(offset: offset, depthLeft: depth)
        }
        if byte == UInt8(ascii: "n") {
            try readNull()
            return .null(offset: offset)
        }
        var destination = Destination.missing(offset: offset, steps: Array(path))
        switch step {
        case .key(let wanted) where byte == UInt8(ascii: "{"):
            guard try openObject() else { return destination }
            repeat {
                let key = try scanString()
                let isWanted = key.withBytes { $0.elementsEqual(wanted.utf8) }
                try colon()
                if isWanted { destination = try navigate(path.dropFirst()) } else { try skipValue() }
            } while try nextMember()
        case .index(let wanted) where byte == UInt8(ascii: "["):
            guard try openArray() else { return destination }
            var index = 0
            repeat {
                if index == wanted { destination = try navigate(path.dropFirst()) } else { try skipValue() }
                index += 1
            } while try nextElement()
        case .key:
            try skipValue()
            return .notContainer(offset: offset, expected: "an object")
        case .index:
            try skipValue()
            return .notContainer(offset: offset, expected: "an array")
        }
        return destination
    }
}
