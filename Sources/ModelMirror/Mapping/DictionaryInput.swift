#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Turns plain Swift values into JSON bytes, so that a dictionary takes the same way as a document.
struct DictionaryInput {
    private var bytes: [UInt8] = []
    private var path: [JSONPath.Step] = []
    private var failures: [PropertyFailure] = []
    private let model: AbstractModel.Type
    /// How many failures are kept.
    private let limit: Int

    /// The JSON of a value.
    ///
    /// - Throws: ``ModelError/invalidValues(_:)`` with the key path of each value that JSON cannot hold.
    static func json(
        from value: Any, for model: AbstractModel.Type, options: MappingOptions = .init()
    ) throws(ModelError) -> [UInt8] {
        var input = DictionaryInput(model: model, limit: max(options.failures ?? model.classOptions.failures ?? 100, 1))
        input.add(value)
        guard input.failures.isEmpty else { throw .invalidValues(input.failures) }
        return input.bytes
    }

    private init(model: AbstractModel.Type, limit: Int) {
        self.model = model
        self.limit = limit
    }

    private mutating func add(_ value: Any) {
        // Deeper than any document may be: the reader will refuse it, and the stack is safe.
        guard path.count <= MappingOptions.maximumDepth else { return refuse(value, "no deeper nesting") }
        switch value {
        case let json as JSONValue: add(json.compactText)
        case let number as JSONNumber: add(number.text)
        case let optional as any OptionalType:
            if let wrapped = optional.wrappedValue { add(wrapped) } else { add("null") }
        case let text as String: add(text.quotedForMessage)
        case let flag as Bool where type(of: value) == Bool.self || DictionaryInput.isFoundationBool(value):
            add(flag ? "true" : "false")
        case let list as [Any]: addList(list)
        case let members as [String: Any]: addMembers(members)
        default: addNumber(value)
        }
    }

    private mutating func add(_ text: String) { bytes += text.utf8 }

    /// Numbers of Swift and, through the bridge, of Foundation; and what is left.
    private mutating func addNumber(_ value: Any) {
        switch value {
        case let decimal as Decimal where type(of: value) == Decimal.self:
            if let number = JSONNumber(decimal) { add(number.text) } else { refuse(value, "a finite number") }
        // Before Double, which it also passes for: that would cost digits.
        case let decimal as Decimal where String(describing: type(of: value)) == "NSDecimalNumber":
            addNumber(JSONNumber(decimal), value)
        case let integer as any BinaryInteger: add("\(integer)")
        case let float as Float where type(of: value) == Float.self: addNumber(JSONNumber(float), value)
        case let double as Double where type(of: value) == Double.self: addNumber(JSONNumber(double), value)
        case let integer as Int: add("\(integer)")
        case let integer as UInt64: add("\(integer)")
        case let double as Double: addNumber(JSONNumber(double), value)
        case let decimal as Decimal: addNumber(JSONNumber(decimal), value)
        default:
            if String(describing: type(of: value)) == "NSNull" { return add("null") }
            refuse(value, "a value that JSON can hold")
        }
    }

    private mutating func addNumber(_ number: JSONNumber?, _ value: Any) {
        if let number { add(number.text) } else { refuse(value, "a finite number") }
    }

    private mutating func addList(_ list: [Any]) {
        add("[")
        for (index, element) in list.enumerated() {
            if index > 0 { add(",") }
            path.append(.index(index))
            add(element)
            path.removeLast()
        }
        add("]")
    }

    private mutating func addMembers(_ members: [String: Any]) {
        add("{")
        // Sorted, so that failures come in the same order every time.
        for (index, member) in members.sorted(by: { $0.key < $1.key }).enumerated() {
            if index > 0 { add(",") }
            add(member.key.quotedForMessage + ":")
            path.append(.key(member.key))
            add(member.value)
            path.removeLast()
        }
        add("}")
    }

    private mutating func refuse(_ value: Any, _ expected: String) {
        guard failures.count < limit else { return }
        let text = FoundValue.text(value)
        let found = text.hasPrefix("a value of type") ? text : "\(text) of type \(type(of: value))"
        failures.append(
            PropertyFailure(
                model: "\(model)", property: nil, path: JSONPath(path), line: nil, column: nil, offset: nil,
                expected: expected, found: found, underlying: nil))
    }

    /// Whether a value is one of Foundation's two Boolean numbers, which also pass for 1 and 0. The class has this name on
    /// every platform; it is not public.
    private static func isFoundationBool(_ value: Any) -> Bool {
        String(describing: type(of: value)) == "__NSCFBoolean"
    }
}
