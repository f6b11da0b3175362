/// The base class of models: subclass it, declare `var`s, and they are filled from JSON by name.
///
/// Every stored property has a default or is Optional (`String!` counts as Optional; it does not mean required). A class with
/// an initialiser of its own restates `required init()`. Nothing else is to be declared; what can be overridden are rules
/// (class properties that return plain data) and hooks (methods).
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
/// Rules of a subclass are added to those of its superclass; where both speak, the subclass wins. There is no need to call
/// `super`. A name in a rule that is no property of the class is ``ModelError/invalidModel(_:)`` on first use.
///
/// Values are stored directly: `willSet`, `didSet`, setters of property wrappers and observation do not notice. `didMap()` is
/// called afterwards. `let`, `weak`, `unowned` and `lazy` properties are never written; use `private(set) var` for `let`.
///
/// Isolation: models are made on whatever thread or actor calls; they are not Sendable. Subclasses are nonisolated in targets
/// whose default isolation is the main actor, too.
nonisolated open class AbstractModel {
    /// An object with its declared defaults.
    public required init() {}

    // MARK: Rules

    /// Property name → where its value stands, for those whose JSON key is not made by ``keyStrategy``.
    open class var propertyKeys: [String: PropertyKey] { [:] }

    /// How JSON keys are made from property names that ``propertyKeys`` does not mention. Default: `.exact`.
    open class var keyStrategy: KeyStrategy { .exact }

    /// Names of properties that are neither read from JSON nor written to it.
    open class var ignoredProperties: Set<String> { [] }

    /// Names of properties that are only read from JSON, not written to it.
    open class var readOnlyProperties: Set<String> { [] }

    /// Names of properties that are only written to JSON, not read from it.
    open class var writeOnlyProperties: Set<String> { [] }

    /// Names of properties without which an object fails: a missing key, `null`, or a value that does not fit.
    open class var requiredProperties: Set<String> { [] }

    /// Property name → converter, for those whose type alone does not tell how their JSON looks.
    open class var propertyConverters: [String: any Converter] { [:] }

    /// Date patterns (Unicode TR 35), tried in order, for all dates of the class. Default: none, which reads ISO 8601 and
    /// `y-MM-dd HH:mm:ssZ`.
    open class var dateFormats: [String] { [] }

    /// Property name → date pattern, in place of the class's ``dateFormats``.
    open class var propertyDateFormats: [String: String] { [:] }

    /// The explicit property table: if it is not nil, only the properties that it lists are mapped, through key paths.
    /// Default: nil.
    open class var keyPathTable: KeyPathTable? { nil }

    /// How objects of the class are mapped, unless the call says otherwise.
    open class var mappingOptions: MappingOptions { MappingOptions() }

    // MARK: Hooks

    /// Whether the object fails because a property got no value.
    ///
    /// Asked once per property when the object has been read, in declared order, superclass first. You may also assign a
    /// value to the property here and return false; it stays.
    ///
    /// - Parameters:
    ///   - value: What does not fit, as plain Swift values (see ``JSONValue/any``); nil for a missing key and for `null`.
    ///   - property: The name of the property in Swift.
    /// - Returns: true to fail; false, the default, to go on with what the property has.
    open func shouldFail(withInvalidValue value: Any?, forProperty property: String) -> Bool { false }

    /// Takes the value for a property of a type that nothing converts.
    ///
    /// - Parameters:
    ///   - value: The JSON value as plain Swift values (see ``JSONValue/any``).
    ///   - property: The name of the property in Swift.
    /// - Throws: The default implementation throws ``ModelError/invalidModel(_:)``, naming the property, its type, and what
    ///   to do. Any other error becomes a failure of the property.
    open func assign(undefinedValue value: Any?, forProperty property: String) throws {
        throw UnassignedProperty()
    }

    /// Called once when the object has been read without a failure, after its nested objects.
    ///
    /// - Throws: Any error; it becomes a failure of the object.
    open func didMap() throws {}

    /// Called after ``didMap()``: report what is wrong with the values. What is reported fails the object, together with
    /// all other failures.
    open func validateModel(_ validation: inout ModelValidation) {}

    // MARK: Comparing and copying

    /// Whether another object is of the same class and has equal properties, nested objects included. Properties of
    /// ``ignoredProperties`` do not count; cycles are no obstacle. Objects of a class that cannot be mapped are equal only if
    /// they are one.
    open func isEqual(to other: AbstractModel) -> Bool {
        (self as any TableBacked).isEqualByTable(other)
    }

    /// A deep copy: a new object with copies of all mappable properties, ignored ones included; an object that is met twice
    /// is copied once. What cannot be mapped (`let`, `weak`, functions) has what `init()` gives it. Observers and `didMap` do
    /// not notice.
    ///
    /// - Throws: ``ModelError/invalidModel(_:)`` if the class cannot be mapped.
    open func copy() throws(ModelError) -> Self { try (self as any TableBacked).copyByTable(as: Self.self) }
}

/// What ``AbstractModel/assign(undefinedValue:forProperty:)`` throws unless it is overridden; the mapper, which knows the
/// property's type, makes the error of it.
struct UnassignedProperty: Error {}

/// What ``AbstractModel`` does by the class's property table where no override says otherwise; `Mapping/` makes it conform.
protocol TableBacked: AbstractModel {
    /// ``AbstractModel/isEqual(to:)``.
    func isEqualByTable(_ other: AbstractModel) -> Bool
    /// ``AbstractModel/copy()``.
    func copyByTable<Model: AbstractModel>(as type: Model.Type) throws(ModelError) -> Model
}

/// What the library knows of every model class. ``AbstractModel`` conforms; nothing else should.
///
/// It exists so that a field's type can be opened to the static type of its class.
public protocol MappedModel: AbstractModel {}

extension AbstractModel: MappedModel {}
