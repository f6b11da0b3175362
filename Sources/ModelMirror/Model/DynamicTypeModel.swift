/// A model class whose JSON objects determine their subclass.
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
/// For unions without a tag, and for objects without one, a function of the object chooses:
///
/// ```swift
/// class Media: AbstractModel, DynamicTypeModel {
///     class func dynamicType(for json: JSONValue) -> AbstractModel.Type? {
///         json["duration"] == nil ? Photo.self : Film.self
///     }
/// }
/// ```
///
/// The subclass is chosen in properties, arrays, sets, dictionaries and by ``JSONMapper``: by its name, otherwise by the function or
/// ``dynamicTypeFallback``. A subclass with names or a function of its own chooses again. `Animal(json:)` is an initializer and
/// always makes an `Animal`.
public protocol DynamicTypeModel: AbstractModel, SendableMetatype {
    /// The property that holds the type's name; the JSON key if the class has no such property. Empty, the default, if only
    /// ``dynamicType(for:)`` chooses.
    static var typeNameProperty: String { get }
    /// The subclass for each name; read once. List names that are numbers or Booleans in JSON as text: `"1"`, `"true"`.
    static var dynamicTypes: [String: AbstractModel.Type] { get }
    /// Whether names that are numbers or Booleans are written as such, where no property holds them. Defaults to false: as strings.
    static var typeNamesAreLiterals: Bool { get }
    /// The treatment of names that are missing or not in ``dynamicTypes``. Defaults to ``DynamicTypeFallback/baseClass``.
    static var dynamicTypeFallback: DynamicTypeFallback { get }
    /// The class for an object that has no name in ``dynamicTypes``.
    ///
    /// For a class with names, it is called once with `{}`, to find out whether the class implements it. A subclass inherits the
    /// function: its answer for an object counts as its own only if it differs from the superclass's.
    ///
    /// - Returns: The class or a subclass of it; nil for ``dynamicTypeFallback``.
    static func dynamicType(for json: JSONValue) -> AbstractModel.Type?
}

extension DynamicTypeModel {
    /// Empty: only ``dynamicType(for:)`` chooses.
    public static var typeNameProperty: String { "" }
    /// None.
    public static var dynamicTypes: [String: AbstractModel.Type] { [:] }
    /// False.
    public static var typeNamesAreLiterals: Bool { false }
    /// ``DynamicTypeFallback/baseClass``.
    public static var dynamicTypeFallback: DynamicTypeFallback { .baseClass }
    /// `AbstractModel` itself, which means that there is no function.
    public static func dynamicType(for json: JSONValue) -> AbstractModel.Type? { AbstractModel.self }
}

/// The treatment of an object whose type name is missing or unknown.
public enum DynamicTypeFallback: Sendable {
    /// Maps it onto the declared class, even in strict mapping, and reports it: an unknown name as `.fallback`, a missing one as
    /// `.missing`.
    case baseClass
    /// Treats it as a value of the wrong kind.
    case failure
    /// Skips it, even in strict mapping, and reports it as `.skipped`.
    case skip
}
