/// One property of a class, ready to be mapped.
///
/// `@unchecked Sendable`: the closures capture only codecs (see ``ValueCodec``), offsets and metatypes.
struct PropertyRow: @unchecked Sendable {
    /// The property's name in Swift.
    let name: String
    /// Its declared type.
    let type: Any.Type
    /// Where its value stands, the preferred place first.
    let places: [[JSONPath.Step]]
    let isOptional: Bool
    /// Whether a value is stored even if elements of it were left out.
    let isCollection: Bool
    /// Whether `null` is an ordinary value of the type.
    let acceptsNull: Bool
    let isRequired: Bool
    /// Whether the property is read from JSON, and whether it is written to it.
    let isRead: Bool
    let isWritten: Bool
    /// What fits, as the end of "expected …".
    let expected: String
    /// How values are read and stored; nil if nothing converts the type, so that the model assigns them itself.
    let access: RowAccess?
    /// Stores nil in an Optional property.
    let storeNil: ((AbstractModel) -> Void)?
}

/// How one property's values get from JSON into the object.
struct RowAccess {
    /// Reads the value at the cursor and stores it.
    ///
    /// - Returns: whether it was stored; if not, the session has findings, or the value is to be left out.
    let read: (inout JSONReader, MappingSession, AbstractModel) throws(Interruption) -> Bool
    /// What the mapping loop may do in place of `read`.
    let kind: KeySlot.Kind
    /// Bytes from the object's address to the property.
    let offset: Int
}
