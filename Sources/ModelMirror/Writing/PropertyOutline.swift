/// One stored property of a class as its table maps it, as text, for tools that display classes.
package struct PropertyOutline: Sendable {
    /// The name in Swift.
    package let name: String
    /// The keys and paths that are read, the preferred one first: `created_at`, `$.owner.login`; empty if no key leads to it.
    package private(set) var keys: [String] = []
    /// The declared type, as the runtime prints it.
    package let type: String
    /// The expected value, as the end of "expected …"; nil if nothing converts the type.
    package private(set) var expected: String?
    /// The rule of the class that converts it: `.secondsSince1970`, `CentsConverter`, `format "dd.MM.y"`; nil if the type does.
    package private(set) var converter: String?
    /// Whether the property must have a value.
    package private(set) var isRequired = false
    /// Whether it is read from JSON, and whether it is written.
    package private(set) var isRead = false, isWritten = false
    /// Whether it takes the keys that no other property takes.
    package private(set) var takesUnknownKeys = false
    /// Why the property is not mapped, as the end of "which …"; nil if it is.
    package private(set) var obstacle: String?
}

extension MappedModel {
    /// The properties of the class, superclass first, in declared order; those that cannot be mapped last.
    ///
    /// - Throws: ``ModelError/invalidModel(_:)`` if the class cannot be mapped.
    package static func propertyOutlines() throws(ModelError) -> [PropertyOutline] {
        let object = self.init()
        let table = try object.propertyTable()
        let builder = try Result { () throws(InvalidModel) in try PropertyTableBuilder(object) }
            .mapError(ModelError.invalidModel).get()
        let mapped = table.rows.map { row in
            PropertyOutline(
                name: row.name, keys: row.takesUnknownKeys ? [] : table.places(of: row).map(\.keyText),
                type: TypeShape.name(row.values.type), expected: row.isConvertible ? row.expected.words : nil,
                converter: builder.rules.converterText(row.name), isRequired: row.isRequired, isRead: row.isRead,
                isWritten: row.isWritten, takesUnknownKeys: row.takesUnknownKeys)
        }
        // In a class with key paths, properties without a row are left out on purpose.
        guard builder.explicit == nil else { return mapped }
        let others = builder.levels.fields.filter { $0.obstacle != nil && !$0.isHidden }
        return mapped
            + others.map { field in
                PropertyOutline(name: field.name, type: TypeShape.name(field.field.type), obstacle: field.obstacle)
            }
    }
}

extension [JSONPath.Step] {
    /// A single key as it is, a path in its notation.
    fileprivate var keyText: String { onlyKey ?? JSONPath(self).description }
}

extension ClassRules {
    /// The rule that converts a property, if one does.
    fileprivate func converterText(_ name: String) -> String? {
        if let converter = converters[name] { return converter.outlineText }
        if let format = propertyDateFormats[name] { return "format \(format.quotedForMessage)" }
        guard let rule = dynamicTypes[name] else { return nil }
        return "class by " + rule.key.places.map(\.keyText).joined(separator: ", ")
    }
}

extension Converter {
    fileprivate var outlineText: String {
        guard let built = self as? AnyConverter<Value> else { return "\(Self.self)" }
        return built.identity.map { ".\($0)" } ?? (built.embedsOrObject == nil ? "converter" : ".embeddedJSON")
    }
}
