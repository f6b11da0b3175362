/// The rules of a class and its superclasses: the values of ``AbstractModel``'s overridable class properties.
///
/// Each class of the chain is queried, the root first, so that a subclass adds to its superclass's rules and wins where both
/// apply, whether or not it calls `super`.
struct ClassRules {
    let model: AbstractModel.Type
    let keyStrategy: KeyStrategy
    private(set) var propertyKeys: [String: PropertyKey] = [:]
    private(set) var ignored: Set<String> = []
    private(set) var readOnly: Set<String> = []
    private(set) var writeOnly: Set<String> = []
    private(set) var required: Set<String> = []
    private(set) var converters: [String: any Converter] = [:]
    private(set) var propertyDateFormats: [String: String] = [:]
    let dateFormats: [String]
    private(set) var options = MappingOptions()

    /// - Parameter chain: The class and its superclasses, the class itself last.
    init(_ model: AbstractModel.Type, chain: [AbstractModel.Type]) {
        self.model = model
        keyStrategy = model.keyStrategy
        dateFormats = model.dateFormats
        for level in chain {
            propertyKeys.merge(level.propertyKeys) { $1 }
            ignored.formUnion(level.ignoredProperties)
            readOnly.formUnion(level.readOnlyProperties)
            writeOnly.formUnion(level.writeOnlyProperties)
            required.formUnion(level.requiredProperties)
            converters.merge(level.propertyConverters) { $1 }
            propertyDateFormats.merge(level.propertyDateFormats) { $1 }
            options = level.mappingOptions.over(options)
        }
    }

    /// Checks that every name in a rule is a property.
    ///
    /// - Parameters:
    ///   - properties: The names of the class's mappable properties.
    ///   - others: Stored properties that cannot be mapped, with the reason.
    ///   - areKeysListed: Whether the class lists its keys in a ``KeyPathTable``, so that ``propertyKeys`` have no effect.
    func checkNames(
        _ properties: Set<String>, others: [String: String], areKeysListed: Bool = false
    ) throws(InvalidModel) {
        let mentions: [(rule: String, names: [String])] = [
            ("propertyKeys", areKeysListed ? [] : Array(propertyKeys.keys)), ("ignoredProperties", Array(ignored)),
            ("readOnlyProperties", Array(readOnly)), ("writeOnlyProperties", Array(writeOnly)),
            ("requiredProperties", Array(required)), ("propertyConverters", Array(converters.keys)),
            ("propertyDateFormats", Array(propertyDateFormats.keys)),
        ]
        for (rule, names) in mentions {
            for name in names.sorted() where !properties.contains(name) {
                if let reason = others[name] {
                    // To ignore what cannot be mapped is no mistake.
                    if rule == "ignoredProperties" { continue }
                    throw InvalidModel(
                        model: "\(model)", property: name,
                        reason: "\(rule) names \(name.quotedForMessage), which \(reason)")
                }
                throw InvalidModel(
                    model: "\(model)", property: name,
                    reason: "\(rule) names \(name.quotedForMessage), which is no stored property of \(model)"
                        + ClassRules.suggestion(for: name, among: properties))
            }
        }
    }

    /// The most similar name, as the end of a sentence; empty if none is similar.
    static func suggestion(for name: String, among candidates: Set<String>) -> String {
        let near = candidates.map { (name: $0, distance: $0.lowercased().editDistance(to: name.lowercased())) }
            .filter { $0.distance <= max(2, name.count / 3) }
            .min { ($0.distance, $0.name) < ($1.distance, $1.name) }
        return near.map { " (did you mean \($0.name.quotedForMessage)?)" } ?? ""
    }
}

extension String {
    /// How many characters must be inserted, removed or replaced to turn this text into the other (Levenshtein).
    func editDistance(to other: String) -> Int {
        let other = Array(other)
        var row = Array(0...other.count)
        for (line, character) in enumerated() {
            var diagonal = row[0]
            row[0] = line + 1
            for column in other.indices {
                let replaced = diagonal + (other[column] == character ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = Swift.min(replaced, row[column] + 1, diagonal + 1)
            }
        }
        return row[other.count]
    }
}
