/// Makes the shapes of schemas: JSON Schema draft 4 to 2020-12, and the schemas of OpenAPI 3.
struct SchemaShapes {
    let document: SchemaDocument
    var graph = ShapeGraph()
    /// The records of references, so that recursion ends.
    var records: [String: Int] = [:]
    /// The references that are being followed.
    private var open: Set<String> = []

    init(_ root: Sample) { document = SchemaDocument(root: root) }

    /// Where a schema stands.
    struct Place {
        var name: String
        var isPlural = false
        var parent: Int?
        /// The reference that led there.
        var reference: String?

        /// The place of elements.
        var elements: Place { Place(name: name, isPlural: true, parent: parent) }
    }

    /// A schema's values, `null` aside, and what else must hold.
    struct Values {
        var value: ValueShape
        var isNullable = false
        var rules: [String] = []
    }

    // MARK: Values

    /// The values of a schema.
    ///
    /// - Throws: ``InferenceError/invalidSchema(reason:)`` for a reference that leads nowhere.
    mutating func values(_ schema: Sample, at place: Place) throws(InferenceError) -> Values {
        guard schema.members != nil else { return Values(value: .any, isNullable: true) }
        if let reference = schema["$ref"]?.text { return try referenced(reference, schema, at: place) }
        if let parts = schema["allOf"]?.elements, parts.count == 1, schema["properties"] == nil {
            var values = try values(parts[0], at: place)
            values.isNullable = values.isNullable || schema["nullable"]?.isTrue == true
            return values
        }
        let schema = try flattened(schema)
        if let ways = (schema["oneOf"] ?? schema["anyOf"])?.elements, schema["properties"] == nil {
            var values = try alternatives(ways, schema, at: place)
            values.isNullable = values.isNullable || schema["nullable"]?.isTrue == true
            return values
        }
        let kinds = SchemaShapes.kinds(of: schema)
        var isNullable = kinds.contains("null") || schema["nullable"]?.isTrue == true
        if schema["enum"]?.elements?.contains(where: \.isNull) == true { isNullable = true }
        var shapes: [ValueShape] = []
        for kind in kinds where kind != "null" {
            // A number may be an integer.
            if kind == "integer", kinds.contains("number") { continue }
            shapes.append(try shape(kind, schema, at: place))
        }
        if shapes.isEmpty { return Values(value: .any, isNullable: true) }
        if shapes.count > 1 { return Values(value: .choice(shapes.map(\.plain)), isNullable: isNullable) }
        return Values(value: shapes[0], isNullable: isNullable, rules: SchemaRules.rules(of: schema, for: shapes[0]))
    }

    private mutating func referenced(
        _ reference: String, _ schema: Sample, at place: Place
    ) throws(InferenceError) -> Values {
        if let known = records[reference] { return Values(value: .record(known)) }
        guard open.insert(reference).inserted else { return Values(value: .any, isNullable: true) }
        defer { open.remove(reference) }
        let name = SchemaDocument.name(of: reference)
        // What is defined once has its own name, whoever refers to it.
        let target = Place(name: name.isEmpty ? place.name : name, parent: nil, reference: reference)
        var values = try values(try document.value(at: reference), at: target)
        values.isNullable = values.isNullable || schema["nullable"]?.isTrue == true
        return values
    }

    private mutating func shape(
        _ kind: String, _ schema: Sample, at place: Place
    ) throws(InferenceError) -> ValueShape {
        switch kind {
        case "boolean": return .bool
        case "integer": return .number(.int)
        case "number": return .number(.double)
        case "string": return SchemaShapes.text(schema)
        case "array":
            guard let items = schema["items"], items.members != nil else { return .array(.any) }
            let values = try values(items, at: place.elements)
            return .array(values.isNullable && values.value != .any ? .optional(values.value) : values.value)
        case "object": return try object(schema, at: place)
        default: return .any
        }
    }

    /// The kinds that a schema says, or that its members are about.
    static func kinds(of schema: Sample) -> [String] {
        if let kind = schema["type"]?.text { return [kind] }
        if let kinds = schema["type"]?.elements { return kinds.compactMap(\.text) }
        let values = schema["enum"]?.elements ?? schema["const"].map { [$0] } ?? []
        if !values.isEmpty {
            var kinds: [String] = []
            for value in values {
                let kind = value.schemaKind
                if !kinds.contains(kind) { kinds.append(kind) }
            }
            return kinds
        }
        if schema["properties"] != nil || schema["required"] != nil || schema["additionalProperties"]?.members != nil {
            return ["object"]
        }
        if schema["items"] != nil { return ["array"] }
        if schema["format"] != nil || schema["pattern"] != nil { return ["string"] }
        return []
    }

    private static func text(_ schema: Sample) -> ValueShape {
        if let cases = schema["enum"]?.elements?.compactMap(\.text), cases.count >= 2 { return .enumeration(cases) }
        if schema["enum"] != nil || schema["const"] != nil { return .string }
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
        return .record(try record(schema, at: place))
    }

    /// Makes the record of a schema with properties.
    mutating func record(_ schema: Sample, at place: Place) throws(InferenceError) -> Int {
        let number = graph.records.count
        var record = RecordShape(name: place.name, isPlural: place.isPlural, parent: place.parent)
        record.comment = schema["description"]?.text.flatMap(SchemaShapes.line)
        record.rejectsOtherKeys = schema["additionalProperties"]?.isFalse == true
        graph.records.append(record)
        if let reference = place.reference { records[reference] = number }
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
            member.comment = property.value["description"]?.text.flatMap(SchemaShapes.line)
            members.append(member)
        }
        for key in required.sorted() where !members.contains(where: { $0.key == key }) {
            members.append(MemberShape(key: key, value: .any, isOptional: true))
        }
        graph.records[number].members = members
        graph.records[number].writesNulls = isAlwaysThere && members.contains(where: \.isOptional)
        return number
    }

    /// The first line of a description.
    static func line(_ text: String) -> String? {
        let line = text.split(whereSeparator: \.isNewline).first.map { $0.trimmingPrefix(while: \.isWhitespace) }
        guard let line, !line.isEmpty else { return nil }
        return line.count <= 120 ? String(line) : line.prefix(117) + "…"
    }

    /// A schema with the members of those that it must fulfil as well.
    func flattened(_ schema: Sample) throws(InferenceError) -> Sample {
        guard let parts = schema["allOf"]?.elements, let own = schema.members else { return schema }
        var members = own.filter { $0.key != "allOf" }
        for part in parts {
            var part = part
            var seen: Set<String> = []
            while let reference = part["$ref"]?.text, seen.insert(reference).inserted {
                part = try document.value(at: reference)
            }
            for member in try flattened(part).members ?? [] {
                guard let index = members.firstIndex(where: { $0.key == member.key }) else {
                    members.append(member)
                    continue
                }
                switch (members[index].value, member.value) {
                case (.object(let old), .object(let new)) where member.key == "properties":
                    let more = new.filter { candidate in !old.contains { $0.key == candidate.key } }
                    members[index].value = .object(more + old)
                case (.array(let old), .array(let new)) where member.key == "required":
                    members[index].value = .array(old + new)
                default: break
                }
            }
        }
        return .object(members)
    }
}

extension Sample {
    /// The type of a value as schemas call it.
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
