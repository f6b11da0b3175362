/// The base class of models: the `var`s of a subclass are read from JSON by name.
///
/// Every stored property needs a default or an Optional type (`String!` is Optional, not required). A class with its own
/// initializer must declare `required init()` again. All overrides are optional: rules (class properties that return plain data)
/// and hooks (methods).
///
/// ```swift
/// class Gist: AbstractModel {
///     var id: String!
///     var createdAt: Date!
///     var comments = 0
///
///     override class var propertyKeys: [String: PropertyKey] { ["createdAt": "created_at"] }
///     override class var requiredProperties: Set<String> { ["id"] }
/// }
/// let gist = try Gist(json: #"{"id": "1", "created_at": "2016-01-23T18:30:00Z"}"#)
/// gist.comments                                    // 0: a missing key leaves the default
/// ```
///
/// A subclass adds to the rules of its superclass, and wins where both apply, without calling `super`. A name in a rule that is
/// not a property of the class throws ``ModelError/invalidModel(_:)`` on first use.
///
/// Values are stored directly: `willSet`, `didSet`, property wrapper setters and observation are bypassed, and `didMap()` is
/// called afterwards. With ``keyPathTable`` every write uses setters. `let`, `weak`, `unowned` and `lazy` properties are never
/// written; use `private(set) var` instead of `let`.
///
/// Isolation: an object belongs to the thread or actor that creates it; models are not Sendable. Subclasses are nonisolated even
/// in targets whose default isolation is the main actor.
nonisolated open class AbstractModel {
    /// Makes an object with its declared defaults.
    public required init() {}

    // MARK: Rules

    /// Property name → JSON key, for keys that ``keyStrategy`` does not derive.
    open class var propertyKeys: [String: PropertyKey] { [:] }

    /// How JSON keys are derived from property names that are not in ``propertyKeys``. Defaults to `.exact`.
    open class var keyStrategy: KeyStrategy { .exact }

    /// Properties that are neither read nor written.
    open class var ignoredProperties: Set<String> { [] }

    /// Properties that are read but not written.
    open class var readOnlyProperties: Set<String> { [] }

    /// Properties that are written but not read.
    open class var writeOnlyProperties: Set<String> { [] }

    /// Properties that must have a value: a missing key, `null`, or a value that does not fit fails the object.
    open class var requiredProperties: Set<String> { [] }

    /// Property name → the rule that its values must obey: bounds, sizes, patterns, checks of your own. Defaults to none.
    ///
    /// A rule checks the value that was read, before ``didMap()``, whatever else failed in the object. It checks neither nil (use
    /// ``requiredProperties``) nor what a hook assigned. A broken rule fails the object, also in lenient mapping. Updates check the new
    /// values, ``AbstractModel/validate()`` those that code has set. The rules are part of the JSON Schema.
    ///
    /// ```swift
    /// override class var propertyRules: [String: any PropertyRule] {
    ///     ["age": .inRange(0...150), "name": .all(.notEmpty, .count(...80)), "tags": .each(.count(1...20))]
    /// }
    /// ```
    ///
    /// A rule for another type than the property's makes the mapping throw ``ModelError/invalidModel(_:)``. For conditions on several
    /// properties, override ``validateModel(_:)``.
    open class var propertyRules: [String: any PropertyRule] { [:] }

    /// Property name → converter, for properties whose type does not determine their JSON form.
    open class var propertyConverters: [String: any Converter] { [:] }

    /// Date patterns (Unicode TR 35) for all dates of the class, tried in order. Defaults to none: ISO 8601 and
    /// `y-MM-dd HH:mm:ssZ` are read.
    open class var dateFormats: [String] { [] }

    /// Property name → date pattern; replaces the class's ``dateFormats`` for that property.
    open class var propertyDateFormats: [String: String] { [:] }

    /// Property name → the classes of its objects, named by a member beside it. Defaults to none.
    open class var dynamicPropertyTypes: [String: DynamicPropertyTypes] { [:] }

    /// The property of type `[String: JSONValue]` that takes all members that no other property takes, and writes them back.
    /// Defaults to nil: ``MappingOptions/unknownKeys`` applies, as it always does to keys beside a path, inside a nested object.
    open class var unknownKeysProperty: String? { nil }

    /// Properties whose values are never shown, such as passwords and tokens. Defaults to none.
    ///
    /// Failures, reports, summaries and problem documents give only the kind of such a value (`a string, redacted`), drop the error
    /// behind the failure, and `print(object)` leaves the property out. This includes the value's elements and nested objects. Its JSON
    /// Schema has `format: password` if it is a string. Whole documents are not redacted: bodies in logs, and texts that are not JSON,
    /// whose errors have the keys on the way in ``JSONSyntaxError/pointer``.
    open class var redactedProperties: Set<String> { [] }

    /// The explicit property table: only its properties are mapped, through key paths. Defaults to nil.
    open class var keyPathTable: KeyPathTable? { nil }

    /// Rows through key paths beside the automatic ones: computed properties, `@Published` and `@Observable` ones, values of a nested
    /// structure, a key that is only written. Defaults to none.
    ///
    /// ```swift
    /// class Photo: AbstractModel {
    ///     var stars = 0
    ///     var rating: Int? { get { stars == 0 ? nil : stars } set { stars = newValue ?? 0 } }
    ///     override class var ignoredProperties: Set<String> { ["stars"] }
    ///     override class var additionalKeyPaths: KeyPathTable { ["rating": \Photo.rating] }
    /// }
    /// ```
    ///
    /// They are read and written through their getters and setters, and named as in a ``keyPathTable``. A row replaces that of the stored
    /// property with its name. A key path without a setter is only written.
    open class var additionalKeyPaths: KeyPathTable { [:] }

    /// Properties whose members are members of the enclosing object, in place of an object of their own. Defaults to none.
    ///
    /// ```swift
    /// class Address: AbstractModel { var street = "" }
    /// class Person: AbstractModel {
    ///     var name = ""
    ///     var address: Address?                       // {"name": "Ada", "street": "…"}
    ///     override class var flattenedProperties: Set<String> { ["address"] }
    /// }
    /// ```
    ///
    /// A model reads its members from the enclosing object and writes them into it; its hooks and rules apply as for any other. If the
    /// object has none of its keys, the property has no value. An update changes the model in place. A property of type `[String: T]`
    /// keeps the members that belong to no other property, as ``unknownKeysProperty`` does for free-form JSON.
    ///
    /// A class cannot flatten itself, and a key that two properties take makes the class ``ModelError/invalidModel(_:)``, unless it is
    /// one of the ``sharedKeys``.
    open class var flattenedProperties: Set<String> { [] }

    /// Keys that a flattened property's model and another property may both read. The class's own property writes it, otherwise the first
    /// of them. Each class redacts it for itself. Defaults to none.
    open class var sharedKeys: Set<String> { [] }

    /// The options for objects of the class; the options of a call take precedence.
    open class var mappingOptions: MappingOptions { MappingOptions() }

    // MARK: Hooks

    /// Returns whether a missing or rejected value fails the object.
    ///
    /// Called after the object has been read, once for each such property, in declaration order, superclass first. A value
    /// assigned to the property here is kept.
    ///
    /// - Parameters:
    ///   - value: The rejected value as plain Swift values (see ``JSONValue/any``); nil for a missing key and for `null`.
    ///   - property: The name of the property in Swift.
    /// - Returns: true to fail; false, the default, to keep the property's value.
    open func shouldFail(withInvalidValue value: Any?, forProperty property: String) -> Bool { false }

    /// Assigns the value of a property whose type has no converter.
    ///
    /// - Parameters:
    ///   - value: The JSON value as plain Swift values (see ``JSONValue/any``).
    ///   - property: The name of the property in Swift.
    /// - Throws: The default implementation makes the mapping throw ``ModelError/invalidModel(_:)`` with the property, its type
    ///   and how to fix it. Any other error becomes a failure of the property.
    open func assign(undefinedValue value: Any?, forProperty property: String) throws { throw UnassignedProperty() }

    /// Called once after the object has been read without failures; nested objects come first.
    ///
    /// - Throws: Any error becomes a failure of the object.
    open func didMap() throws {}

    /// Called after ``didMap()`` to check the values. A recorded failure fails the object.
    open func validateModel(_ validation: inout ModelValidation) {}

    // MARK: Comparing and copying

    /// Whether another object has the same class and equal properties, nested objects included.
    ///
    /// ``ignoredProperties`` are not compared; cycles are handled. Objects of a class that cannot be mapped are equal only if
    /// identical.
    open func isEqual(to other: AbstractModel) -> Bool { (self as any TableBacked).isEqualByTable(other) }

    /// Makes a deep copy: a new object with copies of all mappable properties, ignored ones included.
    ///
    /// Every object is copied once, even if referenced repeatedly. Models inside a value of your own type (`Codable`,
    /// ``JSONConvertible``), and those that a converter of your own makes, are shared. Properties that cannot be mapped (`let`, `weak`,
    /// functions) keep their value from `init()`. `didMap()` is not called; of observers, only those of properties in a ``KeyPathTable``
    /// are.
    ///
    /// - Throws: ``ModelError/invalidModel(_:)`` if the class cannot be mapped; ``ModelError/invalidValues(_:)`` if objects are
    ///   nested too deep for the thread's stack.
    open func copy() throws(ModelError) -> Self { try (self as any TableBacked).copyByTable(as: Self.self) }
}

extension AbstractModel {
    /// The class and its superclasses, the base class last.
    static var lineage: some Sequence<AbstractModel.Type> {
        sequence(first: self as AbstractModel.Type) { _getSuperclass($0) as? AbstractModel.Type }
    }

    /// Whether the class is `other` or a subclass of it.
    static func isSubclass(of other: AbstractModel.Type) -> Bool {
        sequence(first: self as AnyClass) { _getSuperclass($0) }.contains { $0 == other }
    }
}

/// Thrown by the default ``AbstractModel/assign(undefinedValue:forProperty:)``. The mapper turns it into an error that names the
/// property's type.
struct UnassignedProperty: Error {}

extension MappedModel {
    /// Makes a deep copy and changes it.
    ///
    /// ```swift
    /// let renamed = try gist.copy { $0.name = "x" }
    /// ```
    ///
    /// - Throws: ``ModelError``, as ``AbstractModel/copy()``, or what the closure throws.
    public func copy(_ change: (Self) throws -> Void) throws -> Self {
        let copy = try copy()
        try change(copy)
        return copy
    }
}

/// The default implementations that need the class's property table. `Mapping/` makes ``AbstractModel`` conform.
protocol TableBacked: AbstractModel {
    /// ``AbstractModel/isEqual(to:)``.
    func isEqualByTable(_ other: AbstractModel) -> Bool
    /// Hashes what ``isEqualByTable(_:)`` compares, except the contents of containers.
    func hashByTable(into hasher: inout Hasher)
    /// ``AbstractModel/copy()``.
    func copyByTable<Model: AbstractModel>(as type: Model.Type) throws(ModelError) -> Model
}

/// The protocol of all model classes. Only ``AbstractModel`` conforms.
///
/// It exists so that a field's type can be opened to the static type of its class.
public protocol MappedModel: AbstractModel {}

extension AbstractModel: MappedModel {}
