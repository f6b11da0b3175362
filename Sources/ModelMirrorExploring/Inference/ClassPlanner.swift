/// Plans the classes of a graph: their names, properties and rules.
struct ClassPlanner {
    let graph: ShapeGraph
    private let style: KeyStyle?
    var names = TypeNames()
    /// The names of the records' classes.
    private(set) var classNames: [String] = []
    /// The subclasses of each record.
    private let subclasses: [Int: [Int]]
    /// The key plan of each family, which is a record and all its subclasses, by the number of the base.
    private var keyPlans: [Int: KeyPlan] = [:]
    /// The names of the enums and choices so far, by their content.
    private var enumNames: [String: String] = [:]
    private var choiceNames: [String: String] = [:]
    private(set) var declarations: [PlannedDeclaration] = []
    /// Further protocols that enums conform to, with a leading comma.
    var enumProtocols = ""
    /// The enums and choices of the class that is being planned.
    private var own: [PlannedDeclaration] = []
    /// The inferred types that the current declaration names.
    private var uses: [String] = []

    /// - Parameters:
    ///   - naming: The names that were given.
    ///   - keys: The style of the keys; nil to detect it for each class.
    static func plan(_ graph: ShapeGraph, _ naming: ClassNaming, keys: KeyStyle?) -> SourcePlan {
        var planner = ClassPlanner(graph, style: keys)
        planner.nameRecords(naming)
        planner.planClasses()
        let comments = graph.roots.map { planner.call(of: $0) }
        planner.declareOthers()
        return SourcePlan(
            comments: comments, imports: planner.names.imports, declarations: planner.declarations.leafFirst)
    }

    init(_ graph: ShapeGraph, style: KeyStyle?) {
        self.graph = graph
        self.style = style
        let based = graph.records.indices.filter { graph.records[$0].base != nil }
        subclasses = Dictionary(grouping: based) { graph.records[$0].base ?? 0 }
    }

    // MARK: Names of classes

    /// The root whose class gets the root name: of several parts, the first list.
    private var mainRoot: RootShape? {
        graph.roots.first { root in
            guard graph.roots.count > 1, root.path != [] else { return root.value.onlyRecord != nil }
            if case .record = root.value { return false }
            return root.value.onlyRecord != nil
        } ?? graph.roots.first { $0.value.onlyRecord != nil }
    }

    mutating func nameRecords(_ naming: ClassNaming) {
        classNames = Array(repeating: "", count: graph.records.count)
        names.prefix = naming.prefix
        if let main = mainRoot, let record = main.value.onlyRecord {
            let isObject = if case .record = main.value { true } else { false }
            if let name = naming.root {
                classNames[record] = name
                names.take(name)
            } else {
                let own = SwiftName.type(naming.document, isPlural: !isObject || naming.isOfList)
                let standard = isObject ? "Root" : "Item"
                classNames[record] = names.take(firstOf: own.isEmpty ? [standard] : [own, own + "Model"])
            }
        }
        for (index, root) in graph.roots.enumerated() where root.value.onlyRecord.map({ classNames[$0] == "" }) == true
        {
            let main = mainRoot?.value.onlyRecord.map { classNames[$0] } ?? "Root"
            if let record = root.value.onlyRecord { classNames[record] = names.take(firstOf: ["\(main)Part\(index)"]) }
        }
        for number in graph.records.indices where classNames[number].isEmpty {
            classNames[number] = name(of: graph.records[number])
        }
    }

    private mutating func name(of record: RecordShape) -> String {
        let parent = (record.base ?? record.parent).map { classNames[$0] } ?? ""
        let own = SwiftName.type(record.name, isPlural: record.isPlural)
        let words = SwiftName.words(of: record.name).map(SwiftName.capitalised).joined()
        if own.isEmpty {
            // The name begins with a digit, or has no letters.
            let number = words.isEmpty ? "" : (parent.isEmpty ? "Model" : parent) + words
            return names.take(firstOf: [number, parent + "Value"])
        }
        return names.take(
            firstOf: record.base == nil ? [own, parent + own, own + "Model"] : [own, own + parent, parent + own])
    }

    // MARK: Classes

    mutating func planClasses() {
        for number in graph.records.indices {
            (own, uses) = ([], [])
            let plan = plan(number)
            declarations.append(PlannedDeclaration(name: plan.name, declaration: .model(plan), uses: uses))
            declareOthers()
        }
    }

    /// Adds the declarations of enums and choices named since the last call.
    mutating func declareOthers() {
        declarations += own
        own = []
    }

    /// The keys of a record and all its subclasses.
    private func familyKeys(_ base: Int) -> [String] {
        var family = [base]
        var next = 0
        while next < family.count {
            family += subclasses[family[next]] ?? []
            next += 1
        }
        return family.flatMap { graph.records[$0].members.map(\.key) }
    }

    private mutating func keyPlan(_ number: Int) -> KeyPlan {
        let base = graph.ancestors(of: number).last ?? number
        if let known = keyPlans[base] { return known }
        var known: Set<String> = []
        let plan = KeyPlan(familyKeys(base).filter { known.insert($0).inserted }, style: style)
        keyPlans[base] = plan
        return plan
    }

    private mutating func plan(_ number: Int) -> ClassPlan {
        let record = graph.records[number]
        let keyPlan = keyPlan(number)
        var inheritance = record.base.map { classNames[$0] } ?? names.library("AbstractModel")
        if record.base != nil { uses.append(inheritance) }
        let ancestors = graph.ancestors(of: number).map { graph.records[$0] }
        let outer = ancestors.first { $0.union != nil }
        if record.union != nil && outer == nil || !record.conditions.isEmpty { inheritance += ", DynamicTypeModel" }
        var plan = ClassPlan(name: classNames[number], inheritance: inheritance, comment: record.comment)
        let inherited = Set(ancestors.flatMap { $0.members.map(\.key) })
        for member in record.members where !inherited.contains(member.key) {
            add(member, to: &plan, keyPlan, number)
        }
        addPresence(record, inherited: ancestors, to: &plan, keyPlan)
        if let rules = record.otherKeys, ancestors.allSatisfy({ $0.otherKeys == nil }) {
            var numbered = NumberedNames()
            let name = numbered.free("others") { !keyPlan.names.values.contains($0) }
            let members = ValueShape.dictionary(.any)
            plan.properties.append(
                PropertyPlan(declaration: "\(name): \(type(members, of: number, key: name)) = [:]"))
            plan.unknownKeysProperty = name
            // Rules are asked for rows, and the property of unknown keys has none.
            plan.validation += ValueRules(keys: rules).statements(name, "self.\(name)", members, isOptional: false)
        }
        if record.base == nil { plan.keyStrategy = keyPlan.strategy(for: familyKeys(number)) }
        if record.rejectsOtherKeys { plan.options.append("unknownKeys: .failures") }
        if record.writesNulls { plan.options.append("writesNulls: true") }
        plan.isSubclass = record.base != nil
        plan.conditions = record.conditions
        if let union = record.union {
            let names = typeNames(union, key: keyPlan.names[union.key] ?? union.key)
            uses += names.types.map(\.type)
            plan.union = names
            plan.union?.rejectsOthers = record.rejectsOtherNames
            plan.union?.outerRejectsOthers = outer?.rejectsOtherNames
        }
        return plan
    }

    /// Adds the rules for which members must be there, without those that the classes it inherits from have.
    private func addPresence(
        _ record: RecordShape, inherited: [RecordShape], to plan: inout ClassPlan, _ keyPlan: KeyPlan
    ) {
        func property(_ key: String) -> String { "self.\(SwiftName.quoted(keyPlan.names[key] ?? key))" }
        for (key, needed) in record.dependencies
        where !inherited.contains(where: { $0.dependencies.contains { $0 == (key, needed) } }) {
            plan.validation.add(
                "if \(property(key)) != nil",
                needed.map { "validation.require(\((keyPlan.names[$0] ?? $0).literal), \(property($0)), .notNil)" })
        }
        for ways in record.alternatives where !inherited.contains(where: { $0.alternatives.contains(ways) }) {
            let tests = ways.sets.map { $0.map { "\(property($0)) != nil" }.joined(separator: " && ") }
            let names = ways.sets.map { $0.joined(separator: " and ") }.joined(separator: " or ")
            let condition =
                ways.isExclusive ? "\(tests.list).count(where: { $0 }) != 1" : "!\(tests.list).contains(true)"
            let expected = "an object with \(ways.isExclusive ? "either " : "")\(names)"
            plan.validation.add("if \(condition)", ["validation.fail(expected: \(expected.literal))"])
        }
    }

    private func typeNames(_ tagged: TaggedShape, key: String) -> TypeNamesPlan {
        TypeNamesPlan(key: key, types: tagged.records.map { (tag: $0.tag, type: classNames[$0.record]) })
    }

    private mutating func add(_ member: MemberShape, to plan: inout ClassPlan, _ keyPlan: KeyPlan, _ number: Int) {
        var (value, rules) = (member.value, member.rules)
        // Type names are strings, not an enum, so that new ones can be read. The rules are about the enum's raw value.
        if graph.records[number].union?.key == member.key, case .enumeration = value {
            (value, rules) = (.string, ValueRules())
        }
        let name = keyPlan.names[member.key] ?? member.key
        let declaration = declaration(name, value, isOptional: member.isOptional, of: number, key: member.key)
        var comment = member.comment
        if case .date(let form) = value.innermost, form.isLocal { comment = "Without a time zone, so read as UTC." }
        plan.properties.append(PropertyPlan(declaration: declaration, comment: comment))
        if let key = keyPlan.listedKey(member.key) { plan.keys.append((name, key)) }
        if member.isRequired { plan.required.append(name) }
        if rules.isRule(value) {
            if let rule = rules.rule(value) { plan.rules.append((name, rule)) }
        } else {
            plan.validation += rules.statements(
                name, "self.\(SwiftName.quoted(name))", value, isOptional: member.isOptional)
        }
        switch value.innermost {
        case .date(.pattern(let pattern)): plan.dateFormats.append((name, pattern))
        case .date(let form): if let converter = form.converter { plan.converters.append((name, converter)) }
        case .color(let form): if let converter = form.converter { plan.converters.append((name, converter)) }
        case .tagged(let tagged):
            let names = typeNames(tagged, key: KeyForms.unmarked(tagged.key))
            uses += names.types.map(\.type)
            plan.dynamicProperties.append((name, names))
        default: break
        }
    }

    private mutating func declaration(
        _ name: String, _ value: ValueShape, isOptional: Bool, of record: Int, key: String
    ) -> String {
        let name = SwiftName.quoted(name)
        let type = type(value, of: record, key: key)
        if case .optional = value { return "\(name): \(type)" }
        if isOptional { return "\(name): \(type)?" }
        switch value {
        case .bool: return "\(name) = false"
        case .number(.int): return "\(name) = 0"
        case .number(.double): return "\(name) = 0.0"
        case .number: return "\(name): \(type) = 0"
        case .string: return "\(name) = \"\""
        case .array: return "\(name): \(type) = []"
        case .dictionary: return "\(name): \(type) = [:]"
        case .any: return "\(name): \(type) = .null"
        default: return "\(name): \(type)!"
        }
    }

    // MARK: Types

    /// The Swift type of values.
    mutating func type(_ value: ValueShape, of record: Int?, key: String) -> String {
        switch value {
        case .any: return names.library("JSONValue")
        case .bool: return names.library("Bool")
        case .number(let type): return names.library(type.rawValue)
        case .string: return names.library("String")
        case .date: return names.library("Date")
        case .url: return names.library("URL")
        case .uuid: return names.library("UUID")
        case .data: return names.library("Data")
        case .color: return names.library("RGBAColor")
        case .record(let number): return used(classNames[number])
        case .tagged: return names.library("AbstractModel")
        case .array(let element): return "[\(type(element, of: record, key: key))]"
        case .dictionary(let element): return "[\(names.library("String")): \(type(element, of: record, key: key))]"
        case .optional(let value): return type(value, of: record, key: key) + "?"
        case .enumeration(let cases, let name?):
            return used(enumeration(cases, candidates: candidates(name, record, isPlural: false)))
        case .enumeration(let cases, nil): return used(enumeration(cases, candidates: candidates(key, record)))
        case .choice(let values): return used(choice(values, of: record, key: key))
        case .nested(let values, let holdsNulls):
            return used(choice(values, lists: holdsNulls ? "?" : "", of: record, key: key))
        }
    }

    /// Notes that the current declaration names an inferred type.
    private mutating func used(_ name: String) -> String {
        uses.append(name)
        return name
    }

    private func candidates(_ key: String, _ record: Int?, isPlural: Bool = true) -> [String] {
        let name = SwiftName.type(key, isPlural: isPlural)
        let parent = record.map { classNames[$0] } ?? ""
        return [name, parent + (name.isEmpty ? "Value" : name)]
    }

    private mutating func enumeration(_ raws: [String], candidates: [String]) -> String {
        let identity = candidates[0] + "\n" + raws.joined(separator: "\n")
        if let known = enumNames[identity] { return known }
        let name = names.take(firstOf: candidates)
        enumNames[identity] = name
        var used: Set<String> = []
        var numbered = NumberedNames()
        var cases = raws.map { raw in
            var name = SwiftName.property(raw)
            if ["init", "self", "Type", "Protocol", "allCases", "unknownCase"].contains(name) { name += "Value" }
            name = numbered.free(name) { !used.contains($0) }
            used.insert(name)
            return (name: name, raw: raw)
        }
        if graph.hasOpenEnums, !used.contains("unknown") { cases.append((name: "unknown", raw: "unknown")) }
        let protocols = "CaseIterable" + (graph.hasOpenEnums ? ", UnknownCase" : "") + enumProtocols
        let plan = EnumPlan(
            name: name, protocols: protocols, cases: cases, unknown: graph.hasOpenEnums ? "unknown" : nil)
        own.append(PlannedDeclaration(name: name, declaration: .enumeration(plan), uses: []))
        return name
    }

    private mutating func choice(_ values: [ValueShape], lists: String? = nil, of record: Int?, key: String) -> String {
        let candidates = candidates(key, record)
        let identity = candidates[0] + "\n\(lists ?? "-")\(values)"
        if let known = choiceNames[identity] { return known }
        let name = names.take(firstOf: candidates)
        choiceNames[identity] = name
        let outerUses = uses
        uses = []
        var cases = values.map { value in
            let (label, kind, expected) = value.choiceCase
            return ChoicePlan.Case(
                name: label, kind: kind, expected: expected, type: type(value, of: record, key: key),
                json: value.json("value"))
        }
        if let lists {
            let list = ChoicePlan.Case(
                name: "list", kind: "array", expected: "an array", type: "[\(name)\(lists)]",
                json: ".array(try value.map { try $0\(lists).json()\(lists.isEmpty ? "" : " ?? .null") })")
            cases.append(list)
        }
        let plan = ChoicePlan(name: name, cases: cases)
        own.append(PlannedDeclaration(name: name, declaration: .choice(plan), uses: uses))
        uses = outerUses
        return name
    }

    // MARK: The call that reads the document

    private mutating func call(of root: RootShape) -> String {
        let type = type(root.value, of: nil, key: "root_value")
        let place = root.path.isEmpty ? "" : ", at: \(root.path)"
        let record = root.value.onlyRecord
        let className = record.map { classNames[$0] } ?? "value"
        var variable = SwiftName.property(className)
        let isUnion = record.map { graph.records[$0].union != nil || !graph.records[$0].conditions.isEmpty } ?? false
        switch root.value {
        case .record where !isUnion: return "let \(SwiftName.quoted(variable)) = try \(type)(json: data\(place))"
        case .array(.record), .dictionary(.record):
            return "let \(SwiftName.quoted(SwiftName.plural(variable))) = try \(type)(json: data\(place))"
        case .record: break
        default:
            variable = record == nil ? "value" + root.path.map { "\($0)" }.joined() : SwiftName.plural(variable)
        }
        return "let \(SwiftName.quoted(variable)) = try JSONMapper.value(\(type).self, from: data\(place))"
    }
}
