/// A model class whose JSON objects name their subclass.
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
/// The subclass is chosen in properties, arrays, sets, dictionaries and ``AbstractModel/mapReporting(json:at:options:)``.
/// `Animal(json:)` is an initialiser and always makes an `Animal`.
public protocol DynamicTypeModel: AbstractModel, SendableMetatype {
    /// The property that holds the type's name; the JSON key if the class has no such property.
    static var typeNameProperty: String { get }
    /// The subclass for each name.
    static var dynamicTypes: [String: AbstractModel.Type] { get }
    /// The treatment of names that are missing or not in ``dynamicTypes``. Defaults to ``DynamicTypeFallback/baseClass``.
    static var dynamicTypeFallback: DynamicTypeFallback { get }
}

extension DynamicTypeModel {
    /// ``DynamicTypeFallback/baseClass``.
    public static var dynamicTypeFallback: DynamicTypeFallback { .baseClass }
}

/// The treatment of an object whose type name is missing or unknown.
public enum DynamicTypeFallback: Sendable {
    /// Maps it onto the declared class.
    case baseClass
    /// Treats it as a value of the wrong kind.
    case failure
    /// Skips it, also in strict mapping, and reports it as `.skipped`.
    case skip
}
