/// One property of a class, ready to be mapped.
///
/// A class, so that the mapping loop hands it around by one reference. `@unchecked Sendable`: nothing changes after init, and
/// the closures capture only codecs (see ``ValueCodec``), offsets and metatypes.
final class PropertyRow: @unchecked Sendable {
    /// The property's name in Swift.
    let name: String
    /// Its declared type.
    let type: Any.Type
    /// Where its value stands, the preferred place first.
    let places: [[JSONPath.Step]]
    /// Whether a value is stored even if elements of it were left out.
    let isCollection: Bool
    /// Whether `null` is read like any value; for Optional properties it is not, since the hook is asked about it.
    let acceptsNull: Bool
    let isRequired: Bool
    /// Whether the property's values are copied in depth, as those that hold models are.
    let isDeep: Bool
    /// Whether the property holds a model that nothing but its class says how to read.
    let isModel: Bool
    /// Whether the property is read from JSON, and whether it is written to it.
    let isRead: Bool
    let isWritten: Bool
    /// What fits, as the end of "expected …".
    let expected: String
    /// Whether a codec converts the type; if none does, the model assigns the property itself.
    let isConvertible: Bool
    /// Reads the value at the cursor and stores it; not called if nothing converts the type. (Not an Optional: a closure inside
    /// of one is called through a chain of thunks, measured as a tenth of the time of nested objects.)
    let read: Read
    /// Reads the value at the cursor and returns how to store it; nil if nothing converts the type.
    let prepare: Prepare?
    /// Stores nil in an Optional property.
    let storeNil: ((AbstractModel) -> Void)?
    /// Writes the property's value, `null` for nil.
    let write: Write
    /// Whether the property can be nil, and whether its value is.
    let isOptional: Bool
    let isNil: (AbstractModel) -> Bool
    /// The property's value.
    let value: (AbstractModel) -> Any
    /// Keeps the property's value.
    ///
    /// - Returns: what puts it back.
    let restore: (AbstractModel) -> () -> Void
    /// Whether two objects have equal values.
    let areEqual: (AbstractModel, AbstractModel) -> Bool
    /// Puts a deep copy of the first object's value into the second object.
    let copy: (AbstractModel, AbstractModel) throws(ModelError) -> Void
    /// The JSON Schema of values that strict mapping accepts.
    let schema: (SchemaSink) -> JSONValue
    /// What the mapping loop may do in place of `read`.
    let kind: KeySlot.Kind
    /// Bytes from the object's address to the property.
    let offset: Int

    /// Reads the value at the cursor and stores it.
    ///
    /// - Returns: whether it was stored; if not, the session has findings, or the value is to be left out.
    typealias Read = (inout JSONReader, ReadingSink, AbstractModel) throws(Interruption) -> Bool

    /// Reads the value at the cursor without storing it.
    ///
    /// - Returns: what stores it, or nil if it does not fit, as in ``Read``.
    typealias Prepare = (inout JSONReader, ReadingSink) throws(Interruption) -> Store?
    /// Stores a value in an object.
    typealias Store = (AbstractModel) -> Stored

    /// A value that was stored.
    struct Stored {
        /// Puts the old value back.
        let putBack: () -> Void
        /// Whether the property still has the value that was stored.
        let isUntouched: () -> Bool
    }
    /// Writes the property's value of an object.
    typealias Write = (AbstractModel, inout JSONWriter, WritingSink) -> Void

    /// Whether strict mapping accepts `null` for the property.
    var isNullable: Bool { storeNil == nil ? acceptsNull : !isRequired }

    /// Puts nil into an Optional property, as a ``Store``.
    ///
    /// - Parameter storeNil: The row's own.
    func nilStore(_ storeNil: @escaping (AbstractModel) -> Void) -> Store {
        { [restore, isNil] object in
            let putBack = restore(object)
            storeNil(object)
            return Stored(putBack: putBack, isUntouched: { isNil(object) })
        }
    }

    init(
        name: String, type: Any.Type, places: [[JSONPath.Step]], isCollection: Bool, acceptsNull: Bool,
        isRequired: Bool,
        isDeep: Bool, isModel: Bool, isRead: Bool, isWritten: Bool, expected: String, isConvertible: Bool,
        read: @escaping Read,
        prepare: Prepare?,
        storeNil: ((AbstractModel) -> Void)?, write: @escaping Write, isOptional: Bool,
        isNil: @escaping (AbstractModel) -> Bool,
        value: @escaping (AbstractModel) -> Any,
        restore: @escaping (AbstractModel) -> () -> Void,
        areEqual: @escaping (AbstractModel, AbstractModel) -> Bool,
        copy: @escaping (AbstractModel, AbstractModel) throws(ModelError) -> Void,
        schema: @escaping (SchemaSink) -> JSONValue, kind: KeySlot.Kind, offset: Int
    ) {
        self.name = name
        self.type = type
        self.places = places
        self.isCollection = isCollection
        self.acceptsNull = acceptsNull
        self.isRequired = isRequired
        self.isDeep = isDeep
        self.isModel = isModel
        self.isRead = isRead
        self.isWritten = isWritten
        self.expected = expected
        self.isConvertible = isConvertible
        self.read = read
        self.prepare = prepare
        self.storeNil = storeNil
        self.write = write
        self.isOptional = isOptional
        self.isNil = isNil
        self.value = value
        self.restore = restore
        self.areEqual = areEqual
        self.copy = copy
        self.schema = schema
        self.kind = kind
        self.offset = offset
    }
}
