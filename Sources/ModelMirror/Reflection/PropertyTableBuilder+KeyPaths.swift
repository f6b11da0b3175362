/// The explicit table: entries of a ``KeyPathTable`` → rows.
extension PropertyTableBuilder {
    func makeTable(_ explicit: KeyPathTable, _ object: AbstractModel) throws(InvalidModel) -> PropertyTable {
        var rows: [PropertyRow] = []
        for entry in explicit.entries {
            let mapping = entry.row.mapping
            let name = name(of: mapping, entry.key)
            guard !rows.contains(where: { $0.name == name }) else {
                throw fault(
                    name, "keyPathTable has two entries called \(name); give one of them a name in a KeyPathMapping")
            }
            guard let path = mapping.keyPath as? any ModelKeyPath else { throw unusable(mapping.keyPath, name) }
            rows.append(try path.row(name, mapping.converter ?? rules.converters[name], entry.key.places, object, self))
        }
        var others: [String: String] = [:]
        for field in levels.fields where !field.isHidden { others[field.name] = "is not listed in keyPathTable" }
        try rules.checkNames(Set(rows.map(\.name)), others: others, areKeysListed: true)
        try checkPlaces(rows)
        return PropertyTable(rows, by: rules, areKeysListed: true, bypassesObservation: false)
    }

    /// The name of an entry: its own, else that of the stored property of its type that resembles its key, else the key.
    private func name(of mapping: KeyPathMapping, _ key: PropertyKey) -> String {
        if let name = mapping.name { return name }
        guard case .key(let last)? = key.places.first?.last(where: { if case .key = $0 { true } else { false } }) else {
            return "\(mapping.keyPath)"
        }
        let folded = KeyStrategy.folded(last.utf8)
        let valueType = type(of: mapping.keyPath).valueType
        let field = levels.fields.first {
            $0.field.type == valueType && !$0.isHidden && KeyStrategy.folded($0.name.utf8) == folded
        }
        return field?.name ?? last
    }

    /// The error for a key path that is read-only or belongs to another class.
    private func unusable(_ path: AnyKeyPath, _ name: String) -> InvalidModel {
        let root = type(of: path).rootType
        if !(root is AbstractModel.Type) || !isSuperclass(root) { return fault(name, wrongRoot(root)) }
        return fault(
            name,
            "keyPathTable has a key path for \(name) that cannot be written; make the property a var with a setter")
    }

    fileprivate func wrongRoot(_ root: Any.Type) -> String {
        "keyPathTable has a key path of \(root), which is neither \(model) nor a superclass of it"
    }

    fileprivate func isSuperclass(_ root: Any.Type) -> Bool {
        root == AbstractModel.self || levels.chain.contains { $0 == root }
    }
}

/// A key path that can be written through a reference to a model; found by a cast.
private protocol ModelKeyPath {
    func row(
        _ name: String, _ converter: (any Converter)?, _ places: [[JSONPath.Step]], _ object: AbstractModel,
        _ builder: PropertyTableBuilder
    ) throws(InvalidModel) -> PropertyRow
}

extension ReferenceWritableKeyPath: ModelKeyPath where Root: AbstractModel {
    fileprivate func row(
        _ name: String, _ converter: (any Converter)?, _ places: [[JSONPath.Step]], _ object: AbstractModel,
        _ builder: PropertyTableBuilder
    ) throws(InvalidModel) -> PropertyRow {
        guard object is Root else { throw builder.fault(name, builder.wrongRoot(Root.self)) }
        return try builder.row(name, at: places, converter, .keyPath(self))
    }
}
