import ModelMirrorFoundation

/// The rules of a class and its superclasses: the values of ``AbstractModel``'s overridable class properties.
///
/// Each class of the chain is queried, the root first, so that a subclass adds to its superclass's rules and wins where both
/// apply, whether or not it calls `super`.
final class ClassRules {
    let model: AbstractModel.Type
    let keyStrategy: KeyStrategy
    private(set) var propertyKeys: [String: PropertyKey] = [:]
    private(set) var ignored: Set<String> = []
    private(set) var readOnly: Set<String> = []
    private(set) var writeOnly: Set<String> = []
    private(set) var required: Set<String> = []
    private(set) var converters: [String: any Converter] = [:]
    private(set) var propertyRules: [String: any PropertyRule] = [:]
    private(set) var propertyDateFormats: [String: String] = [:]
    private(set) var dynamicTypes: [String: DynamicPropertyTypes] = [:]
    private(set) var redacted: Set<String> = []
    private(set) var flattened: Set<String> = []
    private(set) var sharedKeys: Set<String> = []
    let unknownKeysProperty: String?
    /// The form of dates, and the rule that sets it; nil for the form of all dates.
    let dates: Dates?
    /// Rules about properties that a superclass ignores, which they cannot change.
    private var voidRules: [(rule: String, name: String)] = []
    private(set) var options = MappingOptions()
    /// The table rules of the call, then those of the class.
    let tableRules: TableRules

    typealias Dates = (rule: String, converter: any Converter<Date>)

    /// - Parameters:
    ///   - chain: The class and its superclasses, the class itself last.
    ///   - call: The table rules of the call.
    init(_ model: AbstractModel.Type, chain: [AbstractModel.Type], call: TableRules = TableRules()) {
        self.model = model
        var dates: Dates?
        var strategy = KeyStrategy.exact
        let option = "MappingOptions.dates"
        // Subclasses inherit what they do not override, and a default that was never overridden has no effect.
        var last: [String: String] = ["keyStrategy": "exact"]
        // The rules that decide so far. Closures cannot be compared: one of the deciding rule is taken again, inherited or not.
        var (dateRule, keyRule) = ("", "")
        func overrides(_ rule: String, _ identity: String?, _ deciding: inout String) -> Bool {
            let text = identity ?? "custom"
            let isNew = last.updateValue(text, forKey: rule) != text
            guard isNew || identity == nil && rule == deciding else { return false }
            deciding = rule
            return true
        }
        for (number, level) in chain.enumerated() {
            if !ignored.isEmpty {
                // Only what the class adds to what it inherits.
                let alone = [level, chain[number - 1]].map { ClassRules($0, chain: [$0]).mappingRules }
                for (own, inherited) in zip(alone[0], alone[1]) {
                    let new = own.names.subtracting(inherited.names)
                    voidRules += new.intersection(ignored).ordered().map { (own.rule, $0) }
                }
            }
            let own = level.mappingOptions
            // Within one class, `dateFormats` and `keyStrategy` win over its options.
            if let form = own.dates, overrides("options.dates", form.ownIdentity, &dateRule) { dates = (option, form) }
            if case let formats = level.dateFormats, !formats.isEmpty, overrides("dateFormats", "\(formats)", &dateRule)
            {
                dates = ("dateFormats", .formats(formats))
            }
            if let own = own.keyStrategy, overrides("options.keyStrategy", own.identity, &keyRule) { strategy = own }
            if case let own = level.keyStrategy, overrides("keyStrategy", own.identity, &keyRule) { strategy = own }
            propertyKeys.merge(level.propertyKeys) { $1 }
            ignored.formUnion(level.ignoredProperties)
            readOnly.formUnion(level.readOnlyProperties)
            writeOnly.formUnion(level.writeOnlyProperties)
            required.formUnion(level.requiredProperties)
            converters.merge(level.propertyConverters) { $1 }
            propertyRules.merge(level.propertyRules) { $1 }
            dynamicTypes.merge(level.dynamicPropertyTypes) { $1 }
            redacted.formUnion(level.redactedProperties)
            flattened.formUnion(level.flattenedProperties)
            sharedKeys.formUnion(level.sharedKeys)
            propertyDateFormats.merge(level.propertyDateFormats) { $1 }
            options = own.over(options)
        }
        unknownKeysProperty = model.unknownKeysProperty
        tableRules = call.over(options.rules)
        self.dates = call.dates.map { (option, $0) } ?? dates
        keyStrategy = call.keyStrategy ?? strategy
    }

    /// The rules that decide how properties are mapped, and the properties they name.
    private var mappingRules: [(rule: String, names: Set<String>)] {
        [
            ("propertyKeys", Set(propertyKeys.keys)), ("readOnlyProperties", readOnly),
            ("writeOnlyProperties", writeOnly), ("requiredProperties", required),
            ("propertyConverters", Set(converters.keys)), ("propertyRules", Set(propertyRules.keys)),
            ("propertyDateFormats", Set(propertyDateFormats.keys)), ("dynamicPropertyTypes", Set(dynamicTypes.keys)),
            ("flattenedProperties", flattened),
        ]
    }

    /// Whether a rule about a property bears on how its values are converted.
    func converts(_ name: String) -> Bool {
        converters[name] != nil || propertyDateFormats[name] != nil || dynamicTypes[name] != nil
            || flattened.contains(name) || name == unknownKeysProperty
    }

    /// Whether the strategy finds keys in any spelling.
    var foldsKeys: Bool { if case .flexible = keyStrategy { true } else { false } }

    /// The properties that a rule names.
    var namedProperties: Set<String> { mappingRules.reduce(into: ignored) { $0.formUnion($1.names) } }

    /// Checks that every name in a rule is a property.
    ///
    /// - Parameters:
    ///   - properties: The names of the class's mappable properties.
    ///   - others: Stored properties that cannot be mapped, with the reason.
    ///   - areKeysListed: Whether the class lists its keys in a ``KeyPathTable``, so that ``propertyKeys`` have no effect.
    func checkNames(
        _ properties: @autoclosure () -> Set<String>, others: [String: String], areKeysListed: Bool
    ) throws(InvalidModel) {
        if let (rule, name) = voidRules.first {
            throw InvalidModel(
                model, of: name,
                "\(rule) names \(name.quotedForMessage), which a superclass ignores; a subclass cannot map it again")
        }
        // To ignore what cannot be mapped is not a mistake.
        let otherRules: [(rule: String, names: Set<String>)] = [
            ("ignoredProperties", ignored.subtracting(others.keys)),
            ("redactedProperties", redacted.subtracting(others.keys)),
            ("unknownKeysProperty", Set(unknownKeysProperty.map { [$0] } ?? [])),
        ]
        // The keys are the first rule.
        lazy var properties = properties()
        for (rule, names) in mappingRules.dropFirst(areKeysListed ? 1 : 0) + otherRules where !names.isEmpty {
            for name in names.ordered() where !properties.contains(name) {
                let reason = others[name] ?? "is not a stored property of \(model)" + name.suggestion(among: properties)
                throw InvalidModel(model, of: name, "\(rule) names \(name.quotedForMessage), which \(reason)")
            }
        }
    }
}

extension String {
    /// The most similar name, as the end of a sentence: ` (did you mean "check"?)`; empty if none is similar.
    ///
    /// A name that begins with this text counts as one edit away, if the text has three characters or more. A name is not similar if
    /// every character differs.
    package func suggestion(among names: some Sequence<String>) -> String {
        let (text, limit) = (lowercased(), Swift.min(Swift.max(2, count / 3), count - 1))
        let nearest = names.map { name in
            let candidate = name.lowercased()
            let isBeginning = count >= 3 && candidate.hasPrefix(text)
            return (name: name, distance: isBeginning ? 1 : candidate.editDistance(to: text))
        }.filter { $0.distance <= limit }.min { ($0.distance, $0.name) < ($1.distance, $1.name) }
        return nearest.map { " (did you mean \($0.name.quotedForMessage)?)" } ?? ""
    }
}

extension Collection where Element: Equatable {
    /// How many elements must be inserted, removed or replaced, or neighbors exchanged, to turn this into the other (Damerau and
    /// Levenshtein; no element is changed twice).
    func editDistance(to other: Self) -> Int {
        let (own, other) = (Array(self), Array(other))
        var rows = [Array(0...other.count)]
        for line in own.indices {
            rows.append([line + 1])
            for column in other.indices {
                let replaced = rows[line][column] + (own[line] == other[column] ? 0 : 1)
                var least = Swift.min(replaced, rows[line][column + 1] + 1, rows[line + 1][column] + 1)
                if line > 0, column > 0, own[line] == other[column - 1], own[line - 1] == other[column] {
                    least = Swift.min(least, rows[line - 1][column - 1] + 1)
                }
                rows[line + 1].append(least)
            }
        }
        return rows[own.count][other.count]
    }
}
