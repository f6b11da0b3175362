/// Reads and writes one stored property of an object, at an offset that the property table has checked.
///
/// Unsafe, and the only place where a model's memory is touched. What makes it sound:
/// - `Value` is the field's own declared type: rows are made by opening the type that the runtime reports.
/// - The offset comes from the runtime, and the class was compared with `Mirror` before the first write.
/// - The object is kept alive by the caller's reference for the whole call.
/// - A value is complete before it is stored, and stored by exchange: the old value is moved out and released after the pointer
///   is gone, so that no user-defined `deinit` runs while the pointer exists.
enum ModelStorage {
    /// Stores a value.
    @inline(__always)
    static func store<Value>(_ value: consuming Value, at offset: Int, of object: AbstractModel) {
        exchange(&value, at: offset, of: object)
    }

    /// Exchanges a value with the stored one.
    @inline(__always)
    static func exchange<Value>(_ value: inout Value, at offset: Int, of object: AbstractModel) {
        swap(&field(Value.self, at: offset, of: object).pointee, &value)
        withExtendedLifetime(object) {}
    }

    /// Stores a value of a standard type, whose release runs no user code, by plain assignment: an exchange costs one more
    /// reference count.
    @inline(__always)
    static func storeStandard<Value: JSONScalar>(_ value: consuming Value, at offset: Int, of object: AbstractModel) {
        field(Value.self, at: offset, of: object).pointee = consume value
        withExtendedLifetime(object) {}
    }

    /// As ``storeStandard(_:at:of:)``, for an Optional property.
    @inline(__always)
    static func storeStandard<Value: JSONScalar>(
        optional value: consuming Value?, at offset: Int, of object: AbstractModel
    ) {
        field(Value?.self, at: offset, of: object).pointee = consume value
        withExtendedLifetime(object) {}
    }

    /// As ``store(_:at:of:)``, for an Optional model. The old model is kept as an object of the base class: otherwise the runtime is
    /// asked for the metadata of the Optional of its own class, 110 instructions.
    @inline(__always)
    static func storeModel<Model: AbstractModel>(
        optional value: consuming Model?, at offset: Int, of object: AbstractModel
    ) {
        let old: AbstractModel? = field(Model?.self, at: offset, of: object).pointee
        field(Model?.self, at: offset, of: object).pointee = value
        if let old { extendLifetime(old) }
        extendLifetime(object)
    }

    /// As ``store(_:at:of:)``, for an array of models. An empty array is replaced by assignment: its release runs no code. Emptiness
    /// is asked by `count`: `isEmpty`, like an exchange, asks the runtime for the metadata of the array's type, 200 instructions.
    @inline(__always)
    static func storeModels<Model: AbstractModel>(
        _ value: consuming [Model], at offset: Int, of object: AbstractModel
    ) {
        if field([Model].self, at: offset, of: object).pointee.count == 0 {
            field([Model].self, at: offset, of: object).pointee = value
            extendLifetime(object)
        } else {
            replaceModels(value, at: offset, of: object)
        }
    }

    /// As ``storeModels(_:at:of:)``, for the Optional of an array.
    @inline(__always)
    static func storeModels<Model: AbstractModel>(
        optional value: consuming [Model]?, at offset: Int, of object: AbstractModel
    ) {
        if field([Model]?.self, at: offset, of: object).pointee == nil {
            field([Model]?.self, at: offset, of: object).pointee = value
            extendLifetime(object)
        } else {
            replaceModels(value, at: offset, of: object)
        }
    }

    @inline(never)
    private static func replaceModels<Value>(_ value: consuming Value, at offset: Int, of object: AbstractModel) {
        store(value, at: offset, of: object)
    }

    /// As ``store(_:at:of:)``, for a model.
    @inline(__always)
    static func storeModel<Model: AbstractModel>(_ value: consuming Model, at offset: Int, of object: AbstractModel) {
        let old: AbstractModel = field(Model.self, at: offset, of: object).pointee
        field(Model.self, at: offset, of: object).pointee = value
        extendLifetime(old)
        extendLifetime(object)
    }

    /// A copy of the stored value.
    @inline(__always)
    static func load<Value>(_ type: Value.Type, at offset: Int, of object: AbstractModel) -> Value {
        let value = field(type, at: offset, of: object).pointee
        extendLifetime(object)
        return value
    }

    /// Calls a closure with the UTF-8 of the stored string; nil if the text is not in contiguous memory.
    ///
    /// The string is not retained if the compiler can see that the closure calls nothing that could release it. (Measured: retaining
    /// took 6 % of the instructions of writing gists.)
    @inline(__always)
    static func withUTF8<Result>(
        at offset: Int, of object: AbstractModel, _ body: (UnsafeBufferPointer<UInt8>) -> Result
    ) -> Result? {
        withExtendedLifetime(object) {
            field(String.self, at: offset, of: object).pointee.utf8.withContiguousStorageIfAvailable(body)
        }
    }

    /// As ``withUTF8(at:of:_:)``, for an Optional property; nil also if it is nil.
    @inline(__always)
    static func withUTF8<Result>(
        optional offset: Int, of object: AbstractModel, _ body: (UnsafeBufferPointer<UInt8>) -> Result
    ) -> Result? {
        withExtendedLifetime(object) {
            field(String?.self, at: offset, of: object).pointee?.utf8.withContiguousStorageIfAvailable(body) ?? nil
        }
    }

    /// The length of the stored string in UTF-8.
    @inline(__always)
    static func utf8Count(at offset: Int, of object: AbstractModel) -> Int {
        withExtendedLifetime(object) { field(String.self, at: offset, of: object).pointee.utf8.count }
    }

    /// The length of the stored string in UTF-8; nil if the property is nil.
    @inline(__always)
    static func utf8Count(optional offset: Int, of object: AbstractModel) -> Int? {
        withExtendedLifetime(object) { field(String?.self, at: offset, of: object).pointee?.utf8.count }
    }

    @inline(__always)
    private static func field<Value>(
        _ type: Value.Type, at offset: Int, of object: AbstractModel
    ) -> UnsafeMutablePointer<Value> {
        (Unmanaged.passUnretained(object).toOpaque() + offset).assumingMemoryBound(to: type)
    }
}

/// How one property of type `Value` is accessed: at its offset, or through a key path.
struct FieldAccess<Value> {
    let load: (AbstractModel) -> Value
    let store: (consuming Value, AbstractModel) -> Void
    /// Bytes from the object's address to the property; nil if it is not reached by an offset.
    var offset: Int?
    /// Whether values can be stored.
    var isWritable = true

    /// A stored property at an offset that the runtime reported and ``FieldCheck`` compared with `Mirror`.
    static func field(at offset: Int) -> FieldAccess {
        FieldAccess(
            load: { ModelStorage.load(Value.self, at: offset, of: $0) },
            store: { ModelStorage.store($0, at: offset, of: $1) }, offset: offset)
    }

    /// A stored or computed property behind a key path of the class or a superclass, whose setter runs.
    ///
    /// The cast cannot fail, since the table was made for objects of the key path's root; it is checked, not assumed, because
    /// the explicit table is the one without unsafe code.
    static func keyPath<Root: AbstractModel>(_ path: KeyPath<Root, Value>) -> FieldAccess {
        func root(_ object: AbstractModel) -> Root {
            guard let root = object as? Root else { preconditionFailure("\(type(of: object)) is no \(Root.self)") }
            return root
        }
        guard let writable = path as? ReferenceWritableKeyPath<Root, Value> else {
            return FieldAccess(load: { root($0)[keyPath: path] }, store: { _, _ in }, isWritable: false)
        }
        return FieldAccess(load: { root($0)[keyPath: writable] }, store: { root($1)[keyPath: writable] = $0 })
    }
}
