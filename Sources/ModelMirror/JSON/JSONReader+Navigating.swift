extension JSONReader {
    enum Destination {
        /// A value, and the depth left for it.
        case value(offset: Int, depthLeft: Int)
        /// `null`, at the end of the path or before it.
        case null(offset: Int)
        /// The container at the offset has no such key or index; `steps` is the rest of the path.
        case missing(offset: Int, steps: [JSONPath.Step])
        /// The value at the offset is not the expected container.
        case notContainer(offset: Int, expected: JSONKind)

        /// Whether a value on the way is not the expected container.
        var isBlocked: Bool { if case .notContainer = self { true } else { false } }
    }

    /// Follows a path from the value at the cursor, and skips and checks all of that value.
    ///
    /// Of duplicate keys the last wins.
    mutating func navigate(_ path: ArraySlice<JSONPath.Step>) throws(Interruption) -> Destination {
        try navigate(path) { reader throws(Interruption) in try reader.skipValue() }
    }

    /// The same for containers that may be skipped more than once.
    mutating func navigate(
        _ path: ArraySlice<JSONPath.Step>, _ known: inout ContainerEnds
    ) throws(Interruption) -> Destination {
        try navigate(path) { reader throws(Interruption) in try reader.skipValue(&known) }
    }

    private mutating func navigate(
        _ path: ArraySlice<JSONPath.Step>, _ skip: (inout JSONReader) throws(Interruption) -> Void
    ) throws(Interruption) -> Destination {
        let offset = offset
        guard let step = path.first else {
            let depth = depthLeft
            let isNull = byte == UInt8(ascii: "n")
            try skip(&self)
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
                if isWanted { destination = try navigate(path.dropFirst(), skip) } else { try skip(&self) }
            } while try nextMember()
        case .index(let wanted) where byte == UInt8(ascii: "["):
            guard try openArray() else { return destination }
            var index = 0
            repeat {
                if index == wanted { destination = try navigate(path.dropFirst(), skip) } else { try skip(&self) }
                index += 1
            } while try nextElement()
        case .key:
            try skip(&self)
            return .notContainer(offset: offset, expected: .object)
        case .index:
            try skip(&self)
            return .notContainer(offset: offset, expected: .array)
        }
        return destination
    }
}

extension JSONReader {
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
            var rest: [ArraySlice<JSONPath.Step>] = []
            if isObject {
                let key = try scanString().string
                try colon()
                rest = onward.filter { $0.first == .key(key) }
            } else {
                rest = onward.filter { $0.first == .index(index) }
                index += 1
            }
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

    /// Skips and checks one value of any kind and depth, without recursion.
    ///
    /// The kind of the open container at each level is one bit on a stack, 1 for an object. The first 64 levels are one machine
    /// word.
    mutating func skipValue() throws(Interruption) {
        guard byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") else {
            return try skipScalar()
        }
        var levels = LevelStack()
        var isObject = false
        repeat {
            // At a value.
            if byte == UInt8(ascii: "{") {
                levels.push(isObject)
                isObject = true
                if try openObject() {
                    try skipKey()
                    continue
                }
                isObject = levels.pop()
            } else if byte == UInt8(ascii: "[") {
                levels.push(isObject)
                isObject = false
                if try openArray() { continue }
                isObject = levels.pop()
            } else {
                try skipScalar()
            }
            // After a value: close the containers that end here.
            while levels.count > 0 {
                if isObject {
                    if try nextMember() {
                        try skipKey()
                        break
                    }
                } else if try nextElement() {
                    break
                }
                isObject = levels.pop()
            }
        } while levels.count > 0
    }

    @inline(__always)
    mutating func skipKey() throws(Interruption) {
        _ = try scanString()
        try colon()
    }

    /// Skips and checks a string, number, `true`, `false` or `null`.
    @inline(__always)
    mutating func skipScalar() throws(Interruption) {
        switch byte {
        case UInt8(ascii: "\""): _ = try scanString()
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            if readShortInteger() == nil { _ = try scanNumber() }
        case UInt8(ascii: "t"), UInt8(ascii: "f"): _ = try readBool()
        case UInt8(ascii: "n"): try readNull()
        default: throw expected(.value)
        }
    }
}

private struct LevelStack {
    private(set) var count = 0
    private var top: UInt64 = 0
    private var full: [UInt64] = []

    @inline(__always)
    mutating func push(_ bit: Bool) {
        if count & 63 == 0, count > 0 { full.append(top) }
        top = top << 1 | (bit ? 1 : 0)
        count += 1
    }

    @inline(__always)
    mutating func pop() -> Bool {
        let bit = top & 1 == 1
        top >>= 1
        count -= 1
        if count & 63 == 0, let word = full.popLast() { top = word }
        return bit
    }
}
