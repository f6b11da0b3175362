extension JSONReader {
    enum Destination {
        /// A value, and the depth left for it.
        case value(offset: Int, depthLeft: Int)
        /// `null`, at the end of the path or before it.
        case null(offset: Int, isAtEnd: Bool)
        /// The container at the offset has no such key or index; `steps` is the rest of the path.
        case missing(offset: Int, steps: [JSONPath.Step])
        /// The value at the offset is not the expected container.
        case notContainer(offset: Int, expected: JSONKind)

        /// The start of the value, of the container that lacks it, or of the value that ends the path too early.
        var offset: Int {
            switch self {
            case .value(let offset, _), .null(let offset, _), .missing(let offset, _), .notContainer(let offset, _):
                offset
            }
        }

        /// Whether a value on the way is not the expected container.
        var isBlocked: Bool { if case .notContainer = self { true } else { false } }
    }

    /// Follows a path from the value at the cursor, and skips and checks all of that value.
    ///
    /// Of duplicate keys the last wins.
    mutating func navigate(_ path: ArraySlice<JSONPath.Step>) throws(Interruption) -> Destination {
        var skipping = Skipping()
        return try navigate(path, &skipping)
    }

    /// The same for containers that may be skipped more than once.
    ///
    /// - Parameter skip: Skips what is not on the path.
    mutating func navigate(
        _ path: ArraySlice<JSONPath.Step>, _ skip: inout some ValueVisitor
    ) throws(Interruption) -> Destination {
        let offset = offset
        guard let step = path.first else {
            let depth = depthLeft
            let isNull = byte == UInt8(ascii: "n")
            try walk(&skip)
            return isNull ? .null(offset: offset, isAtEnd: true) : .value(offset: offset, depthLeft: depth)
        }
        if byte == UInt8(ascii: "n") {
            try readNull()
            return .null(offset: offset, isAtEnd: false)
        }
        var destination = Destination.missing(offset: offset, steps: Array(path))
        switch step {
        case .key(let wanted) where byte == UInt8(ascii: "{"):
            guard try openObject() else { return destination }
            repeat {
                let key = try scanString()
                let isWanted = key.withBytes { $0.elementsEqual(wanted.utf8) }
                try colon()
                if isWanted { destination = try navigate(path.dropFirst(), &skip) } else { try walk(&skip) }
            } while try nextMember()
        case .index(let wanted) where byte == UInt8(ascii: "["):
            guard try openArray() else { return destination }
            var index = 0
            repeat {
                if index == wanted { destination = try navigate(path.dropFirst(), &skip) } else { try walk(&skip) }
                index += 1
            } while try nextElement()
        case .key, .index:
            let kind: JSONKind = if case .key = step { .object } else { .array }
            try walk(&skip)
            return .notContainer(offset: offset, expected: kind)
        }
        return destination
    }

    /// Skips and checks the value at the cursor.
    ///
    /// - Parameter paths: Paths from the value, none of them empty.
    /// - Returns: The offsets of the values of members that belong to an object on a path, but are on no path themselves.
    mutating func skipValue(
        findingMembersBeside paths: [ArraySlice<JSONPath.Step>], _ known: inout ContainerEnds
    ) throws(Interruption) -> [Int] {
        let (isObject, isArray) = (byte == UInt8(ascii: "{"), byte == UInt8(ascii: "["))
        let onward = paths.filter { if case .key? = $0.first { isObject } else { isArray } }
        var found: [Int] = []
        guard !onward.isEmpty, try isObject ? openObject() : openArray() else {
            if onward.isEmpty { try skipValue(&known) }
            return found
        }
        var index = 0
        repeat {
            let step: JSONPath.Step = try isObject ? .key(readKey()) : .index(index)
            // By their bytes, as everywhere.
            let rest = onward.filter { $0.first == step && $0.first?.text.utf8.elementsEqual(step.text.utf8) == true }
            index += 1
            let offset = offset
            if rest.isEmpty || rest.contains(where: { $0.count == 1 }) {
                try skipValue(&known)
                if rest.isEmpty, isObject { found.append(offset) }
            } else {
                found += try skipValue(findingMembersBeside: rest.map { $0.dropFirst() }, &known)
            }
        } while try isObject ? nextMember() : nextElement()
        return found
    }
}
