/// JSON values as plain Swift values, each part made once.
///
/// A rejected model can cause the model around it to be rejected, and so on; the value passed to each one's hook contains the
/// value passed to the previous hook.
struct PlainValues {
    private var builder = TreeBuilder<Plain>(keptLevels: 1)

    /// The value at the cursor, as ``JSONValue/any`` returns it; the cursor stays at `null`.
    mutating func value(_ reader: inout JSONReader) throws(Interruption) -> Any? {
        reader.byte == UInt8(ascii: "n") ? nil : try builder.value(&reader).any
    }

    private struct Plain: JSONTree {
        let any: Any

        private init(_ any: Any) { self.any = any }

        init(number: String) { any = JSONValue(number: number).any ?? JSONValue.plainNull }
        init(members: [String: Plain]) { any = members.mapValues(\.any) }

        static var null: Plain { Plain(JSONValue.plainNull) }
        static func bool(_ value: Bool) -> Plain { Plain(value) }
        static func string(_ value: String) -> Plain { Plain(value) }
        static func array(_ elements: [Plain]) -> Plain { Plain(elements.map(\.any)) }
    }
}

/// JSON objects as values; the objects inside one are made with it.
///
/// A class that chooses its subclass by a function is given the whole object, and so is each class inside it.
struct ObjectValues {
    private var builder = TreeBuilder<JSONValue>(keptLevels: .max)
    /// The end offset of the object that contains the others.
    private var end = 0

    /// The value of the object at the cursor.
    mutating func value(_ reader: JSONReader) throws(Interruption) -> JSONValue {
        var reader = reader
        if reader.offset >= end { builder = TreeBuilder(keptLevels: .max) }
        let value = try builder.value(&reader)
        end = max(end, reader.offset)
        return value
    }
}
