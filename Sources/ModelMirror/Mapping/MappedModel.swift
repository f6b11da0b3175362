/// What the library knows of every model class. ``AbstractModel`` conforms; nothing else should.
///
/// It exists so that a field's type can be opened to the static type of its class.
public protocol MappedModel: AbstractModel {}

extension AbstractModel: MappedModel {}

extension MappedModel {
    /// The codec for this class.
    static func modelCodec() -> ValueCodec<Self> {
        let make = maker()
        return ValueCodec(
            expected: expected,
            read: { reader, session, store throws(Interruption) in
                guard let object = try make(&reader, session) else { return false }
                store(object)
                return true
            }, write: { object, writer, session in session.write(object, &writer) },
            isEqual: { $0.isEqual(to: $1) }, copy: { object throws(ModelError) in try object.copy() },
            schema: { $0.reference(to: self) })
    }

    /// The codec for arrays of this class.
    static func modelArrayCodec() -> ValueCodec<[Self]> { .array(of: modelCodec()) }

    /// Reads objects into a property of this class, or of this class's Optional. Here `Self` is known to be a class, so that
    /// its Optional has a known form too.
    static func modelRowRead(at offset: Int, isOptional: Bool) -> PropertyRow.Read {
        let make = maker()
        if isOptional {
            return { reader, session, object throws(Interruption) in
                guard let value = try make(&reader, session) else { return false }
                ModelStorage.store(Optional(value), at: offset, of: object)
                return true
            }
        }
        return { reader, session, object throws(Interruption) in
            guard let value = try make(&reader, session) else { return false }
            ModelStorage.store(value, at: offset, of: object)
            return true
        }
    }

    /// Writes objects of a property of this class, or of this class's Optional.
    static func modelRowWrite(at offset: Int, isOptional: Bool) -> PropertyRow.Write {
        if isOptional {
            return { object, writer, session in
                if let value = ModelStorage.load(Self?.self, at: offset, of: object) {
                    session.write(value, &writer)
                } else {
                    writer.writeNull()
                }
            }
        }
        return { object, writer, session in
            session.write(ModelStorage.load(Self.self, at: offset, of: object), &writer)
        }
    }

    private static var expected: String { "an object for \(self)" }

    /// Makes and fills an object from the value at the cursor; nil if it does not fit.
    private static func maker() -> (inout JSONReader, MappingSession) throws(Interruption) -> Self? {
        guard let dynamic = self as? any DynamicTypeModel.Type else {
            let reference = TableReference()
            return { reader, session throws(Interruption) in try session.readModel(self, reference, &reader) }
        }
        let choice = DynamicTypeChoice(dynamic)
        return { reader, session throws(Interruption) in try session.readDynamicModel(self, choice, &reader) }
    }
}
