/// Converts schemas to shapes: JSON Schema draft 4 to 2020-12, and the schemas of OpenAPI 3.
struct SchemaShapes {
    let document: SchemaDocument
    var graph = ShapeGraph()
    /// The records of references, so that recursive schemas terminate.
    var records: [String: Int] = [:]
    /// The records of schemas that add to a reference, so that recursive ones terminate.
    private var extended: [Sample: Int] = [:]
    /// The records of unions by their schemas and discriminator, so that recursive ones terminate.
    var unions: [Sample: Int] = [:]
    /// The values of resolved references.
    private var known: [String: Values] = [:]
    /// The flattened schemas of references; see ``flattened(_:through:)``.
    var flat: [String: Sample] = [:]
    /// The records whose members are still to be filled in, and their schemas.
    private var pending: [(record: Int, schema: Sample)] = []
    /// The schemas of the records, which are to be checked for what their members do not express; null for several.
    var origins: [Int: Sample] = [:]
    /// The references that are being resolved.
    private var open: Set<String> = []
    /// The number of schemas around the current one, references followed.
    var depth = 0
    /// The largest depth: the stack of a thread may be small.
    private static let deepest = 200
    /// The number of schemas inside the outermost current one so far, and the largest: references with other keywords next to them are
    /// read again each time.
    private var count = 0
    private static let most = 100_000

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
        /// The schema as written, if all of it is about the values here.
        var schema: Sample?

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
        var rules = ValueRules()
        /// A constraint that no rule expresses, for the reader.
        var notice: String?

        init(value: ValueShape, isNullable: Bool = false, rules: ValueRules = ValueRules()) {
            (self.value, self.isNullable, self.rules) = (value, isNullable, rules)
        }

        /// A list or dictionary of values.
        init(_ elements: Values, in container: (ValueShape) -> ValueShape) {
            let isOptional = elements.isNullable && elements.value != .any
            value = container(isOptional ? .optional(elements.value) : elements.value)
            rules = ValueRules(elements: [elements.rules])
            notice = elements.notice
        }

        /// Values of several kinds.
        init(choice ways: [Values]) {
            value = .choice(ways.map(\.value))
            rules.cases = Dictionary(uniqueKeysWithValues: ways.map { ($0.value.choiceCase.label, $0.rules) })
        }

        /// The values of one kind in a choice: see ``ValueShape/plain``.
        var plain: Values {
            if case .enumeration(let cases, _) = value {
                return Values(value: .string, rules: ValueRules(own: [SchemaRules.oneOf(cases.map(\.literal))]))
            }
            return Values(value: value.plain, rules: value.plain == value ? rules : ValueRules())
        }
    }

    // MARK: Values

    /// The values of a schema.
    ///
    /// - Throws: ``InferenceError/invalidSchema(reason:)`` for a reference that does not resolve, and for a schema that contains
    ///   itself through `allOf`.
    mutating func values(_ schema: Sample, at place: Place) throws(InferenceError) -> Values {
        guard schema.members != nil else {
            let rules = schema.isFalse ? [".check(\"no value\") { @Sendable (_: JSONValue) in false }"] : []
            return Values(value: .any, isNullable: true, rules: ValueRules(own: rules))
        }
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
        place.schema = schema
        var schema = try flattened(schema)
        if let ways = (schema["oneOf"] ?? schema["anyOf"])?.elements {
            if schema["properties"] == nil {
                var values = try alternatives(ways, schema, at: place)
                values.isNullable = values.isNullable || schema["nullable"]?.isTrue == true
                return values
            }
            if !SchemaShapes.onlyRequire(ways) {
                schema = try withMembers(of: ways, schema, at: place)
                place.isFlattened = true
            }
        }
        let isNullable = SchemaShapes.allowsNull(schema)
        let kinds = SchemaShapes.kinds(of: schema)
        // `number` includes `integer`.
        let ownKinds = kinds.filter { $0 != "null" && !($0 == "integer" && kinds.contains("number")) }
        if ownKinds.isEmpty {
            let rules = kinds.isEmpty ? [] : [".oneOf([JSONValue.null])"]
            return Values(value: .any, isNullable: true, rules: ValueRules(own: rules))
        }
        var result = Values(value: .any)
        if ownKinds.count > 1 {
            var ways: [Values] = []
            for kind in ownKinds { ways.append(try values(of: kind, schema, at: place.withoutReference).plain) }
            // An unknown type may be any.
            guard !ways.contains(where: { $0.value == .any }) else { return Values(value: .any, isNullable: true) }
            result = Values(choice: ways)
        } else {
            result = try values(of: ownKinds[0], schema, at: place)
        }
        result.isNullable = isNullable
        return result
    }

    /// Counts a schema inside the current one.
    mutating func descend() throws(InferenceError) {
        count = depth == 0 ? 0 : count + 1
        depth += 1
        guard count <= SchemaShapes.most else {
            throw .invalidSchema(
                reason: "A schema leads to more than \(SchemaShapes.most) others; remove keywords next to references.")
        }
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

    /// The values of one type.
    private mutating func values(
        of kind: String, _ schema: Sample, at place: Place
    ) throws(InferenceError) -> Values {
        var values = Values(value: .any)
        switch kind {
        case "boolean": values.value = .bool
        case "integer": values.value = .number(SchemaRules.integerType(of: schema))
        case "number": values.value = .number(.double)
        case "string": values.value = SchemaShapes.text(schema, name: place.reference == nil ? nil : place.name)
        case "array":
            // Next to `prefixItems`, `items` is about the other elements.
            let items = schema["prefixItems"] == nil ? schema["items"] : nil
            values = Values(try self.values(items ?? .object([]), at: place.elements), in: ValueShape.array)
        case "object": values = try object(schema, at: place)
        default: break
        }
        values.rules.own = SchemaRules.rules(of: schema, for: values.value)
        values.notice = values.notice ?? SchemaRules.notice(of: schema, for: values.value)
        return values
    }

    /// The types that a schema declares, or that its keywords imply.
    static func kinds(of schema: Sample) -> [String] {
        if let kind = schema["type"]?.text { return [kind] }
        if let kinds = schema["type"]?.elements { return kinds.compactMap(\.text).withoutRepeats }
        if !schema.constants.isEmpty { return schema.constants.map(\.schemaKind).withoutRepeats }
        let isObject =
            schema["properties"] != nil || schema["required"] != nil || schema["additionalProperties"]?.members != nil
        let containers = (isObject ? ["object"] : []) + (schema["items"] == nil ? [] : ["array"])
        if !containers.isEmpty { return containers }
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

    private mutating func object(_ schema: Sample, at place: Place) throws(InferenceError) -> Values {
        let properties = schema["properties"]?.members ?? []
        if properties.isEmpty, schema["required"]?.elements?.isEmpty != false,
            place.reference == nil || place.parent != nil
                || schema["additionalProperties"] != nil || schema["patternProperties"] != nil
        {
            let ways = SchemaShapes.valueSchemas(of: schema)
            let inner = ways.count == 1 ? ways[0] : .object([Sample.Member(key: "anyOf", value: .array(ways))])
            var values = Values(try values(inner, at: place.elements), in: ValueShape.dictionary)
            let names = try schema["propertyNames"].map { names throws(InferenceError) in try flattened(names) }
            values.rules.keys = SchemaRules.keys(schema, names: names)
            return values
        }
        // A named schema has a class of its own.
        if place.isFlattened, place.reference == nil, let known = extended[schema] {
            note(place.schema, of: known)
            return Values(value: .record(known))
        }
        let record = record(schema, at: place)
        if place.isFlattened { extended[schema] = record }
        return Values(value: .record(record))
    }

    /// The schemas of the values of a dictionary.
    private static func valueSchemas(of schema: Sample) -> [Sample] {
        let patterns = schema["patternProperties"]?.members ?? []
        let others = schema["additionalProperties"].map { $0.isFalse ? [] : [$0] } ?? [.object([])]
        let areAll = patterns.contains { ["", ".*", "^.*$", ".+", "^.+$"].contains($0.key) }
        return (patterns.map(\.value) + (areAll ? [] : others)).withoutRepeats
    }

    /// Makes the record of a schema with properties; ``fillRecords()`` adds its members.
    mutating func record(_ schema: Sample, at place: Place) -> Int {
        let number = graph.records.count
        note(place.schema, of: number)
        var record = RecordShape(name: place.name, isPlural: place.isPlural, parent: place.parent)
        record.comment = schema["description"]?.text.flatMap(SchemaShapes.line)
        let keys = Set((schema["properties"]?.members ?? []).map(\.key))
        record.rejectsOtherKeys =
            schema["additionalProperties"]?.isFalse == true && schema.patternKeys.isEmpty
            || schema["unevaluatedProperties"]?.isFalse == true && !SchemaShapes.describesOthers(schema, than: keys)
        graph.records.append(record)
        if let reference = place.reference { records[reference] = number }
        pending.append((number, schema))
        return number
    }

    /// Whether a schema describes other members than those with the keys, which `unevaluatedProperties` leaves alone.
    private static func describesOthers(_ schema: Sample, than keys: Set<String>) -> Bool {
        let describing = [
            "patternProperties", "dependentSchemas", "if", "then", "else", "$ref", "$dynamicRef", "$recursiveRef",
            "allOf",
        ]
        return describing.contains { schema[$0] != nil }
            || ["additionalProperties", "unevaluatedProperties"].contains { schema[$0]?.isFalse == false }
            || !keys.isSuperset(of: (schema["properties"]?.members ?? []).map(\.key))
            || ["anyOf", "oneOf"].flatMap { schema[$0]?.elements ?? [] }.contains { describesOthers($0, than: keys) }
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
        addConditions()
        origins = [:]
    }

    private mutating func fill(_ number: Int, _ schema: Sample) throws(InferenceError) {
        var required = Set(SchemaShapes.required(schema))
        let dependencies = SchemaShapes.dependencies(of: schema)
        while let item = dependencies.first(where: { required.contains($0.key) && !required.isSuperset(of: $0.needed) })
        {
            required.formUnion(item.needed)
        }
        var members: [MemberShape] = []
        var isAlwaysThere = true
        var neverNull: Set<String> = []
        for property in schema["properties"]?.members ?? [] {
            let values = try values(property.value, at: Place(name: property.key, parent: number))
            let isRequired = required.contains(property.key)
            isAlwaysThere = isAlwaysThere && isRequired
            // A property that takes any value, `null` included, needs no Optional.
            let value = values.value.limited()
            let isNullable = values.isNullable && value != .any
            var member = MemberShape(
                key: property.key, value: value, isOptional: !isRequired || isNullable,
                isRequired: isRequired && !isNullable)
            if !values.isNullable { neverNull.insert(property.key) }
            member.rules = values.rules
            let comment = property.value["description"]?.text.flatMap(SchemaShapes.line)
            member.comment = [comment, values.notice].compactMap { $0 }.joined(separator: " ")
            if member.comment == "" { member.comment = nil }
            members.append(member)
        }
        for key in required.subtracting(members.map(\.key)).sorted() {
            members.append(MemberShape(key: key, value: .any, isOptional: false, isRequired: true))
        }
        if schema["additionalProperties"]?.isFalse == true, !schema.patternKeys.isEmpty {
            graph.records[number].otherKeys = SchemaRules.keys(schema, names: nil)
        }
        graph.records[number].members = members
        graph.records[number].writesNulls = isAlwaysThere && members.contains(where: \.isOptional)
        addPresence(schema, to: number, neverNull: neverNull)
    }

    /// Adds the rules for which members must be there.
    ///
    /// - Parameter neverNull: The keys whose properties are nil only if the key is missing.
    private mutating func addPresence(_ schema: Sample, to number: Int, neverNull: Set<String>) {
        let optional = Set(graph.records[number].members.filter(\.isOptional).map(\.key))
        let needed = optional.intersection(neverNull)
        let required = Set(graph.records[number].members.filter(\.isRequired).map(\.key))
        for key in ["anyOf", "oneOf"] {
            guard let ways = schema[key]?.elements, !ways.isEmpty, key == "anyOf" || SchemaShapes.onlyRequire(ways)
            else { continue }
            let sets = ways.map { SchemaShapes.required($0).filter { !required.contains($0) } }.withoutRepeats
            if sets.allSatisfy({ !$0.isEmpty && needed.isSuperset(of: $0) }) {
                graph.records[number].alternatives.append(KeyAlternatives(sets: sets, isExclusive: key == "oneOf"))
            }
        }
        for item in SchemaShapes.dependencies(of: schema) where optional.contains(item.key) {
            let keys = item.needed.filter(needed.contains)
            if !keys.isEmpty { graph.records[number].dependencies.append((item.key, keys)) }
        }
    }

    static func dependencies(of schema: Sample) -> [(key: String, needed: [String])] {
        ((schema["dependentRequired"] ?? schema["dependencies"])?.members ?? []).map { member in
            (member.key, (member.value.elements ?? []).compactMap(\.text))
        }
    }

    /// The keys that a schema requires.
    static func required(_ schema: Sample) -> [String] {
        (schema["required"]?.elements ?? []).compactMap(\.text)
    }

    /// Whether several schemas require members, and nothing else.
    static func onlyRequire(_ ways: [Sample]) -> Bool {
        ways.allSatisfy { way in
            !required(way).isEmpty
                && way.members?.allSatisfy { ["required", "type", "title", "description"].contains($0.key) } == true
        }
    }

    /// The first line of a description.
    static func line(_ text: String) -> String? {
        let line = text.split(whereSeparator: \.isNewline).first.map { $0.trimmingPrefix(while: \.isWhitespace) }
        guard let line, !line.isEmpty else { return nil }
        return (line.count <= 120 ? String(line) : line.prefix(117) + "…").withEscapedControls
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
        case .number(let text): Int128(text) == nil ? "number" : "integer"
        case .string: "string"
        case .array: "array"
        case .object: "object"
        }
    }
}
