/// The properties of a class and their JSON keys, listed by hand: the explicit property table.
///
/// With it, only the listed properties are mapped, every write goes through the key path (`willSet` and `didSet` run, computed
/// properties work, `@Observable` notices), the compiler checks each entry, and no unsafe code runs. Without it, the table is
/// made by reflection.
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
/// A key path does not know its property's name. In hooks, errors and the other rules an entry goes by the name of the stored
/// property that its key resembles (`created_at` → `createdAt`) and that has its type, else by its key; or by the name that a
/// ``KeyPathMapping`` gives. ``AbstractModel/keyStrategy`` and ``AbstractModel/propertyKeys`` have no effect on a class with such
/// a table. Subclasses inherit the table as any override; to add to it, use ``adding(_:)``.
public struct KeyPathTable: ExpressibleByDictionaryLiteral {
    let entries: [(key: PropertyKey, row: any KeyPathRow)]

    /// A table of the given entries, in the order in which they are written.
    public init(dictionaryLiteral entries: (PropertyKey, any KeyPathRow)...) {
        self.entries = entries.map { (key: $0.0, row: $0.1) }
    }

    private init(_ entries: [(key: PropertyKey, row: any KeyPathRow)]) { self.entries = entries }

    /// This table and more entries behind it.
    ///
    /// ```swift
    /// override class var keyPathTable: KeyPathTable? { super.keyPathTable?.adding(["stars": \Repo.stars]) }
    /// ```
    public func adding(_ more: KeyPathTable) -> KeyPathTable { KeyPathTable(entries + more.entries) }
}

/// What can stand in a ``KeyPathTable``: a key path, or a ``KeyPathMapping``. Not for conformances of your own.
public protocol KeyPathRow: SendableMetatype {
    /// The key path, its converter and its name.
    var mapping: KeyPathMapping { get }
}

extension AnyKeyPath: KeyPathRow {
    /// This key path, without a converter.
    public var mapping: KeyPathMapping { KeyPathMapping(keyPath: self, converter: nil, name: nil) }
}

/// A key path with a converter or a name.
public struct KeyPathMapping: KeyPathRow {
    let keyPath: AnyKeyPath
    let converter: (any Converter)?
    let name: String?

    /// A property that is read and written by a converter for its type, for what it wraps, or for its elements.
    ///
    /// - Parameters:
    ///   - keyPath: Leads to a stored or computed property that can be set.
    ///   - converter: How its values look in JSON.
    ///   - name: What the entry is called in hooks, errors and rules.
    public init<Root: AbstractModel, Value>(
        _ keyPath: ReferenceWritableKeyPath<Root, Value>, using converter: any Converter, name: String? = nil
    ) {
        self.init(keyPath: keyPath, converter: converter, name: name)
    }

    /// A property that is called by a name of your choice in hooks, errors and rules.
    public init<Root: AbstractModel, Value>(_ keyPath: ReferenceWritableKeyPath<Root, Value>, name: String) {
        self.init(keyPath: keyPath, converter: nil, name: name)
    }

    fileprivate init(keyPath: AnyKeyPath, converter: (any Converter)?, name: String?) {
        self.keyPath = keyPath
        self.converter = converter
        self.name = name
    }

    /// Itself.
    public var mapping: KeyPathMapping { self }
}
