/// A stored property of a class.
struct StoredField {
    /// The name in Swift; for `@Observable` properties, without the macro's underscore.
    let name: String
    let field: RuntimeField
    /// Whether it stores a property whose changes are observed.
    let isTracked: Bool
    /// The number of the `Mirror` child, superclass first.
    let number: Int
    /// Why the field cannot be mapped, as the end of "which …"; nil if it can. Such a field is left alone; a class with a rule that
    /// names it is refused.
    let obstacle: String?

    /// - Parameter isObservable: Whether the field's own class level has an observation registrar.
    init(_ field: RuntimeField, number: Int, isObservable: Bool) {
        self.field = field
        self.number = number
        // Raw identifiers come with their backticks, and with non-breaking spaces in place of spaces.
        let isRaw = field.name.hasPrefix("`") && field.name.hasSuffix("`") && field.name.count > 2
        let plain = isRaw ? String(field.name.dropFirst().dropLast().map { $0 == "\u{A0}" ? " " : $0 }) : field.name
        isTracked = isObservable && plain.hasPrefix("_") && !plain.hasPrefix("_$")
        name = isTracked ? String(plain.dropFirst()) : plain
        obstacle = StoredField.obstacle(field)
    }

    /// The name of the property whose wrapper's storage this would be: `_x` stores `@Wrapper var x`.
    var wrappedName: String { String(name.dropFirst()) }

    /// Whether the field was made by the compiler or a macro, so that no rule can name it.
    var isHidden: Bool { field.name.hasPrefix("$") || field.name.hasPrefix("_$") }

    private static func obstacle(_ field: RuntimeField) -> String? {
        if field.name.hasPrefix("$") || field.name.hasPrefix("_$") { return "belongs to the compiler" }
        if !field.isVar { return "is a let, which is never written; use private(set) var" }
        if !field.isStrong { return "is weak or unowned, which is never written; assign it in didMap()" }
        let shape = TypeShape(field.type)
        if shape.isNoncopyable { return "is of the noncopyable type \(field.type), which cannot be mapped" }
        if shape.isUnstorable {
            return
                "has the type \(TypeShape.name(field.type)), and functions and metatypes cannot be mapped; assign it in didMap()"
        }
        return nil
    }
}

/// The kind of a field's type, determined from its conformances and, if these do not suffice, from its printed name.
struct TypeShape {
    /// Whether the type is a function, a metatype or `()` (which stands for a type that the runtime cannot resolve), or an
    /// Optional or a tuple of these. Values of these types are never touched: the runtime reports a wrong offset for metatypes,
    /// and function values change their form when written through a generic type.
    let isUnstorable: Bool
    /// Whether values of the type cannot be copied, so that not even `Mirror` can read them: an argument of a generic class. (The
    /// runtime reports other fields of such types as `()`.)
    let isNoncopyable: Bool

    init(_ type: Any.Type) {
        var type = type
        while let optional = type as? any OptionalType.Type { type = optional.wrappedType }
        // Types recognised by their conformances need not be printed, which is slow.
        if type is any PlannedType.Type {
            (isUnstorable, isNoncopyable) = (false, false)
            return
        }
        // No function, tuple or metatype conforms to these; a user-defined type named `Type` may.
        isUnstorable =
            TypeShape.isUnstorable(String(reflecting: type))
            && !(type is any Equatable.Type || type is any Decodable.Type || type is any RawRepresentable.Type)
        isNoncopyable = !TypeShape.isCopyable(type)
    }

    /// Only the Optional of a Copyable type conforms.
    @inline(never)
    private static func isCopyable(_ type: Any.Type) -> Bool {
        func open<Value>(_: Value.Type) -> Bool { Optional<Value>.self as Any.Type is any OptionalType.Type }
        return open(type)
    }

    /// A type as it is written in source: `String?` rather than `Optional<String>`.
    static func name(_ type: Any.Type) -> String {
        guard let optional = type as? any OptionalType.Type else { return "\(type)" }
        let wrapped = name(optional.wrappedType)
        return wrapped.contains("->") ? "(\(wrapped))?" : "\(wrapped)?"
    }

    /// Whether a printed type name, without an Optional around it, is that of an unstorable type.
    ///
    ///     (Swift.Int) -> ()              function: an arrow outside brackets
    ///     @Sendable () -> ()             function
    ///     Swift.Int.Type                 metatype; also .Protocol
    ///     (Swift.Int, () -> ())          tuple: unstorable if an element is; so is ()
    ///     Module.Box<() -> ()>           a nominal type, whatever its arguments
    ///     Module.Type                    a nominal type with that name
    static func isUnstorable(_ name: String) -> Bool {
        let name = PrintedType(Array(name.utf8)[...])
        if name.hasArrow || name.isMetatype { return true }
        guard let elements = name.tupleElements else { return false }
        return elements.isEmpty || elements.contains { isUnstorable($0) }
    }
}

/// A printed type name, parsed only as far as needed to recognise functions, metatypes and tuples.
private struct PrintedType {
    private let text: ArraySlice<UInt8>
    /// The indices of the bytes that are not in brackets or a quoted name.
    private let outer: [Int]

    init(_ text: ArraySlice<UInt8>) {
        self.text = text
        var outer: [Int] = []
        var depth = 0
        var isQuoted = false
        for index in text.indices {
            let byte = text[index]
            if byte == UInt8(ascii: "`") { isQuoted.toggle() }
            guard !isQuoted else { continue }
            switch byte {
            case UInt8(ascii: "<"), UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"):
                if depth == 0 { outer.append(index) }
                depth += 1
            case UInt8(ascii: ">") where index > text.startIndex && text[index - 1] == UInt8(ascii: "-"):
                if depth == 0 { outer.append(index) }
            case UInt8(ascii: ">"), UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"):
                depth -= 1
                if depth == 0 { outer.append(index) }
            default: if depth == 0 { outer.append(index) }
            }
        }
        self.outer = outer
    }

    /// Whether there is an arrow outside brackets.
    var hasArrow: Bool {
        zip(outer, outer.dropFirst()).contains {
            text[$0] == UInt8(ascii: "-") && text[$1] == UInt8(ascii: ">") && $0 + 1 == $1
        }
    }

    /// Whether the name ends as those of metatypes do and is not that of a type so named: `Module.Type`, or, if it is private,
    /// `Module.(unknown context at $1).Type`.
    var isMetatype: Bool {
        let components = split(at: ".")
        guard let last = components.last, components.count > 1, last == "Type" || last == "Protocol" else {
            return false
        }
        let isOwnName =
            components[0] != "Any" && !components[0].hasPrefix("(") && !components[0].contains(" ")
            && components.dropFirst().dropLast().allSatisfy { $0.hasPrefix("(unknown context") }
        return !isOwnName
    }

    /// The types in a tuple, without labels and Optionals; nil if this is not a tuple.
    var tupleElements: [String]? {
        guard outer.first == text.startIndex, text.first == UInt8(ascii: "("), outer.count == 2, text.count > 1 else {
            return nil
        }
        let inner = text.dropFirst().dropLast()
        return inner.isEmpty ? [] : PrintedType(inner).split(at: ",").map { PrintedType.bare($0) }
    }

    private func split(at separator: Unicode.Scalar) -> [String] {
        var parts: [String] = []
        var start = text.startIndex
        for index in outer where text[index] == UInt8(ascii: separator) {
            parts.append(String(decoding: text[start..<index], as: UTF8.self))
            start = index + 1
        }
        return parts + [String(decoding: text[start...], as: UTF8.self)]
    }

    /// An element of a tuple without its label and the Optionals around it.
    private static func bare(_ element: String) -> String {
        let name = PrintedType(Array(element.utf8)[...])
        var text = element.drop { $0 == " " }
        if let label = name.split(at: ":").first, label.count < element.count,
            element.dropFirst(label.count).hasPrefix(": ")
        {
            text = element.dropFirst(label.count + 2)
        }
        while text.hasPrefix("Swift.Optional<"), text.hasSuffix(">") { text = text.dropFirst(15).dropLast() }
        return String(text)
    }
}
