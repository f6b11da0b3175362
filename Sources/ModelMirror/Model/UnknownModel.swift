/// An object whose class is not known, in a property of the class ``AbstractModel`` itself: it keeps its JSON and is written back
/// whole, with the name of its class.
///
/// ```swift
/// class Event: AbstractModel {                         // {"type": "star", "payload": {"count": 1}}
///     var type = ""
///     var payload: AbstractModel?                      // an UnknownModel with the member count
///
///     override class var dynamicPropertyTypes: [String: DynamicPropertyTypes] {
///         ["payload": DynamicPropertyTypes(named: "type", ["fork": ForkPayload.self])]
///     }
/// }
/// ```
///
/// Any thread may use it, one at a time, as any model.
public final class UnknownModel: AbstractModel {
    /// The members of the object.
    public var members: [String: JSONValue] = [:]
    /// The unknown name of its class; nil if there was none.
    public internal(set) var typeName: String?

    /// All members.
    public override class var unknownKeysProperty: String? { "members" }

    /// The name is written by the object around.
    public override class var ignoredProperties: Set<String> { ["typeName"] }

    /// Compares the name and the members.
    public override func isEqual(to other: AbstractModel) -> Bool {
        super.isEqual(to: other) && typeName == (other as? UnknownModel)?.typeName
    }
}
