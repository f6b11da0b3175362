/// How one property of type `Value` is reached: at its offset, or through a key path.
struct FieldAccess<Value> {
    let load: (AbstractModel) -> Value
    let store: (consuming Value, AbstractModel) -> Void

    /// A stored property at an offset that the runtime reported and ``FieldCheck`` compared with `Mirror`.
    static func field(at offset: Int) -> FieldAccess {
        FieldAccess(
            load: { ModelStorage.load(Value.self, at: offset, of: $0) },
            store: { ModelStorage.store($0, at: offset, of: $1) })
    }

    /// A stored or computed property behind a key path of the class or a superclass, whose setter runs.
    ///
    /// The cast cannot fail, since the table was made for objects of the key path's root; it is checked, not assumed, because
    /// the explicit table is the one without unsafe code.
    static func keyPath<Root: AbstractModel>(_ path: ReferenceWritableKeyPath<Root, Value>) -> FieldAccess {
        func root(_ object: AbstractModel) -> Root {
            guard let root = object as? Root else { preconditionFailure("\(type(of: object)) is no \(Root.self)") }
            return root
        }
        return FieldAccess(load: { root($0)[keyPath: path] }, store: { root($1)[keyPath: path] = $0 })
    }
}
