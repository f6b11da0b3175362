/// The classes of a property's objects, named by a member beside the property, as in webhooks and event feeds.
///
/// ```swift
/// class Event: AbstractModel {                         // {"type": "fork", "payload": {"forkee": "a/b"}}
///     var type = ""
///     var payload: AbstractModel?                      // a ForkPayload
///
///     override class var dynamicPropertyTypes: [String: DynamicPropertyTypes] {
///         [
///             "payload": DynamicPropertyTypes(
///                 named: "type", ["fork": ForkPayload.self, "push": PushPayload.self], otherwise: .skip)
///         ]
///     }
/// }
/// ```
///
/// The members may come in any order. The property is a model, or an Optional, array or dictionary of models. Writing it also
/// writes the name of its object's class, whatever the property for the name holds; it fails where that leads an object to another
/// class, as one name for several classes does. An update needs the name too, except for an object that is updated in place; a merge patch
/// may leave out the one that the object is written with.
public struct DynamicPropertyTypes: Sendable {
    /// The place of the type's name in the object that has the property.
    let key: PropertyKey
    let types: [String: AbstractModel.Type]
    let fallback: DynamicTypeFallback
    /// The class of the property's objects. Set with the class's table.
    var declared: AbstractModel.Type?

    /// Makes a rule.
    ///
    /// - Parameters:
    ///   - key: The place of the type's name in the object that has the property: a JSON key, several, or a path. List names that
    ///     are numbers or Booleans in JSON as text in `types`: `"1"`, `"true"`.
    ///   - types: The class for each name: the property's class or a subclass of it.
    ///   - fallback: The handling of missing and unknown names.
    public init(
        named key: PropertyKey, _ types: [String: AbstractModel.Type],
        otherwise fallback: DynamicTypeFallback = .baseClass
    ) {
        self.key = key
        self.types = types
        self.fallback = fallback
    }
}
