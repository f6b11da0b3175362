/// Arrays of scalars, read by a loop specialized for their type, without a closure call per element.
///
/// (Measured: without inlining here and in ``FloatingPointRounding``, arrays of numbers take 4 % more instructions.)
extension CommonScalar {
    static var arrayPlan: TypePlan<[Self]> { plainArrayPlan }

    /// The plan for arrays, which knows nothing of arrays of arrays.
    fileprivate static var plainArrayPlan: TypePlan<[Self]> {
        var plan = TypePlan<[Self]>.array(of: plan).withRead { reader, session, store throws(Interruption) in
            try readArray(&reader, session).isStored(by: store)
        }
        plan.write = { values, writer, session in
            session.writeArray(values, &writer) { value, writer in value.write(&writer, session) }
        }
        plan.isEqual = (==)
        plan.storage = arrayStorage(of: plan)
        return plan
    }

    static func readArray(_ reader: inout JSONReader, _ session: ReadingSink) throws(Interruption) -> [Self]? {
        try session.readArray(&reader, expected) { reader throws(Interruption) in try read(&reader, session) }
    }

    /// Reads one element of an array; nil if it does not fit, with a recorded issue.
    @inline(__always)
    fileprivate static func readElement(
        _ reader: inout JSONReader, _ session: ReadingSink
    ) throws(Interruption) -> Self? {
        let offset = reader.offset
        if let value = try read(&reader, session) { return value }
        session.noteSkipped(at: offset, expected)
        return nil
    }
}

extension ReadingSink {
    /// Reads the array at the cursor, or one element in its place. Elements that do not fit are left out and recorded.
    ///
    /// - Parameters:
    ///   - expected: What is expected of an element.
    ///   - read: Reads an element; nil if it does not fit, with a recorded issue.
    /// - Returns: nil, with a recorded issue, if there is no array at the cursor.
    @inline(__always)
    fileprivate func readArray<Element>(
        _ reader: inout JSONReader, _ expected: @autoclosure () -> Expectation,
        _ read: (inout JSONReader) throws(Interruption) -> Element?
    ) throws(Interruption) -> [Element]? {
        guard reader.byte == UInt8(ascii: "[") else { return try readSingle(&reader, read) }
        var values: [Element] = []
        guard try reader.openArray() else { return values }
        repeat {
            let offset = reader.offset
            if let value = try read(&reader) { values.append(value) } else { noteSkipped(at: offset, expected()) }
        } while try reader.nextElement()
        return values
    }
}

extension NestedScalar {
    static var arrayPlan: TypePlan<[Self]> {
        var plan = plainArrayPlan
        plan.arrayPlan = { nestedArrayPlan }
        return plan
    }

    private static var nestedArrayPlan: TypePlan<[[Self]]> {
        var plan = TypePlan<[[Self]]>.array(of: arrayPlan).withRead { reader, session, store throws(Interruption) in
            try session.readArray(&reader, .kind(.array)) { reader throws(Interruption) in
                try readArray(&reader, session)
            }.isStored(by: store)
        }
        plan.isEqual = (==)
        return plan
    }

    /// Arrays of up to three elements, such as positions and intervals, are allocated once, at their exact size.
    static func readArray(_ reader: inout JSONReader, _ session: ReadingSink) throws(Interruption) -> [Self]? {
        guard reader.byte == UInt8(ascii: "[") else {
            return try session.readSingle(&reader) { reader throws(Interruption) in try read(&reader, session) }
        }
        guard try reader.openArray() else { return [] }
        guard let first = try readElement(&reader, session) else {
            return try readElements(after: [], &reader, session)
        }
        guard try reader.nextElement() else { return [first] }
        guard let second = try readElement(&reader, session) else {
            return try readElements(after: [first], &reader, session)
        }
        guard try reader.nextElement() else { return [first, second] }
        guard let third = try readElement(&reader, session) else {
            return try readElements(after: [first, second], &reader, session)
        }
        return try readElements(after: [first, second, third], &reader, session)
    }

    /// Reads the remaining elements of an array, from the end of an element.
    @inline(__always)
    private static func readElements(
        after first: consuming [Self], _ reader: inout JSONReader, _ session: ReadingSink
    ) throws(Interruption) -> [Self] {
        var values = first
        while try reader.nextElement() {
            if let value = try readElement(&reader, session) { values.append(value) }
        }
        return values
    }
}
