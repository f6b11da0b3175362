/// A model class whose JSON objects say which subclass they are.
///
/// ```swift
/// class Animal: AbstractModel, DynamicTypeModel {
///     var name = ""
///     class var typeNameProperty: String { "type" }
///     class var dynamicTypes: [String: AbstractModel.Type] { ["dog": Dog.self, "cat": Cat.self] }
/// }
/// let animals = try [Animal](json: #"[{"type": "dog", "name": "Rex"}]"#)      // [Dog]
/// ```
///
/// It works wherever a model is made by the library: properties, arrays, sets, dictionaries, and
/// ``AbstractModel/mapReporting(json:at:options:)``. `Animal(json:)` is an initialiser and always makes an `Animal`.
public protocol DynamicTypeModel: AbstractModel, SendableMetatype {
    /// The property that holds the type's name, or, if the class has no such property, the JSON key itself.
    static var typeNameProperty: String { get }
    /// The subclass for each name.
    static var dynamicTypes: [String: AbstractModel.Type] { get }
    /// What to do about a name that is not in ``dynamicTypes``, or missing. Default: ``DynamicTypeFallback/baseClass``.
    static var dynamicTypeFallback: DynamicTypeFallback { get }
}

extension DynamicTypeModel {
    /// Unknown names make an object of the declared class.
    public static var dynamicTypeFallback: DynamicTypeFallback { .baseClass }
}

/// What becomes of an object whose type name is missing or unknown.
public enum DynamicTypeFallback: Sendable {
    /// It is mapped onto the declared class.
    case baseClass
    /// It is a value of the wrong kind, as any other.
    case failure
    /// It is left out, in strict mapping too, and recorded in the report (`.skipped`).
    case skip
}
