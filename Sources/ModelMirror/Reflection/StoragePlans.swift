/// Moves the values of common scalars between the document and their place in an object without a plan's closures.
///
/// These are witnesses of a protocol, so that the compiler specializes them for every common scalar: unspecialized, they take several
/// times as long.
extension CommonScalar {
    static var storage: StoragePlan? {
        StoragePlan(
            property: { offset in
                StoredProperty(
                    kind: kinds.property,
                    read: { reader, session, object throws(Interruption) in
                        try read(&reader, session).isStored { ModelStorage.store($0, at: offset, of: object) }
                    },
                    write: { object, writer, session in
                        ModelStorage.load(Self.self, at: offset, of: object).write(&writer, session)
                        return true
                    }, storeNil: { _ in })
            },
            optional: { offset in
                StoredProperty(
                    kind: kinds.optional,
                    read: { reader, session, object throws(Interruption) in
                        try read(&reader, session).isStored { ModelStorage.store(Optional($0), at: offset, of: object) }
                    },
                    write: { object, writer, session in
                        guard let value = ModelStorage.load(Self?.self, at: offset, of: object) else {
                            writer.writeNull()
                            return false
                        }
                        value.write(&writer, session)
                        return true
                    }, storeNil: { ModelStorage.store(Self?.none, at: offset, of: $0) })
            })
    }

    static func arrayStorage(of plan: TypePlan<[Self]>) -> StoragePlan? {
        plan.arrayStorage(
            read: { offset in
                { reader, session, object throws(Interruption) in
                    try readArray(&reader, session).isStored { ModelStorage.store($0, at: offset, of: object) }
                }
            },
            optional: { offset in
                { reader, session, object throws(Interruption) in
                    try readArray(&reader, session).isStored {
                        ModelStorage.store(Optional($0), at: offset, of: object)
                    }
                }
            })
    }
}

extension TypePlan {
    /// How properties are stored whose type is an array, which this plan writes.
    @_semantics("optimize.sil.specialize.generic.never")
    func arrayStorage(
        read: @escaping (_ offset: Int) -> StoredProperty.Read,
        optional: @escaping (_ offset: Int) -> StoredProperty.Read
    ) -> StoragePlan {
        StoragePlan(
            property: { [write] offset in
                StoredProperty(
                    read: read(offset),
                    write: { object, writer, session in
                        write(ModelStorage.load(Value.self, at: offset, of: object), &writer, session)
                        return true
                    }, storeNil: { _ in })
            },
            optional: { [write] offset in
                StoredProperty(
                    read: optional(offset),
                    write: { object, writer, session in
                        guard let values = ModelStorage.load(Value?.self, at: offset, of: object) else {
                            writer.writeNull()
                            return false
                        }
                        write(values, &writer, session)
                        return true
                    }, storeNil: { ModelStorage.store(Value?.none, at: offset, of: $0) })
            })
    }
}
