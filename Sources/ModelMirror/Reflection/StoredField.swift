/// A stored property of a class, with what the runtime and `Mirror` say of it together.
struct StoredField {
    /// The name in Swift; for `@Observable` properties without the macro's underscore.
    let name: String
    let field: RuntimeField
    /// The number of the `Mirror` child, superclass first.
    let number: Int
    /// Why the field cannot be mapped, as the end of "which …"; nil if it can.
    let obstacle: String?

    /// - Parameter isObservable: Whether the field's own class level has an observation registrar.
    init(_ field: RuntimeField, number: Int, isObservable: Bool) {
        self.field = field
        self.number = number
        let isStorage = isObservable && field.name.hasPrefix("_") && !field.name.hasPrefix("_$")
        name = isStorage ? String(field.name.dropFirst()) : field.name
        obstacle = StoredField.obstacle(field)
    }

    /// Whether the field is the compiler's or a macro's own, which no rule can name.
    var isHidden: Bool { field.name.hasPrefix("$") || field.name.hasPrefix("_$") }

    private static func obstacle(_ field: RuntimeField) -> String? {
        if field.name.hasPrefix("$") || field.name.hasPrefix("_$") { return "belongs to the compiler" }
        if !field.isVar { return "is a let, which is never written; use private(set) var" }
        if !field.isStrong { return "is weak or unowned, which is never written; assign it in didMap()" }
        if TypeShape(field.type).isUnstorable {
            return "has the type \(TypeShape.name(field.type)), and functions and metatypes cannot be mapped; assign it in didMap()"
        }
        return nil
    }
}

/// What kind of type a field has, told by its printed name, since nothing else of the runtime is read.
struct TypeShape {
    /// Whether the type is a function, a metatype or `()` (which stands for a type that the runtime cannot resolve), or an
    /// Optional or a tuple of such. Values of these types are never touched: the runtime reports a wrong offset for
    /// metatypes, and function values change their form when written through a generic type.
    let isUnstorable: Bool

    init(_ type: Any.Type) {
        var type = type
        while let optional = type as? any OptionalType.Type { type = optional.wrappedType }
        isUnstorable = type == Void.self || TypeShape.isUnstorable(String(reflecting: type))
    }

    /// A type as it is written in source: `String?` rather than `Optional<String>`.
    static func name(_ type: Any.Type) -> String {
        guard let optional = type as? any OptionalType.Type else { return "\(type)" }
        let wrapped = name(optional.wrappedType)
        return wrapped.contains("->") ? "(\(wrapped))?" : "\(wrapped)?"
    }

    /// Judges a printed type name, which has no Optional around it.
    ///
    ///     (Swift.Int) -> ()              function: an arrow outside of brackets
    ///     @Sendable () -> ()             function
    ///     Swift.Int.Type                 metatype; also .Protocol
    ///     (Swift.Int, () -> ())          tuple: any arrow or metatype in it counts
    ///     Module.Box<() -> ()>           a nominal type, whatever its arguments
    static func isUnstorable(_ name: String) -> Bool {
        if name.hasSuffix(".Type") || name.hasSuffix(".Protocol") { return true }
        if name.hasPrefix("(") { return name.contains("->") || name.contains(".Type") || name.contains(".Protocol") }
        var depth = 0
        var previous: Character = " "
        for character in name {
            switch character {
            case "<", "(", "[": depth += 1
            case ">" where previous == "-":
                if depth == 0 { return true }
            case ">", ")", "]": depth -= 1
            default: break
            }
            previous = character
        }
        return false
    }
}
