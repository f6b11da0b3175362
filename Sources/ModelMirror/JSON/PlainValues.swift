/// JSON values as plain Swift values, each part made once.
///
/// A rejected model can cause the model around it to be rejected, and so on; the value passed to each one's hook contains the
/// value passed to the previous hook.
struct PlainValues {
    /// A container that was made: the offset of its end, its value and its depth.
    private typealias Made = (end: Int, value: Any, depth: Int)

    /// Containers by their offsets.
    private var made = [Int: Made]()

    /// Reads the value at the cursor, as ``JSONValue/any`` returns it, without recursion.
    mutating func value(_ reader: inout JSONReader) throws(Interruption) -> Any? {
        guard reader.byte == UInt8(ascii: "{") || reader.byte == UInt8(ascii: "[") else {
            // Most refused values are strings.
            return try reader.byte == UInt8(ascii: "\"") ? reader.readString() : JSONValue(&reader).any
        }
        let start = reader.offset
        let container = try container(&reader)
        made[start] = container
        return container.value
    }

    private mutating func container(_ reader: inout JSONReader) throws(Interruption) -> Made {
        var open: [OpenContainer] = []
        var levels = JSONValue.freeLevels
        var value: Any = JSONValue.plainNull
        var depth = 0
        repeat {
            // At a value.
            let known = made.isEmpty ? nil : made.removeValue(forKey: reader.offset)
            depth = known?.depth ?? 0
            if open.count + depth >= levels {
                levels = StackRoom().levels(of: JSONValue.bytesOfLevel)
                if open.count + depth >= levels { throw reader.expected(.lessStack) }
            }
            if let known {
                reader.offset = known.end
                value = known.value
            } else if reader.byte == UInt8(ascii: "{") {
                if try reader.openObject() {
                    open.append(OpenContainer(key: try reader.readKey()))
                    continue
                }
                (value, depth) = ([String: Any](), 1)
            } else if reader.byte == UInt8(ascii: "[") {
                if try reader.openArray() {
                    open.append(OpenContainer(key: nil))
                    continue
                }
                (value, depth) = ([Any](), 1)
            } else {
                value = try JSONValue(&reader).any ?? JSONValue.plainNull
            }
            // After a value: it is added to the open container, which may end with it, and so on.
            while let last = open.indices.last, try open[last].add(value, depth, &reader) {
                let container = open.removeLast()
                (value, depth) = (container.value, container.depth)
            }
        } while !open.isEmpty
        return (reader.offset, value, depth)
    }

    /// A container being read. Changed in place.
    private struct OpenContainer {
        /// The key of the member being read; nil in an array.
        var key: String?
        private var elements: [Any] = []
        private var members: [String: Any] = [:]
        /// The levels of containers, this one included.
        private(set) var depth = 1

        init(key: String?) { self.key = key }

        var value: Any { key == nil ? elements : members }

        /// Adds a value and moves to the next one.
        ///
        /// - Returns: whether the container ended.
        mutating func add(_ value: Any, _ depth: Int, _ reader: inout JSONReader) throws(Interruption) -> Bool {
            self.depth = max(self.depth, depth + 1)
            guard let key else {
                elements.append(value)
                return !(try reader.nextElement())
            }
            members[key] = value
            guard try reader.nextMember() else { return true }
            self.key = try reader.readKey()
            return false
        }
    }
}

/// JSON objects as values; the objects inside one are made with it.
///
/// A class that chooses its subclass by a function is given the whole object, and so is each class inside it.
struct ObjectValues {
    private var made = [Int: JSONValue]()
    /// The end offset of the object that contains the others.
    private var end = 0

    /// The value of the object at the cursor.
    mutating func value(_ reader: JSONReader) throws(Interruption) -> JSONValue {
        if reader.offset < end, let known = made.removeValue(forKey: reader.offset) { return known }
        var reader = reader
        var objects: [Int: JSONValue]? = [:]
        let start = reader.offset
        let value = try JSONValue(&reader, objects: &objects)
        (made, end) = (objects ?? [:], reader.offset)
        made[start] = nil
        return value
    }
}
