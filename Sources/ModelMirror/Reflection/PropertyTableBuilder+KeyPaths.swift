/// Properties that a class lists by key paths: entries of a ``KeyPathTable`` → rows.
extension PropertyTableBuilder {
    /// The rows of a ``KeyPathTable``, or those beside the automatic ones, where a subclass's replaces its superclass's of the same name.
    func listedRows() throws(InvalidModel) -> [PropertyRow] {
        var entries: [ListedProperty] = []
        let own = explicit.map { [$0.adding(model.additionalKeyPaths)] }
        for table in own ?? levels.chain.map({ $0.additionalKeyPaths }) {
            var names: Set<String> = []
            for (key, row) in table.entries {
                let mapping = row.mapping
                let name = name(of: mapping, key)
                guard names.insert(name).inserted else {
                    throw fault(
                        name, "\(listName) has two entries called \(name); give one of them a name in a KeyPathMapping")
                }
                if let known = entries.firstIndex(where: { $0.name == name }) {
                    entries[known] = (name, key, mapping)
                } else {
                    entries.append((name, key, mapping))
                }
            }
        }
        return try entries.map { entry throws(InvalidModel) in try row(entry) }
    }

    private func row(_ entry: ListedProperty) throws(InvalidModel) -> PropertyRow {
        let root = type(of: entry.mapping.keyPath).rootType
        guard let superclass = root as? AbstractModel.Type, model.isSubclass(of: superclass) else {
            throw fault(
                entry.name, "\(listName) has a key path of \(root), which is neither \(model) nor a superclass of it")
        }
        guard let path = entry.mapping.keyPath as? any ModelKeyPath, path.isWritable || explicit == nil else {
            throw fault(
                entry.name,
                "\(listName) has a key path for \(entry.name) that cannot be written; make the property a var with a setter"
            )
        }
        return try path.row(entry, self)
    }

    /// The name of an entry: its own, otherwise that of the stored property of its type that resembles its key, otherwise the key.
    private func name(of mapping: KeyPathMapping, _ key: PropertyKey) -> String {
        if let name = mapping.name { return name }
        guard case .key(let last)? = key.places.first?.last(where: { if case .key = $0 { true } else { false } }) else {
            return "\(mapping.keyPath)"
        }
        let folded = KeyStrategy.folded(last.utf8)
        let valueType = type(of: mapping.keyPath).valueType
        let fields = levels.fields.filter { !$0.isHidden }
        let field = fields.first { $0.field.type == valueType && KeyStrategy.folded($0.name.utf8) == folded }
        // The storage of a property wrapper is of another type than its property.
        let wrapper = fields.first { $0.name.hasPrefix("_") && KeyStrategy.folded($0.wrappedName.utf8) == folded }
        return field?.name ?? wrapper?.wrappedName ?? last
    }
}

/// One entry of a table, with the name of its row.
typealias ListedProperty = (name: String, key: PropertyKey, mapping: KeyPathMapping)

/// A key path of a model; found by a cast.
private protocol ModelKeyPath {
    /// Whether it can be written through a reference to a model.
    var isWritable: Bool { get }
    func row(_ entry: ListedProperty, _ builder: PropertyTableBuilder) throws(InvalidModel) -> PropertyRow
}

extension KeyPath: ModelKeyPath where Root: AbstractModel {
    fileprivate var isWritable: Bool { self is ReferenceWritableKeyPath<Root, Value> }

    fileprivate func row(_ entry: ListedProperty, _ builder: PropertyTableBuilder) throws(InvalidModel) -> PropertyRow {
        try builder.row(entry.name, .keyPath(self), at: entry.key, by: entry.mapping.converter)
    }
}
