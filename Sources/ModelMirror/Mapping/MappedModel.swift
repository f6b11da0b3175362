/// What the library knows of every model class. ``AbstractModel`` conforms; nothing else should.
///
/// It exists so that a field's type can be opened to the static type of its class.
public protocol MappedModel: AbstractModel {}

extension AbstractModel: MappedModel {}

extension MappedModel {
    /// The codec for properties of this class.
    static func modelCodec() throws(InvalidModel) -> ValueCodec<Self> {
        let expected = "an object for \(self)"
        let reference = TableReference()
        guard let dynamic = self as? any DynamicTypeModel.Type else {
            return ValueCodec(expected: expected) { reader, session throws(Interruption) in
                try session.readModel(self, reference, &reader)
            }
        }
        let choice = DynamicTypeChoice(dynamic)
        return ValueCodec(expected: expected) { reader, session throws(Interruption) in
            try session.readDynamicModel(self, choice, &reader)
        }
    }

    /// The codec for a call on this class.
    static func rootCodec() throws(ModelError) -> ValueCodec<Self> {
        do throws(InvalidModel) { return try modelCodec() } catch { throw .invalidModel(error) }
    }
}
