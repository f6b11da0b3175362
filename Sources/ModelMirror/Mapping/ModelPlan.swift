extension AbstractModel: PlannedModel, DirectlyStored {}

extension PlannedModel {
    static func erasedPlan(isShared: Bool) -> Any { modelPlan(isShared: isShared) }

    static func erasedTaggedPlan() -> Any {
        var plan = modelPlan(making: taggedMaker())
        plan.schema = { $0.tagged(self) }
        return plan
    }

    static func erasedArrayPlan(isShared: Bool) -> Any { modelArrayPlan(isShared: isShared) }
}

extension MappedModel {
    /// The plan for this class.
    ///
    /// - Parameter isShared: Whether it is for a converter, which serves calls with different table rules.
    static func modelPlan(isShared: Bool = false) -> TypePlan<Self> {
        modelPlan(making: maker(isShared: isShared))
    }

    fileprivate static func modelPlan(
        making make: @escaping (inout JSONReader, ReadingSink) throws(Interruption) -> Self?
    ) -> TypePlan<Self> {
        TypePlan(
            expected: expected,
            read: { reader, session, store throws(Interruption) in
                guard let object = try make(&reader, session) else { return false }
                store(object)
                return true
            }, write: { object, writer, session in session.write(object, &writer) },
            // By the class's own `==`, if it has one, as compiled code would. Looked up only when objects are compared: to find
            // that there is none, the runtime searches all conformances of the program, a third of the time of a class's first
            // object.
            isEqual: { left, right in
                guard self is any Equatable.Type, let known = Comparison.equality(left, right) else {
                    return left.isEqual(to: right)
                }
                return known
            },
            copy: { object throws(ModelError) in try object.copy() },
            schema: { $0.reference(to: self) })
    }

    /// The plan for arrays of this class.
    ///
    /// - Parameter isShared: As for ``modelPlan(isShared:)``.
    static func modelArrayPlan(isShared: Bool = false) -> TypePlan<[Self]> {
        let plain = TypePlan<[Self]>.array(of: modelPlan(isShared: isShared))
        if self is any DynamicTypeModel.Type { return plain }
        let reference = TableReference(isShared: isShared)
        return plain.reading { reader, session, store throws(Interruption) in
            guard let loop = session as? MappingSession else {
                return try session.refuse(&reader, .stated("no model", .conversion))
            }
            guard let objects = try loop.readModels(self, reference, &reader) else { return false }
            store(objects)
            return true
        }
    }

    fileprivate static var expected: Expectation { .object(self) }

    /// Makes and fills an object of the class that a member beside the property names.
    fileprivate static func taggedMaker() -> (inout JSONReader, ReadingSink) throws(Interruption) -> Self? {
        { reader, session throws(Interruption) in
            guard let loop = session as? MappingSession else {
                return try session.refuse(&reader, .stated("no model", .conversion))
            }
            return try loop.readTaggedModel(self, &reader)
        }
    }

    /// Makes and fills an object from the value at the cursor; nil if it does not fit.
    fileprivate static func maker(
        isShared: Bool = false
    ) -> (inout JSONReader, ReadingSink) throws(Interruption) -> Self? {
        let reference = TableReference(isShared: isShared)
        let choice = (self as? any DynamicTypeModel.Type).map { DynamicTypeChoice.of($0) }
        return { reader, session throws(Interruption) in
            // Only a converter that is called outside a mapping reads without the loop.
            guard let loop = session as? MappingSession else {
                return try session.refuse(&reader, .stated("no model", .conversion))
            }
            guard let choice else { return try loop.readModel(self, reference, &reader) }
            return try loop.readDynamicModel(self, choice, &reader)
        }
    }
}

extension DirectlyStored where Self: MappedModel {
    /// Reads objects into a property of this class, or of this class's Optional. Here `Self` is known to be a class, so its
    /// Optional has a known layout too.
    static func rowRead(at offset: Int, isOptional: Bool) -> PropertyRow.Read {
        let make = maker()
        if isOptional {
            return { reader, session, object throws(Interruption) in
                guard let value = try make(&reader, session) else { return false }
                ModelStorage.storeModel(optional: value, at: offset, of: object)
                return true
            }
        }
        return { reader, session, object throws(Interruption) in
            guard let value = try make(&reader, session) else { return false }
            ModelStorage.storeModel(value, at: offset, of: object)
            return true
        }
    }

    /// Stores nil in a property of this class's Optional.
    static func nilStore(at offset: Int) -> PropertyRow.NilStore {
        { ModelStorage.storeModel(optional: Self?.none, at: offset, of: $0) }
    }

    /// Reads objects into a property that is an array of this class, or the array's Optional.
    static func arrayRowRead(at offset: Int, isOptional: Bool) -> PropertyRow.Read {
        let plan = modelArrayPlan()
        if isOptional {
            return { reader, session, object throws(Interruption) in
                try plan.read(&reader, session) { ModelStorage.storeModels(optional: $0, at: offset, of: object) }
            }
        }
        return { reader, session, object throws(Interruption) in
            try plan.read(&reader, session) { ModelStorage.storeModels($0, at: offset, of: object) }
        }
    }

    /// Writes objects of a property of this class, or of this class's Optional.
    static func rowWrite(at offset: Int, isOptional: Bool) -> PropertyRow.Write {
        if isOptional {
            return { object, writer, session in
                guard let value = ModelStorage.load(Self?.self, at: offset, of: object) else {
                    writer.writeNull()
                    return false
                }
                session.write(value, &writer)
                return true
            }
        }
        return { object, writer, session in
            session.write(ModelStorage.load(Self.self, at: offset, of: object), &writer)
            return true
        }
    }
}
