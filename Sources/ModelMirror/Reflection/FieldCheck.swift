/// Checks that fields may be written, and that memory holds what `Mirror` reads.
///
/// A class that fails a check is refused: memory is never written on a guess.
enum FieldCheck {
    /// Checks that the fields lie after the object's header, are aligned, and do not overlap.
    ///
    /// - Returns: The end of the last one.
    @discardableResult
    static func layout(_ fields: [StoredField], of model: AbstractModel.Type) throws(InvalidModel) -> Int {
        // Metadata pointer and reference counts.
        var end = 2 * MemoryLayout<Int>.size
        for field in fields.sorted(by: { $0.field.offset < $1.field.offset }) {
            let (size, alignment) = measure(field.field.type)
            // Enums of one case and empty structures have no bytes; the runtime places them at 0.
            guard size > 0 else { continue }
            // Tables hold offsets in 32 bits.
            guard field.field.offset >= end, field.field.offset % alignment == 0, field.field.offset <= Int32.max else {
                throw InvalidModel(
                    model, of: field.name,
                    "the runtime reports the impossible offset \(field.field.offset) for \(field.name); list the "
                        + "properties in keyPathTable")
            }
            end = field.field.offset + size
        }
        return end
    }

    /// Whether a field of a structure is inside it and aligned.
    static func fits(_ field: RuntimeField, inside type: Any.Type) -> Bool {
        let (size, alignment) = measure(field.type)
        return field.offset >= 0 && field.offset % alignment == 0 && field.offset + size <= measure(type).size
    }

    private static func measure<Value>(_: Value.Type) -> (size: Int, alignment: Int) {
        (MemoryLayout<Value>.size, MemoryLayout<Value>.alignment)
    }

    /// Whether a field of a new object agrees with `Mirror`: name, type and, if values can be compared, the value.
    static func matches<Value>(_ field: StoredField, _ type: Value.Type, in object: AbstractModel) -> Bool {
        guard let child = field.child(), child.label == field.field.name else { return false }
        let value: Any = child.value
        let optional = KnownTypes.optional(type)
        guard Swift.type(of: value) == type || optional == nil && value is Value else { return false }
        let stored = ModelStorage.load(type, at: field.field.offset, of: object)
        guard (optional?.wrappedType ?? type) is AnyClass else {
            return KnownTypes.agree(stored, value, as: type) ?? true
        }
        // Of a class, or of a class's Optional: the same object.
        func instance(_ value: Any) -> AnyObject? {
            optional == nil ? value as AnyObject : (value as? any OptionalType)?.wrappedValue.map { $0 as AnyObject }
        }
        return instance(stored) === instance(value)
    }
}
