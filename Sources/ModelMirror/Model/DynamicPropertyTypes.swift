/// The classes of a property's objects, told by a member beside the property: the form of webhooks and event feeds.
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
/// The members may come in any order. The property is a model, or an Optional, array or dictionary of models. When it is written, so is
/// the name of its object's class.
public struct DynamicPropertyTypes: Sendable {
    /// Where the type's name stands in the object around.
    let key: PropertyKey
    let types: [String: AbstractModel.Type]
    let fallback: DynamicTypeFallback

    /// Makes a rule.
    ///
    /// - Parameters:
    ///   - key: Where the type's name stands in the object around: a JSON key, several, or a path. Names that are numbers or Booleans
    ///     in JSON are written as text in `types`: `"1"`, `"true"`.
    ///   - types: The class for each name: the property's class or a subclass of it.
    ///   - fallback: The treatment of names that are missing or unknown.
    public init(
        named key: PropertyKey, _ types: [String: AbstractModel.Type],
        otherwise fallback: DynamicTypeFallback = .baseClass
    ) {
        self.key = key
        self.types = types
        self.fallback = fallback
    }
}
