/// The class of an object and its superclasses up to ``AbstractModel``, with the stored properties of each, as reported
/// by the runtime and confirmed by `Mirror`.
struct ClassLevels {
    /// The classes, ``AbstractModel``'s direct subclass first.
    let chain: [AbstractModel.Type]
    /// All stored properties, superclass first.
    let fields: [StoredField]

    /// The levels of a class with a ``KeyPathTable``. No field is accessed, so nothing has to be confirmed, and hidden or stripped
    /// classes are accepted.
    init(listedBy object: AbstractModel) {
        let model = type(of: object)
        // Not by Mirror: a customMirror may suppress the superclasses, whose rules still apply.
        chain = model.lineage.prefix { $0 != AbstractModel.self }.reversed()
        fields = (RuntimeFields.of(model) ?? []).map {
            StoredField($0, isObservable: true, obstacle: "is not listed in keyPathTable")
        }
    }

    init(of object: AbstractModel) throws(InvalidModel) {
        let model = type(of: object)
        func fault(_ reason: String) -> InvalidModel { InvalidModel(model, reason) }

        var levels: [Mirror] = []
        var mirror: Mirror? = Mirror(reflecting: object)
        while let level = mirror, level.subjectType != AbstractModel.self {
            levels.insert(level, at: 0)
            mirror = level.superclassMirror
        }
        let hidden =
            "its customMirror does not show its stored properties as they are; remove it or list the properties in keyPathTable"
        chain = levels.compactMap { $0.subjectType as? AbstractModel.Type }
        guard mirror != nil, chain.count == levels.count, (chain.last ?? AbstractModel.self) == model else {
            throw fault(hidden)
        }

        guard !chain.isEmpty else { throw fault("it is the base class, which has no properties; map a subclass") }
        guard let found = RuntimeFields.of(model) else {
            throw fault(
                "its property names were stripped from the program; compile its module without -disable-reflection-names"
            )
        }
        // Each level separately: a class in another module may have been compiled with other flags.
        var (size, count) = (RuntimeFields.instanceSize(of: AbstractModel.self), 0)
        for level in chain {
            let (ownSize, ownCount) = (RuntimeFields.instanceSize(of: level), RuntimeFields.count(level))
            guard ownSize == size || ownCount > count else {
                throw fault(
                    (level == model ? "its" : "its superclass \(level)'s")
                        + " stored properties were stripped from the program; compile its module without "
                        + "-disable-reflection-metadata")
            }
            (size, count) = (ownSize, ownCount)
        }
        // A customMirror may claim any number of children, and another each time it is asked.
        let counts = levels.map { $0.children.count }
        guard counts.reduce(0, { $0.addingReportingOverflow($1).partialValue }) == found.count,
            counts.allSatisfy({ (0...found.count).contains($0) })
        else { throw fault(hidden) }

        var fields: [StoredField] = []
        for (level, count) in zip(levels, counts) {
            let own = found[fields.count..<fields.count + count]
            let isObservable = own.contains { $0.name == "_$observationRegistrar" }
            let children = level.children
            var next = children.startIndex
            // Index by index: for their sequence the runtime would search all conformances.
            fields += own.map { field in
                let index = next
                guard index != children.endIndex else { return StoredField(field, isObservable: isObservable) { nil } }
                next = children.index(after: index)
                return StoredField(field, isObservable: isObservable) { children[index] }
            }
        }
        self.fields = fields
    }
}
