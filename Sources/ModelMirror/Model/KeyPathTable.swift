/// The explicit property table: JSON key → key path.
///
/// Only the listed properties are mapped. Every write goes through the key path: `willSet` and `didSet` run, computed properties
/// work, `@Observable` is notified, the compiler checks each entry, and no unsafe code writes the object.
///
/// ```swift
/// override class var keyPathTable: KeyPathTable? {
///     [
///         "id": \Gist.id,
///         "created_at": \Gist.createdAt,
///         ["title", "name"]: \Gist.title,
///         .path("owner", "login"): \Gist.ownerLogin,
///         "born": KeyPathMapping(\Gist.born, using: .secondsSince1970),
///     ]
/// }
/// ```
///
/// A key path does not contain its property's name. Hooks, errors and rules use the name in a ``KeyPathMapping``, otherwise the stored
/// property of that type whose name resembles the key (`created_at` → `createdAt`), otherwise the key. ``AbstractModel/keyStrategy``
/// and ``AbstractModel/propertyKeys`` have no effect. A subclass extends the table with ``adding(_:)``.
public struct KeyPathTable: ExpressibleByDictionaryLiteral {
    let entries: [(PropertyKey, any KeyPathRow)]

    /// Makes a table of the given entries, in this order.
    public init(dictionaryLiteral entries: (PropertyKey, any KeyPathRow)...) { self.entries = entries }

    private init(_ entries: [(PropertyKey, any KeyPathRow)]) { self.entries = entries }

    /// Returns this table with more entries at its end.
    ///
    /// ```swift
    /// override class var keyPathTable: KeyPathTable? { super.keyPathTable?.adding(["stars": \Repo.stars]) }
    /// ```
    public func adding(_ more: KeyPathTable) -> KeyPathTable { KeyPathTable(entries + more.entries) }
}

/// An entry of a ``KeyPathTable``: a key path or a ``KeyPathMapping``. Do not conform other types.
public protocol KeyPathRow: SendableMetatype {
    /// The key path, its converter and its name.
    var mapping: KeyPathMapping { get }
}

extension AnyKeyPath: KeyPathRow, StandardRow {
    fileprivate var standardMapping: KeyPathMapping { KeyPathMapping(keyPath: self, converter: nil, name: nil) }
}

/// A row that the library has, of which `mapping` is used through the protocol alone.
private protocol StandardRow: KeyPathRow { var standardMapping: KeyPathMapping { get } }

extension StandardRow {
    /// The row of the key path.
    public var mapping: KeyPathMapping { standardMapping }
}

/// A key path with a converter or a name.
public struct KeyPathMapping: KeyPathRow, StandardRow {
    let keyPath: AnyKeyPath
    let converter: (any Converter)?
    let name: String?
}

extension KeyPathMapping {
    /// Maps a property under a name, or with a converter for its type, its wrapped type or its elements.
    ///
    /// - Parameters:
    ///   - keyPath: A stored or computed property with a setter; in ``AbstractModel/additionalKeyPaths``, it may have none.
    ///   - converter: Reads and writes its values; nil for the converter of its type.
    ///   - name: The name of the entry in hooks, errors and rules; nil for the name of the property or the key.
    public init<Root: AbstractModel, Value>(
        _ keyPath: KeyPath<Root, Value>, using converter: (any Converter)? = nil, name: String? = nil
    ) { self.init(keyPath: keyPath, converter: converter, name: name) }

    fileprivate var standardMapping: KeyPathMapping { self }
}
