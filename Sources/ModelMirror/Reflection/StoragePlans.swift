/// Moves the values of common scalars between the document and their place in an object without a plan's closures.
///
/// These are witnesses of a protocol, so that the compiler specialises them for every common scalar: unspecialised, they take several
/// times as long.
extension CommonScalar {
    static var storage: StoragePlan? {
        StoragePlan(
            kinds, read: { reader, session throws(Interruption) in try read(&reader, session) },
            write: { value, writer, session in value.write(&writer, session) },
            store: { ModelStorage.store($0, at: $1, of: $2) }, storeOptional: { ModelStorage.store($0, at: $1, of: $2) }
        )
    }

    static func arrayStorage(of plan: TypePlan<[Self]>) -> StoragePlan? {
        StoragePlan(
            read: { reader, session throws(Interruption) in try readArray(&reader, session) }, write: plan.write,
            store: { ModelStorage.store($0, at: $1, of: $2) }, storeOptional: { ModelStorage.store($0, at: $1, of: $2) }
        )
    }
}

extension StoragePlan {
    /// - Parameters:
    ///   - kinds: How the loops read and write a property of the type, and one of its Optional.
    ///   - read: Reads a value; nil if it is not to be stored.
    ///   - store: Stores a value at an offset of an object.
    @inline(__always)
    init<Value>(
        _ kinds: (property: PropertyKind, optional: PropertyKind) = (.other, .other),
        read: @escaping (inout JSONReader, ReadingSink) throws(Interruption) -> Value?,
        write: @escaping TypePlan<Value>.Write,
        store: @escaping (_ value: consuming Value, _ offset: Int, _ object: AbstractModel) -> Void,
        storeOptional: @escaping (_ value: consuming Value?, _ offset: Int, _ object: AbstractModel) -> Void
    ) {
        property = { offset in
            StoredProperty(
                kind: kinds.property,
                read: { reader, session, object throws(Interruption) in
                    guard let value = try read(&reader, session) else { return false }
                    store(value, offset, object)
                    return true
                },
                write: { object, writer, session in
                    write(ModelStorage.load(Value.self, at: offset, of: object), &writer, session)
                    return true
                }, storeNil: { _ in })
        }
        optional = { offset in
            StoredProperty(
                kind: kinds.optional,
                read: { reader, session, object throws(Interruption) in
                    guard let value = try read(&reader, session) else { return false }
                    storeOptional(value, offset, object)
                    return true
                },
                write: { object, writer, session in
                    guard let value = ModelStorage.load(Value?.self, at: offset, of: object) else {
                        writer.writeNull()
                        return false
                    }
                    write(value, &writer, session)
                    return true
                }, storeNil: { storeOptional(nil, offset, $0) })
        }
    }
}
