/// Writes declarations as Swift source.
struct SwiftText {
    private var lines: [String] = []

    /// The maximum length of a line, unless a single entry is longer.
    private static let width = 120

    init(_ plan: SourcePlan) {
        lines = plan.comments.map { "// \($0)" }
        lines.append("")
        lines += (plan.imports.union(["ModelMirror"])).sorted().map { "import \($0)" }
        for group in plan.declarations {
            lines.append("")
            // The REPL compiles all that is between these lines at once.
            if group.count > 1 {
                lines.append("#if true  // These types use each other, so that the REPL compiles them together.")
            }
            for (index, declaration) in group.enumerated() {
                if index > 0 { lines.append("") }
                write(declaration)
            }
            if group.count > 1 { lines.append("#endif") }
        }
    }

    private mutating func write(_ declaration: SourcePlan.Declaration) {
        switch declaration {
        case .model(let plan): write(plan)
        case .enumeration(let plan): write(plan)
        case .choice(let plan): write(plan)
        case .text(let text): lines += text
        }
    }

    /// The source, with a final line break.
    var source: String { lines.joined(separator: "\n") + "\n" }

    // MARK: Classes

    private mutating func write(_ plan: ClassPlan) {
        if let comment = plan.comment { lines.append("/// \(comment)") }
        lines.append("class \(SwiftName.quoted(plan.name)): \(plan.inheritance) {")
        for property in plan.properties {
            if let comment = property.comment { lines.append("    /// \(comment)") }
            lines.append("    var \(property.declaration)")
        }
        var rules: [[String]] = []
        if let union = plan.union { rules += SwiftText.rules(of: union) }
        if !plan.conditions.isEmpty { rules += SwiftText.rules(of: plan.conditions) }
        if let strategy = plan.keyStrategy {
            rules.append(["override class var keyStrategy: KeyStrategy { \(strategy) }"])
        }
        func rule(_ head: String, _ entries: [String]) {
            if !entries.isEmpty { rules.append(SwiftText.rule("override class var \(head)", entries)) }
        }
        rule("propertyKeys: [String: PropertyKey]", plan.keys.map { "\($0.0.literal): \($0.1.literal)" })
        rule("requiredProperties: Set<String>", plan.required.map(\.literal))
        rule("propertyRules: [String: any PropertyRule]", plan.rules.map { "\($0.0.literal): \($0.1)" })
        rule("propertyDateFormats: [String: String]", plan.dateFormats.map { "\($0.0.literal): \($0.1.literal)" })
        rules += SwiftText.converters(plan.converters)
        rules += SwiftText.rules(of: plan.dynamicProperties)
        if let property = plan.unknownKeysProperty {
            rules.append(["override class var unknownKeysProperty: String? { \(property.literal) }"])
        }
        if !plan.options.isEmpty {
            let options = plan.options.joined(separator: ", ")
            rules.append(["override class var mappingOptions: MappingOptions { MappingOptions(\(options)) }"])
        }
        if !plan.validation.isEmpty { rules.append(SwiftText.validation(plan)) }
        if !rules.isEmpty, !plan.properties.isEmpty { lines.append("") }
        lines += rules.flatMap { $0 }.map { "    " + $0 }
        lines.append("}")
    }

    /// The rule for converters; a long one that several properties share is written once.
    private static func converters(_ converters: [(String, String)]) -> [[String]] {
        let head = "override class var propertyConverters: [String: any Converter]"
        let long = converters.filter { $0.1.hasPrefix(".converting") }.map(\.1)
        guard let first = long.first, long.count > 1, Set(long).count == 1 else {
            return converters.isEmpty ? [] : [rule(head, converters.map { "\($0.0.literal): \($0.1)" })]
        }
        let entries = converters.map { "\($0.0.literal): \($0.1 == first ? "hex" : $0.1)" }
        let lines = ["\(head) {", "    let hex = AnyConverter<RGBAColor>\(first)"]
        return [lines + ["    return ["] + filled(entries).map { "    " + $0 } + ["    ]", "}"]]
    }

    /// The rules of a class whose objects name their subclass. The topmost one implements a protocol, so it has no `override`.
    private static func rules(of union: TypeNamesPlan) -> [[String]] {
        let start = union.outerRejectsOthers == nil ? "class var" : "override class var"
        var rules = [
            ["\(start) typeNameProperty: String { \(union.key.literal) }"],
            rule("\(start) dynamicTypes: [String: AbstractModel.Type]", union.entries),
        ]
        if union.rejectsOthers != union.outerRejectsOthers ?? false {
            let fallback = union.rejectsOthers ? ".failure" : ".baseClass"
            rules.append(["\(start) dynamicTypeFallback: DynamicTypeFallback { \(fallback) }"])
        }
        return rules
    }

    /// The rules of a class that refuses objects: no class is chosen for them.
    private static func rules(of conditions: [String]) -> [[String]] {
        // In parentheses a closure is not taken for the statement's body.
        let checks = conditions.map { "    guard \($0.contains("{") ? "(\($0))" : $0) else { return nil }" }
        return [
            ["/// No class for an object without what the schema requires besides the properties and their rules."],
            ["class func dynamicType(for value: JSONValue) -> AbstractModel.Type? {"] + checks + [
                "    return self", "}",
            ],
            ["class var dynamicTypeFallback: DynamicTypeFallback { .failure }"],
        ]
    }

    private static func validation(_ plan: ClassPlan) -> [String] {
        let first = plan.isSubclass ? ["super.validateModel(&validation)"] : []
        let lines = (first + plan.validation).map { "    \($0)" }
        return ["override func validateModel(_ validation: inout ModelValidation) {"] + lines + ["}"]
    }

    /// The rule for properties whose class a sibling member names.
    private static func rules(of properties: [(property: String, names: TypeNamesPlan)]) -> [[String]] {
        if properties.isEmpty { return [] }
        var lines = ["override class var dynamicPropertyTypes: [String: DynamicPropertyTypes] {", "    ["]
        for (property, names) in properties {
            lines.append("        \(property.literal): DynamicPropertyTypes(")
            lines += ["            named: \(names.key.literal),", "            ["]
            lines += filled(names.entries).map { "        " + $0 }
            lines.append("            ], otherwise: .failure),")
        }
        return [lines + ["    ]", "}"]]
    }

    /// A property that returns a list: on one line, or with as many entries per line as fit.
    private static func rule(_ head: String, _ entries: [String]) -> [String] {
        let short = "\(head) { \(entries.list) }"
        if short.count <= width - 4 { return [short] }
        return ["\(head) {", "    ["] + filled(entries) + ["    ]", "}"]
    }

    /// Entries with commas, as many per line as fit.
    private static func filled(_ entries: [String]) -> [String] {
        var lines: [String] = []
        var line = ""
        for entry in entries {
            if !line.isEmpty, line.count + entry.count + 15 > width {
                lines.append("        " + line)
                line = ""
            }
            line += (line.isEmpty ? "" : " ") + entry + ","
        }
        return lines + ["        " + line]
    }

    // MARK: Enums

    private mutating func write(_ plan: EnumPlan) {
        lines.append("enum \(plan.name): String, \(plan.protocols) {")
        let cases = plan.cases.map { item in
            let name = SwiftName.quoted(item.name)
            return item.name == item.raw ? name : "\(name) = \(item.raw.literal)"
        }
        let short = "    case " + cases.joined(separator: ", ")
        if short.count <= SwiftText.width { lines.append(short) } else { lines += cases.map { "    case \($0)" } }
        if let unknown = plan.unknown {
            lines += ["", "    static var unknownCase: \(plan.name) { .\(unknown) }"]
        }
        lines.append("}")
    }

    private mutating func write(_ plan: ChoicePlan) {
        lines.append("enum \(plan.name): JSONConvertible {")
        lines += plan.cases.map { "    case \($0.name)(\($0.type))" }
        lines += ["", "    init(json: JSONValue) throws {", "        switch json {"]
        lines += plan.cases.map {
            "        case .\($0.kind): self = .\($0.name)(try JSONMapper.value(from: json, options: .strict))"
        }
        let expected = plan.cases.map(\.expected).joined(separator: " or ")
        lines.append("        default: throw ConversionError(expected: \(expected.literal))")
        lines += ["        }", "    }", "", "    func json() throws -> JSONValue {", "        switch self {"]
        lines += plan.cases.map { "        case .\($0.name)(let value): \($0.json)" }
        lines += ["        }", "    }", "}"]
    }
}
