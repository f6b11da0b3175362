/// Converts schemas to shapes: JSON Schema draft 4 to 2020-12, and the schemas of OpenAPI 3.
struct SchemaShapes {
    let document: SchemaDocument
    var graph = ShapeGraph()
    /// The records of references, so that recursive schemas terminate.
    var records: [String: Int] = [:]
    /// The records of schemas that add to a reference, so that recursive ones terminate.
    private var extended: [Sample: Int] = [:]
    /// The values of resolved references.
    private var known: [String: Values] = [:]
    /// The flattened schemas of references; see ``flattened(_:through:)``.
    private var flat: [String: Sample] = [:]
    /// The records whose members are still to be filled in, and their schemas.
    private var pending: [(record: Int, schema: Sample)] = []
    /// The references that are being resolved.
    private var open: Set<String> = []
    /// The number of schemas around the current one, references followed.
    private var depth = 0
    /// The largest depth: the stack of a thread may be small.
    private static let deepest = 200

    init(_ root: Sample) { document = SchemaDocument(root: root) }

    /// Where a schema is used.
    struct Place {
        var name: String
        var isPlural = false
        var parent: Int?
        /// The reference that led to the schema; nil if none did.
        var reference: String?
        /// Whether the schema was made from several.
        var isFlattened = false

        /// The place of elements.
        var elements: Place { Place(name: name, isPlural: true, parent: parent) }

        /// The place of one of several kinds of values, which the reference as a whole does not stand for.
        var withoutReference: Place {
            Place(name: name, isPlural: isPlural, parent: parent, isFlattened: isFlattened)
        }
    }

    /// A schema's values apart from `null`, and its other constraints.
    struct Values {
        var value: ValueShape
        var isNullable = false
        var rules: [String] = []
        /// A constraint that no rule expresses, for the reader.
        var notice: String?
    }

    // MARK: Values

    /// The values of a schema.
    ///
    /// - Throws: ``InferenceError/invalidSchema(reason:)`` for a reference that does not resolve, and for a schema that contains
    ///   itself through `allOf`.
    mutating func values(_ schema: Sample, at place: Place) throws(InferenceError) -> Values {
        guard schema.members != nil else { return Values(value: .any, isNullable: true) }
        try descend()
        defer { depth -= 1 }
        let parts = SchemaShapes.parts(of: schema)
        if parts.count == 1, schema["$ref"] != nil || schema["allOf"] != nil {
            let reference = parts[0].members?.count == 1 ? parts[0]["$ref"]?.text : nil
            var values =
                if let reference { try referenced(reference, at: place) } else { try values(parts[0], at: place) }
            values.isNullable = values.isNullable || schema["nullable"]?.isTrue == true
            return values
        }
        var place = place
        place.isFlattened = parts.count > 1
        var schema = try flattened(schema)
        if let ways = (schema["oneOf"] ?? schema["anyOf"])?.elements {
            if schema["properties"] == nil {
                var values = try alternatives(ways, schema, at: place)
                values.isNullable = values.isNullable || schema["nullable"]?.isTrue == true
                return values
            }
            schema = try withMembers(of: ways, schema, at: place)
        }
        let isNullable = SchemaShapes.allowsNull(schema)
        let kinds = SchemaShapes.kinds(of: schema)
        // `number` includes `integer`.
        let ownKinds = kinds.filter { $0 != "null" && !($0 == "integer" && kinds.contains("number")) }
        if ownKinds.isEmpty { return Values(value: .any, isNullable: true) }
        if ownKinds.count > 1 {
            var shapes: [ValueShape] = []
            for kind in ownKinds { shapes.append(try shape(kind, schema, at: place.withoutReference).plain) }
            return Values(value: .choice(shapes), isNullable: isNullable)
        }
        let shape = try shape(ownKinds[0], schema, at: place)
        return Values(
            value: shape, isNullable: isNullable, rules: SchemaRules.rules(of: schema, for: shape),
            notice: SchemaRules.notice(of: schema, for: shape))
    }

    /// Counts a schema inside the current one.
    private mutating func descend() throws(InferenceError) {
        depth += 1
        guard depth <= SchemaShapes.deepest else {
            throw .invalidSchema(
                reason:
                    "More than \(SchemaShapes.deepest) schemas are inside each other, through references too; flatten them."
            )
        }
    }

    /// The values of a reference's target, which has the same name wherever it is referenced.
    private mutating func referenced(_ reference: String, at place: Place) throws(InferenceError) -> Values {
        let reference = document.local(reference)
        if let known = known[reference] { return known }
        let target = try document.value(at: reference)
        if let number = records[reference] {
            return Values(value: .record(number), isNullable: SchemaShapes.allowsNull(try flattened(target)))
        }
        guard open.insert(reference).inserted else { return Values(value: .any, isNullable: true) }
        defer { open.remove(reference) }
        let name = SchemaDocument.name(of: reference)
        let values = try values(target, at: Place(name: name.isEmpty ? place.name : name, reference: reference))
        known[reference] = values
        return values
    }

    private mutating func shape(
        _ kind: String, _ schema: Sample, at place: Place
    ) throws(InferenceError) -> ValueShape {
        switch kind {
        case "boolean": return .bool
        case "integer": return .number(.int)
        case "number": return .number(.double)
        case "string": return SchemaShapes.text(schema, name: place.reference == nil ? nil : place.name)
        case "array":
            guard let items = schema["items"], items.members != nil else { return .array(.any) }
            let values = try values(items, at: place.elements)
            return .array(values.isNullable && values.value != .any ? .optional(values.value) : values.value)
        case "object": return try object(schema, at: place)
        default: return .any
        }
    }

    /// The types that a schema declares, or that its keywords imply.
    static func kinds(of schema: Sample) -> [String] {
        if let kind = schema["type"]?.text { return [kind] }
        if let kinds = schema["type"]?.elements { return kinds.compactMap(\.text).withoutRepeats }
        if !schema.constants.isEmpty { return schema.constants.map(\.schemaKind).withoutRepeats }
        if schema["properties"] != nil || schema["required"] != nil || schema["additionalProperties"]?.members != nil {
            return ["object"]
        }
        if schema["items"] != nil { return ["array"] }
        if schema["format"] != nil || schema["pattern"] != nil { return ["string"] }
        return []
    }

    /// Whether a schema itself allows `null`, references not followed.
    static func allowsNull(_ schema: Sample) -> Bool {
        schema["nullable"]?.isTrue == true || kinds(of: schema).contains("null")
            || schema.constants.contains(where: \.isNull)
            || (schema["oneOf"] ?? schema["anyOf"])?.elements?.contains(where: allowsNull) == true
    }

    /// - Parameter name: The name of the schema, which an enum takes too.
    private static func text(_ schema: Sample, name: String?) -> ValueShape {
        let cases = schema.constants.compactMap(\.text).withoutRepeats
        if cases.count >= 2 { return .enumeration(cases, name: name) }
        if !schema.constants.isEmpty { return .string }
        if schema["contentEncoding"]?.text == "base64" { return .data }
        switch schema["format"]?.text {
        case "date-time": return .date(.iso8601)
        case "date": return .date(.pattern("yyyy-MM-dd"))
        case "uri", "url": return .url
        case "uuid": return .uuid
        case "byte": return .data
        default: return .string
        }
    }

    // MARK: Objects

    private mutating func object(_ schema: Sample, at place: Place) throws(InferenceError) -> ValueShape {
        let properties = schema["properties"]?.members ?? []
        if properties.isEmpty, schema["required"]?.elements?.isEmpty != false,
            place.reference == nil || place.parent != nil
                || schema["additionalProperties"] != nil || schema["patternProperties"] != nil
        {
            let patterns = schema["patternProperties"]?.members?.first?.value
            guard
                let inner = [schema["additionalProperties"], patterns].compactMap({ $0 }).first(where: {
                    $0.members != nil
                })
            else { return .dictionary(.any) }
            let values = try values(inner, at: place.elements)
            return .dictionary(values.isNullable && values.value != .any ? .optional(values.value) : values.value)
        }
        if place.isFlattened, let known = extended[schema] { return .record(known) }
        let record = record(schema, at: place)
        if place.isFlattened { extended[schema] = record }
        return .record(record)
    }

    /// Makes the record of a schema with properties; ``fillRecords()`` adds its members.
    mutating func record(_ schema: Sample, at place: Place) -> Int {
        let number = graph.records.count
        var record = RecordShape(name: place.name, isPlural: place.isPlural, parent: place.parent)
        record.comment = schema["description"]?.text.flatMap(SchemaShapes.line)
        record.rejectsOtherKeys = schema["additionalProperties"]?.isFalse == true
        graph.records.append(record)
        if let reference = place.reference { records[reference] = number }
        pending.append((number, schema))
        return number
    }

    /// Adds the members of the records, level by level, since a chain of references may be too long for the stack.
    mutating func fillRecords() throws(InferenceError) {
        var next = 0
        while next < pending.count {
            let (number, schema) = pending[next]
            next += 1
            try fill(number, schema)
        }
        pending = []
    }

    private mutating func fill(_ number: Int, _ schema: Sample) throws(InferenceError) {
        let required = Set((schema["required"]?.elements ?? []).compactMap(\.text))
        var members: [MemberShape] = []
        var isAlwaysThere = true
        for property in schema["properties"]?.members ?? [] {
            let values = try values(property.value, at: Place(name: property.key, parent: number))
            let isRequired = required.contains(property.key)
            isAlwaysThere = isAlwaysThere && isRequired
            var member = MemberShape(
                key: property.key, value: values.value.simplified, isOptional: !isRequired || values.isNullable,
                isRequired: isRequired && !values.isNullable)
            member.rules = values.rules
            let comment = property.value["description"]?.text.flatMap(SchemaShapes.line)
            member.comment = [comment, values.notice].compactMap { $0 }.joined(separator: " ")
            if member.comment == "" { member.comment = nil }
            members.append(member)
        }
        for key in required.sorted() where !members.contains(where: { $0.key == key }) {
            members.append(MemberShape(key: key, value: .any, isOptional: true))
        }
        graph.records[number].members = members
        graph.records[number].writesNulls = isAlwaysThere && members.contains(where: \.isOptional)
    }

    /// The first line of a description.
    static func line(_ text: String) -> String? {
        let line = text.split(whereSeparator: \.isNewline).first.map { $0.trimmingPrefix(while: \.isWhitespace) }
        guard let line, !line.isEmpty else { return nil }
        return line.count <= 120 ? String(line) : line.prefix(117) + "…"
    }

    // MARK: Schemas that must all hold

    /// The keywords that constrain values; others only annotate.
    private static let constraints: Set<String> = [
        "$ref", "allOf", "anyOf", "oneOf", "type", "enum", "const", "format", "contentEncoding", "pattern", "minLength",
        "maxLength", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "items", "minItems",
        "maxItems", "properties", "patternProperties", "additionalProperties", "required", "minProperties",
        "maxProperties",
    ]

    /// The parts of a schema: its own keywords, its reference and the schemas of `allOf`, without parts that only annotate.
    private static func parts(of schema: Sample) -> [Sample] {
        let own = (schema.members ?? []).filter { $0.key != "$ref" && $0.key != "allOf" }
        let reference =
            schema["$ref"]?.text.map { [Sample.object([Sample.Member(key: "$ref", value: .string($0))])] } ?? []
        let others = (reference + (schema["allOf"]?.elements ?? [])).filter { part in
            part.members?.contains { constraints.contains($0.key) } == true
        }
        let says = own.contains { member in
            // Beside another part, `"type": "object"` adds nothing.
            constraints.contains(member.key)
                && (others.isEmpty || member.key != "type" || member.value.text != "object")
        }
        return (says ? [.object(own)] : []) + others
    }

    /// A schema with its references and `allOf` replaced by the keywords they stand for.
    ///
    /// - Parameter open: The references that led to the schema.
    /// - Throws: ``InferenceError/invalidSchema(reason:)`` for a reference that does not resolve or leads back to the schema.
    mutating func flattened(_ schema: Sample, through open: Set<String> = []) throws(InferenceError) -> Sample {
        guard let own = schema.members else { return schema }
        try descend()
        defer { depth -= 1 }
        var members = own.filter { $0.key != "$ref" && $0.key != "allOf" }
        if let reference = schema["$ref"]?.text.map(document.local) {
            guard !open.contains(reference) else {
                throw .invalidSchema(
                    reason: "The schema \"\(reference)\" is a part of itself; remove the reference in its allOf.")
            }
            let target =
                if let known = flat[reference] { known } else {
                    try flattened(try document.value(at: reference), through: open.union([reference]))
                }
            flat[reference] = target
            members.add(target)
        }
        for part in schema["allOf"]?.elements ?? [] { members.add(try flattened(part, through: open)) }
        return .object(members)
    }
}

extension [Sample.Member] {
    /// Adds the keywords of a schema that must also hold.
    fileprivate mutating func add(_ schema: Sample) {
        for member in schema.members ?? [] where member.key != "nullable" {
            guard let index = firstIndex(where: { $0.key == member.key }) else {
                append(member)
                continue
            }
            switch (self[index].value, member.value) {
            case (.object(let old), .object(let new)) where member.key == "properties":
                let more = new.filter { candidate in !old.contains { $0.key == candidate.key } }
                let joined = old.map { property in
                    let value = member.value[property.key].map { property.value.joined(with: $0) } ?? property.value
                    return Sample.Member(key: property.key, value: value)
                }
                self[index].value = .object(more + joined)
            case (.number(let old), .number(let new)):
                // The stricter of two limits.
                let isHigher = (Double(new) ?? 0) > (Double(old) ?? 0)
                let isLeast = member.key.hasPrefix("min") || member.key == "exclusiveMinimum"
                let isMost = member.key.hasPrefix("max") || member.key == "exclusiveMaximum"
                if isLeast && isHigher || isMost && !isHigher { self[index].value = member.value }
            case (.array(let old), .array(let new)) where member.key == "required":
                self[index].value = .array(old + new.filter { !old.contains($0) })
            default: break
            }
        }
    }
}

extension Sample {
    /// A schema that requires both to hold.
    fileprivate func joined(with other: Sample) -> Sample {
        guard self != other, var own = members, let others = other.members else { return self }
        guard !(own + others).contains(where: { $0.key == "$ref" || $0.key == "allOf" }) else {
            return .object([Member(key: "allOf", value: .array([self, other]))])
        }
        own.add(other)
        return .object(own)
    }
}

extension Array where Element: Hashable {
    var withoutRepeats: [Element] {
        var seen: Set<Element> = []
        return filter { seen.insert($0).inserted }
    }
}

extension Sample {
    /// The values that a schema's `const` or `enum` lists; empty without either.
    var constants: [Sample] { self["const"].map { [$0] } ?? self["enum"]?.elements ?? [] }

    /// The type of a value, as schemas name it.
    fileprivate var schemaKind: String {
        switch self {
        case .null: "null"
        case .bool: "boolean"
        case .number(let text): Int(text) == nil ? "number" : "integer"
        case .string: "string"
        case .array: "array"
        case .object: "object"
        }
    }
}
