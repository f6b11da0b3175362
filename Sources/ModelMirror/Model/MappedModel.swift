/// What the library knows of every model class. ``AbstractModel`` conforms; nothing else should.
///
/// It exists so that a field's type can be opened to the static type of its class.
public protocol MappedModel: AbstractModel {}

extension AbstractModel: MappedModel {}
