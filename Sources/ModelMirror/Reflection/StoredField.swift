/// A stored property of a class.
struct StoredField {
    /// The name in Swift; for `@Observable` properties, without the macro's underscore.
    let name: String
    let field: RuntimeField
    /// Whether it stores a property whose changes are observed.
    let isTracked: Bool
    /// Reads the `Mirror` child, on demand; nil if there is none.
    let child: () -> Mirror.Child?
    /// Why the field cannot be mapped, as the end of "which …"; nil if it can. Such a field is left alone; a class with a rule that
    /// names it is refused.
    let obstacle: String?
    /// How the property is mapped whose wrapper this stores; nil if this is the property itself.
    var wrapper: PropertyTableBuilder.WrapperStorage?

    /// - Parameters:
    ///   - isObservable: Whether the field's own class level has an observation registrar.
    ///   - obstacle: Why it is not mapped; nil to decide by its type.
    init(
        _ field: RuntimeField, isObservable: Bool, obstacle: String? = nil,
        child: @escaping () -> Mirror.Child? = { nil }
    ) {
        self.field = field
        self.child = child
        // Raw identifiers come with their backticks, and with non-breaking spaces in place of spaces.
        let isRaw = field.name.hasPrefix("`") && field.name.hasSuffix("`") && field.name.count > 2
        let plain = isRaw ? String(field.name.dropFirst().dropLast().map { $0 == "\u{A0}" ? " " : $0 }) : field.name
        isTracked = isObservable && plain.hasPrefix("_") && !plain.hasPrefix("_$")
        name = isTracked ? String(plain.dropFirst()) : plain
        self.obstacle = obstacle ?? StoredField.obstacle(field)
    }

    /// The name of the property whose wrapper's storage this would be: `_x` stores `@Wrapper var x`.
    var wrappedName: String { String(name.dropFirst()) }

    /// The name of the property whose value this stores.
    var propertyName: String { wrapper == nil ? name : wrappedName }

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

/// Whether values of a field's type can be stored and copied.
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
        while let optional = KnownTypes.optional(type) { type = optional.wrappedType }
        let isPlanned = KnownTypes.planned(type) != nil
        isUnstorable = !isPlanned && TypeShape.isUnstorable(type)
        isNoncopyable = !isPlanned && !TypeShape.isCopyable(type)
    }

    /// Only the Optional of a Copyable type conforms.
    @inline(never)
    private static func isCopyable<Value>(_: Value.Type) -> Bool {
        Optional<Value>.self as Any.Type is any OptionalType.Type
    }

    /// A type as it is written in source: `String?` rather than `Optional<String>`.
    static func name(_ type: Any.Type) -> String {
        if let name = unprintableName(type) { return name }
        guard let optional = type as? any OptionalType.Type else { return "\(type)" }
        let wrapped = name(optional.wrappedType)
        return wrapped.contains("->") ? "(\(wrapped))?" : "\(wrapped)?"
    }

    private static func isUnstorable(_ type: Any.Type) -> Bool {
        switch RuntimeFields.kind(of: type) {
        case .function, .metatype, .existentialMetatype: return true
        case .tuple:
            let elements = RuntimeFields.of(type) ?? []
            return elements.isEmpty || elements.contains { TypeShape($0.type).isUnstorable }
        case .extendedExistential: return isTrivial(type)
        case .existential, .structure, nil: return false
        }
    }

    /// Whether values are copied as bits. Of the constrained existentials, only metatypes are: others hold an object or a box.
    private static func isTrivial<Value>(_: Value.Type) -> Bool { _isPOD(Value.self) }

    /// A name for a type that the runtime cannot print without a crash: the metatype of a constrained existential, and Optionals,
    /// collections, tuples and structures of it.
    ///
    /// - Parameter outer: The types around it.
    private static func unprintableName(_ type: Any.Type, inside outer: Set<ObjectIdentifier> = []) -> String? {
        if let optional = KnownTypes.optional(type) {
            return unprintableName(optional.wrappedType, inside: outer).map { "\($0)?" }
        }
        let kind = RuntimeFields.kind(of: type)
        if kind == .extendedExistential { return isTrivial(type) ? "any Protocol<…>.Type" : nil }
        guard kind == .tuple || kind == .structure, !outer.contains(ObjectIdentifier(type)) else { return nil }
        let inner = outer.union([ObjectIdentifier(type)])
        if let collection = KnownTypes.planned(type) {
            return RuleForm.parts(of: collection).flatMap { unprintableName($0.type, inside: inner) }.map { "[\($0)]" }
        }
        let part = RuntimeFields.of(type)?.lazy.compactMap { unprintableName($0.type, inside: inner) }.first
        return part.map { kind == .tuple ? "(\($0))" : "…<\($0)>" }
    }
}
