/// Plans the classes of a graph: names, properties and rules.
struct ClassPlanner {
    let graph: ShapeGraph
    private let style: KeyStyle?
    var names = TypeNames()
    /// The names of the records' classes.
    private(set) var classNames: [String] = []
    /// The rules of each family: a record and those that have it as their base.
    private var keyPlans: [Int: KeyPlan] = [:]
    /// Enums and choices that have a name, by what they are.
    private var enumNames: [String: String] = [:]
    private var choiceNames: [String: String] = [:]
    private(set) var declarations: [SourcePlan.Declaration] = []
    /// What enums conform to besides, with a comma in front.
    var enumProtocols = ""
    /// The enums and choices of the class that is being planned.
    private var own: [SourcePlan.Declaration] = []

    /// - Parameters:
    ///   - rootName: The name of the root's class; nil for the default.
    ///   - keys: The style of the keys; nil to find it for each class.
    static func plan(_ graph: ShapeGraph, rootName: String?, keys: KeyStyle?) -> SourcePlan {
        var planner = ClassPlanner(graph, style: keys)
        planner.nameRecords(rootName: rootName)
        planner.planClasses()
        let comments = graph.roots.map { planner.call(of: $0) }
        return SourcePlan(comments: comments, imports: planner.names.imports, declarations: planner.declarations)
    }

    init(_ graph: ShapeGraph, style: KeyStyle?) {
        self.graph = graph
        self.style = style
    }

    // MARK: Names of classes

    /// The root that gives its name to a class: of several parts the first list.
    private var mainRoot: RootShape? {
        graph.roots.first { root in
            guard graph.roots.count > 1, root.path != [] else { return root.value.onlyRecord != nil }
            if case .record = root.value { return false }
            return root.value.onlyRecord != nil
        } ?? graph.roots.first { $0.value.onlyRecord != nil }
    }

    mutating func nameRecords(rootName: String?) {
        classNames = Array(repeating: "", count: graph.records.count)
        var isDefault = false
        if let main = mainRoot, let record = main.value.onlyRecord {
            if case .record = main.value { isDefault = true }
            let name = rootName ?? (isDefault ? "Root" : "Item")
            classNames[record] = name
            names.take(name)
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
        if own.isEmpty { return names.take(firstOf: [parent + words, parent + "Value"]) }
        return names.take(
            firstOf: record.base == nil ? [own, parent + own, own + "Model"] : [own, own + parent, parent + own])
    }

    // MARK: Classes

    mutating func planClasses() {
        for number in graph.records.indices {
            own = []
            let plan = plan(number)
            declarations.append(.model(plan))
            declareOthers()
        }
    }

    /// Adds the enums and choices that were named since the classes were planned.
    mutating func declareOthers() {
        declarations += own
        own = []
    }

    /// The records whose objects have a record's members.
    private func family(_ number: Int) -> [Int] {
        var root = number
        while let base = graph.records[root].base { root = base }
        var members = [root]
        var next = 0
        while next < members.count {
            members += graph.records.indices.filter { graph.records[$0].base == members[next] }
            next += 1
        }
        return members
    }

    private mutating func keyPlan(_ number: Int) -> KeyPlan {
        let family = family(number)
        if let known = keyPlans[family[0]] { return known }
        var keys: [String] = []
        var known: Set<String> = []
        for key in family.flatMap({ graph.records[$0].members.map(\.key) }) where known.insert(key).inserted {
            keys.append(key)
        }
        let plan = KeyPlan(keys, style: style)
        keyPlans[family[0]] = plan
        return plan
    }

    private mutating func plan(_ number: Int) -> ClassPlan {
        let record = graph.records[number]
        let keyPlan = keyPlan(number)
        var inheritance = record.base.map { classNames[$0] } ?? names.library("AbstractModel")
        if record.union != nil { inheritance += ", DynamicTypeModel" }
        var plan = ClassPlan(name: classNames[number], inheritance: inheritance, comment: record.comment)
        let inherited = record.base.map { Set(graph.records[$0].members.map(\.key)) } ?? []
        for member in record.members where !inherited.contains(member.key) {
            add(member, to: &plan, keyPlan, number)
        }
        if record.base == nil {
            let keys = family(number).flatMap { graph.records[$0].members.map(\.key) }
            plan.keyStrategy = keyPlan.strategy(for: keys)
        }
        if record.writesNulls { plan.options.append("writesNulls: true") }
        if record.rejectsOtherKeys { plan.options.append("unknownKeys: .failures") }
        plan.isSubclass = record.base != nil
        if let union = record.union {
            plan.union = typeNames(union, key: keyPlan.names[union.key] ?? union.key)
            plan.union?.isClosed = record.rejectsOtherNames
        }
        return plan
    }

    private func typeNames(_ tagged: TaggedShape, key: String) -> TypeNamesPlan {
        TypeNamesPlan(key: key, types: tagged.records.map { (tag: $0.tag, type: classNames[$0.record]) })
    }

    private mutating func add(_ member: MemberShape, to plan: inout ClassPlan, _ keyPlan: KeyPlan, _ number: Int) {
        var value = member.value
        // The names of classes are texts, so that new ones are read.
        if graph.records[number].union?.key == member.key, case .enumeration = value { value = .string }
        let name = keyPlan.names[member.key] ?? member.key
        let declaration = declaration(name, value, isOptional: member.isOptional, of: number, key: member.key)
        plan.properties.append(PropertyPlan(declaration: declaration, comment: member.comment))
        if let key = keyPlan.listedKey(member.key) { plan.keys.append((name, key)) }
        if member.isRequired { plan.required.append(name) }
        if !member.rules.isEmpty { plan.validation.append((name, member.rules)) }
        switch value.innermost {
        case .date(.pattern(let pattern)): plan.dateFormats.append((name, pattern))
        case .date(let form): if let converter = form.converter { plan.converters.append((name, converter)) }
        case .color(let form): if let converter = form.converter { plan.converters.append((name, converter)) }
        case .tagged(let tagged):
            plan.dynamicProperties.append((name, typeNames(tagged, key: tagged.key)))
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

    /// The type of values in Swift.
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
        case .record(let number): return classNames[number]
        case .tagged: return names.library("AbstractModel")
        case .array(let element): return "[\(type(element, of: record, key: key))]"
        case .dictionary(let element): return "[\(names.library("String")): \(type(element, of: record, key: key))]"
        case .optional(let value): return type(value, of: record, key: key) + "?"
        case .enumeration(let cases): return enumeration(cases, of: record, key: key)
        case .choice(let values): return choice(values, of: record, key: key)
        case .nested(let values, let holdsNulls):
            return choice(values, lists: holdsNulls ? "?" : "", of: record, key: key)
        }
    }

    private func candidates(_ key: String, _ record: Int?) -> [String] {
        let name = SwiftName.type(key, isPlural: true)
        let parent = record.map { classNames[$0] } ?? ""
        return [name, parent + (name.isEmpty ? "Value" : name)]
    }

    private mutating func enumeration(_ raws: [String], of record: Int?, key: String) -> String {
        let candidates = candidates(key, record)
        let identity = candidates[0] + "\n" + raws.joined(separator: "\n")
        if let known = enumNames[identity] { return known }
        let name = names.take(firstOf: candidates)
        enumNames[identity] = name
        var used: Set<String> = []
        let cases = raws.map { raw in
            var name = SwiftName.property(raw)
            if ["init", "self", "Type", "Protocol", "allCases"].contains(name) { name += "Value" }
            let first = name
            var number = 2
            while !used.insert(name).inserted {
                name = "\(first)\(number)"
                number += 1
            }
            return (name: name, raw: raw)
        }
        own.append(.enumeration(EnumPlan(name: name, protocols: "CaseIterable" + enumProtocols, cases: cases)))
        return name
    }

    private mutating func choice(_ values: [ValueShape], lists: String? = nil, of record: Int?, key: String) -> String {
        let candidates = candidates(key, record)
        let identity = candidates[0] + "\n\(lists ?? "-")\(values)"
        if let known = choiceNames[identity] { return known }
        let name = names.take(firstOf: candidates)
        choiceNames[identity] = name
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
        own.append(.choice(ChoicePlan(name: name, cases: cases)))
        return name
    }

    // MARK: The call that reads the document

    private mutating func call(of root: RootShape) -> String {
        let type = type(root.value, of: nil, key: "value")
        let place = root.path.isEmpty ? "" : ", at: \(root.path)"
        let record = root.value.onlyRecord
        let className = record.map { classNames[$0] } ?? "value"
        var variable = SwiftName.property(className)
        let isUnion = record.map { graph.records[$0].union != nil } ?? false
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

extension ValueShape {
    /// Swift that makes a `JSONValue` of a value in a choice.
    fileprivate func json(_ value: String) -> String {
        let mark = canThrow ? "try " : ""
        return switch self {
        case .any: value
        case .bool: ".bool(\(value))"
        case .number(.exact): ".number(\(value))"
        case .number(.double), .number(.decimal): "try JSONValue(any: \(value))"
        case .number: ".number(JSONNumber(\(value)))"
        case .record: "try \(value).jsonValue()"
        case .choice, .nested: "try \(value).json()"
        case .array(let element): ".array(\(mark)\(value).map { \(element.json("$0")) })"
        case .dictionary(let element): ".object(\(mark)\(value).mapValues { \(element.json("$0")) })"
        case .optional(let inner): "\(mark)\(value).map { \(inner.json("$0")) } ?? .null"
        default: ".string(\(value))"
        }
    }

    /// Whether that Swift can throw.
    private var canThrow: Bool {
        switch self {
        case .number(.double), .number(.decimal), .record, .choice, .nested: true
        case .array(let value), .dictionary(let value), .optional(let value): value.canThrow
        default: false
        }
    }
}

extension String {
    /// The text as a literal of Swift.
    var literal: String {
        var literal = "\""
        for scalar in unicodeScalars {
            switch scalar {
            case "\"": literal += "\\\""
            case "\\": literal += "\\\\"
            case "\n": literal += "\\n"
            case "\r": literal += "\\r"
            case "\t": literal += "\\t"
            default:
                let isPlain =
                    scalar.isASCII
                    ? (0x20...0x7E).contains(scalar.value)
                    : scalar.properties.isAlphabetic || scalar.properties.isEmojiPresentation
                if isPlain {
                    literal.unicodeScalars.append(scalar)
                } else {
                    literal += "\\u{\(String(scalar.value, radix: 16))}"
                }
            }
        }
        return literal + "\""
    }
}

extension [String] {
    /// Entries as a literal of an array or a dictionary on one line.
    var list: String { "[" + joined(separator: ", ") + "]" }
}
