/// The plans of model classes.
extension AbstractModel: PlannedType {}

extension MappedModel {
    /// The plan for this class, or that for objects whose class is named by a member beside the property.
    static func anyPlan(_ builder: PlanBuilder) -> Any? {
        guard builder.isTagged else { return modelPlan(isShared: builder.isShared) }
        builder.taggedClass = self
        var plan = modelPlan().withRead { reader, session, store throws(Interruption) in
            guard let loop = session as? MappingSession else { return try session.refuse(&reader, noModel) }
            return try loop.readTaggedModel(self, &reader).isStored(by: store)
        }
        plan.schema = { $0.tagged(self) }
        return plan
    }

    /// The plan for this class.
    ///
    /// - Parameter isShared: Whether it is for a converter, which serves calls with different table rules.
    static func modelPlan(isShared: Bool = false) -> TypePlan<Self> {
        let make = maker(isShared: isShared)
        var plan = TypePlan<Self>(
            expected: .object(self), held: self,
            read: { reader, session, store throws(Interruption) in try make(&reader, session).isStored(by: store) },
            write: { object, writer, session in session.write(object, &writer) },
            // By the class's own `==`, if it has one, as compiled code would. Looked up only when objects are compared: to find
            // that there is none, the runtime searches all conformances of the program, a third of the time of a class's first
            // object.
            isEqual: { left, right in
                guard self is any Equatable.Type, let known = Comparison.equality(left, right) else {
                    return left.isEqual(to: right)
                }
                return known
            }, copy: { object throws(ModelError) in try object.copy() }, schema: { $0.reference(to: self) })
        plan.arrayPlan = { modelArrayPlan(isShared: isShared) }
        plan.storage = StoragePlan(
            property: { offset in
                StoredProperty(
                    read: { reader, session, object throws(Interruption) in
                        try make(&reader, session).isStored { ModelStorage.storeModel($0, at: offset, of: object) }
                    },
                    write: { object, writer, session in
                        session.write(ModelStorage.load(Self.self, at: offset, of: object), &writer)
                        return true
                    }, storeNil: { _ in })
            },
            optional: { offset in
                StoredProperty(
                    read: { reader, session, object throws(Interruption) in
                        try make(&reader, session).isStored {
                            ModelStorage.storeModel(optional: $0, at: offset, of: object)
                        }
                    },
                    write: { object, writer, session in
                        guard let value = ModelStorage.load(Self?.self, at: offset, of: object) else {
                            writer.writeNull()
                            return false
                        }
                        session.write(value, &writer)
                        return true
                    }, storeNil: { ModelStorage.storeModel(optional: Self?.none, at: offset, of: $0) })
            })
        return plan
    }

    /// The plan for arrays of this class.
    ///
    /// - Parameter isShared: As for ``modelPlan(isShared:)``.
    static func modelArrayPlan(isShared: Bool = false) -> TypePlan<[Self]> {
        var plan = TypePlan<[Self]>.array(of: modelPlan(isShared: isShared))
        if !(self is any DynamicTypeModel.Type) {
            let reference = TableReference(isShared: isShared)
            plan = plan.withRead { reader, session, store throws(Interruption) in
                guard let loop = session as? MappingSession else { return try session.refuse(&reader, noModel) }
                return try loop.readModels(self, reference, &reader).isStored(by: store)
            }
        }
        plan.storage = plan.arrayStorage(
            read: { [read = plan.read] offset in
                { reader, session, object throws(Interruption) in
                    try read(&reader, session) { ModelStorage.storeModels($0, at: offset, of: object) }
                }
            },
            optional: { [read = plan.read] offset in
                { reader, session, object throws(Interruption) in
                    try read(&reader, session) { ModelStorage.storeModels(optional: $0, at: offset, of: object) }
                }
            })
        return plan
    }

    /// What a converter of models expects that is called outside of a mapping.
    private static var noModel: Expectation { .stated("no model", .conversion) }

    /// Makes and fills an object from the value at the cursor; nil if it does not fit.
    private static func maker(isShared: Bool) -> (inout JSONReader, ReadingSink) throws(Interruption) -> Self? {
        let reference = TableReference(isShared: isShared)
        let choice = dynamicChoice
        return { reader, session throws(Interruption) in
            // Only a converter that is called outside a mapping reads without the loop.
            guard let loop = session as? MappingSession else { return try session.refuse(&reader, noModel) }
            guard let choice else { return try loop.readModel(self, reference, &reader) }
            return try loop.readDynamicModel(self, choice, &reader)
        }
    }
}
