/// Checks classes without a document; for use in tests.
///
/// ```swift
/// @Test func models() {
///     #expect(ModelCheck.check(Gist.self) == [])
///     #expect(ModelCheck.check(Event.self, assigned: ["payload"]) == [])
/// }
/// ```
public enum ModelCheck {
    /// The mistakes in a class and in all classes that its properties, ``DynamicTypeModel/dynamicTypes`` and
    /// ``AbstractModel/dynamicPropertyTypes`` refer to.
    ///
    /// Mapping finds a wrong rule at the first object, and a property whose type nothing converts only when a document has its
    /// key. This check finds both, and properties that are not written because another one is written to the same place.
    ///
    /// - Parameters:
    ///   - model: The class.
    ///   - assigned: Properties whose type nothing converts and that the class assigns in
    ///     ``AbstractModel/assign(undefinedValue:forProperty:)``: `payload`, or `File.payload` for a property of another class.
    ///   - options: The options to check with: dates and keys change how a class is mapped.
    /// - Returns: One mistake per class or property; empty if there are none.
    public static func check(
        _ model: AbstractModel.Type, assigned: Set<String> = [], options: MappingOptions = .init()
    ) -> [InvalidModel] {
        let walk = ModelWalk(options)
        func add<Model: MappedModel>(_ type: Model.Type) { _ = walk.reference(to: type) }
        add(model)
        var found: [InvalidModel] = []
        while let next = walk.pending.popLast() {
            if let dynamic = next as? any DynamicTypeModel.Type {
                let choice = DynamicTypeChoice.of(dynamic)
                if let fault = choice.fault { found.append(fault) }
                for type in choice.names.ordered(by: { $0.key < $1.key }).map(\.value) { add(type) }
            }
            let table: PropertyTable
            let defaults = next.init()
            do throws(InvalidModel) {
                table = try PropertyTableCache.table(for: defaults, walk.variant)
            } catch {
                found.append(error)
                continue
            }
            found += constants(of: next, defaults)
            let written = table.rows.filter(\.isWritten)
            for row in table.rows where row.isRead && !row.isRequired && table.options.requiresNonOptional != true {
                guard let check = row.values.rule?.check,
                    let broken = RuleForm.breaks(of: row.values.value(of: defaults), check).first
                else { continue }
                found.append(
                    InvalidModel(
                        model: "\(next)", property: row.name,
                        reason:
                            "the default of \(row.name), which stays where its key is missing, breaks its rule: expected "
                            + broken.expectation.words))
            }
            for row in table.rows where row.isRead || row.isWritten {
                // The whole of a member is written rather than a part of it, and the first of equal keys.
                let around = written.filter { row.places[0].starts(with: $0.places[0]) }
                if row.isWritten, let other = around.min(by: { $0.places[0].count < $1.places[0].count }), other !== row
                {
                    found.append(
                        InvalidModel(
                            model: "\(next)", property: row.name,
                            reason: other.places[0] == row.places[0]
                                ? "\(other.name) and \(row.name) have one key, to which only the first is written; name the "
                                    + "other in readOnlyProperties"
                                : "\(row.name) is not written, since its key is inside that of \(other.name); name it in "
                                    + "readOnlyProperties"))
                }
                if let rule = row.dynamicTypes {
                    for type in rule.types.ordered(by: { $0.key < $1.key }).map(\.value) { add(type) }
                    walk.tagged = {
                        rule.fallback == .baseClass && $0 != AbstractModel.self ? walk.reference(to: $0) : [:]
                    }
                }
                if row.isConvertible {
                    _ = row.values.schema(walk)
                } else if row.isRead, !assigned.contains("\(next).\(row.name)"),
                    next != model || !assigned.contains(row.name)
                {
                    found.append(table.undefinedTypeFault(row))
                }
            }
        }
        return found
    }

    /// The constants of a class, which no document can set, unless the class ignores them.
    private static func constants(of model: any MappedModel.Type, _ object: AbstractModel) -> [InvalidModel] {
        guard model.keyPathTable == nil, let levels = try? ClassLevels(of: object) else { return [] }
        let rules = ClassRules(model, chain: levels.chain)
        return levels.fields.filter { !$0.field.isVar && !$0.isHidden && !rules.ignored.contains($0.name) }.map {
            field in
            InvalidModel(
                model: "\(model)", property: field.name,
                reason:
                    "its property \(field.name) is a let, which is never written; use private(set) var, or name it in "
                    + "ignoredProperties")
        }
    }
}

/// Collects the classes that a class refers to, each once.
private final class ModelWalk: SchemaSink {
    var pending: [any MappedModel.Type] = []
    private var seen: Set<ObjectIdentifier> = []
    let variant: TableVariant?

    init(_ options: MappingOptions) {
        variant = TableVariant.of(options)
    }

    override func reference(to model: any MappedModel.Type) -> JSONValue {
        if seen.insert(ObjectIdentifier(model)).inserted { pending.append(model) }
        return [:]
    }
}
