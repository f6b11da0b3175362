import ModelMirrorFoundation

/// Rules for values of a known type: what they check, and what they expect.
extension RuleForm {
    typealias Check = @Sendable (_ value: Any) -> [RuleBreak]
    /// A rule with the check of a type's values.
    typealias Bound = (form: RuleForm, check: Check)

    /// The check of values of a type, nil not among them.
    func bound(to type: Any.Type) throws(RuleMismatch) -> Check {
        let type = RuleForm.unwrapped(type)
        switch self {
        case .notNil: return { _ in [] }
        case .bounds(let bounds): return try check(bounds, type)
        case .size(let size):
            guard let count = RuleForm.count(of: type) else { throw RuleMismatch(fitting: "strings and collections") }
            return { value in
                let count = count(value)
                guard let isTooSmall = size.isTooSmall(count) else { return [] }
                let expectation = size.expectation(for: type, isTooSmall: isTooSmall)
                // A text is shown itself.
                let found =
                    type is any StringProtocol.Type
                    ? nil : RuleSize(count...count).expectation(for: type, isTooSmall: false).words
                return [RuleBreak(expectation: expectation, isTooSmall: isTooSmall, found: found)]
            }
        case .values(let values): return try check(values, type)
        case .pattern(let pattern):
            guard let text = RuleForm.text(of: type) else { throw RuleMismatch(fitting: "texts") }
            return check(pattern.expectation) { text($0).map { pattern.matches($0[...]) } ?? true }
        case .multiple(let divisor):
            guard let number = RuleNumber.reading(type) else { throw RuleMismatch(fitting: "numbers") }
            return check(expectation(for: type)) { number($0).isMultiple(of: divisor) }
        case .unique:
            guard RuleForm.parts(of: type) != nil, !(type is any RuleMembers.Type) else {
                throw RuleMismatch(fitting: "arrays")
            }
            return { value in
                guard let element = RuleForm.repeatedElement(of: value) else { return [] }
                let text = JSONValue.bound(element)?.description ?? "a value of type \(Swift.type(of: element))"
                return [RuleBreak(expectation: .plain(.uniqueItems), found: FailureWords.again(text.shortened))]
            }
        case .keys(let rule):
            guard type is any RuleMembers.Type else { throw RuleMismatch(fitting: "dictionaries") }
            let check = try rule.bound(to: String.self)
            return { value in
                ((value as? any RuleMembers)?.members ?? []).flatMap { member in
                    check(member.key).map { broken in
                        RuleBreak(
                            steps: [.key(member.key)], expectation: .key(broken.expectation),
                            found: FailureWords.key(member.key.quotedForMessage))
                    }
                }
            }
        case .each(let rule):
            guard let parts = RuleForm.parts(of: type) else {
                throw RuleMismatch(fitting: "arrays, sets and dictionaries")
            }
            let check = try rule.bound(to: parts.type)
            return { value in
                parts.read(value).flatMap { step, part in
                    RuleForm.breaks(of: part, check).map { broken in
                        // Elements without a step are found by their values.
                        RuleBreak(
                            steps: step.map { [$0] + broken.steps } ?? [], expectation: broken.expectation,
                            element: step == nil ? JSONValue.bound(part) : nil, part: broken.part ?? part,
                            found: broken.found)
                    }
                }
            }
        case .all(let rules):
            let checks = try rules.map { rule throws(RuleMismatch) in try rule.bound(to: type) }
            return { value in
                // The first for each part of the value, since others there often follow from it.
                checks.reduce(into: []) { found, check in
                    let parts = Set(found.map(\.steps))
                    found += check(value).filter { !parts.contains($0.steps) }
                }
            }
        case .check(let expectation, let check): return self.check(expectation, try check.checked(for: type))
        }
    }

    private func check(_ expectation: Expectation, _ accepts: @escaping @Sendable (Any) -> Bool) -> Check {
        { accepts($0) ? [] : [RuleBreak(expectation: expectation)] }
    }

    private func check(_ bounds: RuleBounds, _ type: Any.Type) throws(RuleMismatch) -> Check {
        let number = RuleNumber.reading(type)
        // A range of numbers fits every numeric property.
        let isOfOthers =
            bounds.check.type != type && bounds.range == nil && number != nil
            && RuleNumber.reading(bounds.check.type) != nil
        let accepts = try isOfOthers ? nil : bounds.check.checked(for: type)
        return { value in
            if let accepts, accepts(value) { return [] }
            let code = number.flatMap { bounds.broken(by: $0(value)) } ?? (accepts == nil ? nil : bounds.code)
            return code.map { [RuleBreak(expectation: bounds.expectation(for: type, $0))] } ?? []
        }
    }

    private func check(_ values: RuleValues, _ type: Any.Type) throws(RuleMismatch) -> Check {
        if values.check.type == type || RuleForm.unwrapped(values.check.type) == type {
            return check(values.expectation, values.check.accepts)
        }
        // Free-form JSON is compared as JSON, whatever the literals were taken for.
        let freeForm: [Any.Type] = [JSONValue.self, [JSONValue].self, [String: JSONValue].self]
        if let accepted = values.values, freeForm.contains(where: { $0 == type }) {
            return check(values.expectation) { value in
                let key = JSONValue.bound(value).flatMap { RuleForm.key($0) }
                return accepted.contains { RuleForm.key($0) == key }
            }
        }
        guard let limits = values.values?.compactMap({ $0.number.map { RuleNumber.Limit($0) } }),
            RuleNumber.reading(values.check.type) != nil, let number = RuleNumber.reading(type)
        else { throw RuleMismatch(fitting: "\(values.check.type)") }
        return check(values.expectation) { value in
            let number = number(value)
            return limits.contains { number.order(to: $0) == 0 }
        }
    }

    // MARK: Values

    /// What a value breaks; nil if nothing. For a rule for another type, what it expects.
    func broken<Value>(by value: Value?) -> RuleBreak? {
        guard let value else { return acceptsNil ? nil : RuleBreak(expectation: expectation(for: Value.self)) }
        do throws(RuleMismatch) {
            return try bound(to: Value.self == Any.self ? type(of: value as Any) : Value.self)(value).first
        } catch {
            return RuleBreak(expectation: expectation(for: Any.self))
        }
    }

    /// What breaks a rule in a value; nil breaks none.
    static func breaks(of value: Any, _ check: Check) -> [RuleBreak] {
        guard let optional = value as? any OptionalType else { return check(value) }
        guard let wrapped = optional.wrappedValue else { return [] }
        return breaks(of: wrapped, check)
    }

    static func unwrapped(_ type: Any.Type) -> Any.Type {
        (type as? any OptionalType.Type).map { unwrapped($0.wrappedType) } ?? type
    }

    /// The type of the members or elements of a type's values, and what reads them, each with its step; the elements of a set have
    /// none. Nil if there are no such parts.
    static func parts(of type: Any.Type) -> (type: Any.Type, read: @Sendable (Any) -> [(JSONPath.Step?, Any)])? {
        if let members = type as? any RuleMembers.Type {
            return (members.memberType, { ($0 as? any RuleMembers)?.members.map { (.key($0), $1) } ?? [] })
        }
        let isText = type is any StringProtocol.Type || type == Data.self
        guard !isText, let sequence = type as? any Sequence.Type else { return nil }
        let isOrdered = type is any RandomAccessCollection.Type
        return (sequence.elementType, { ($0 as? any Sequence).map { stepped($0, isOrdered) } ?? [] })
    }

    private static func stepped(_ elements: some Sequence, _ isOrdered: Bool) -> [(JSONPath.Step?, Any)] {
        elements.enumerated().map { (isOrdered ? .index($0) : nil, $1) }
    }

    /// The first element that equals one before it.
    private static func repeatedElement(of value: Any) -> Any? {
        let elements = (value as? any Sequence)?.map { $0 as Any } ?? []
        let keys = elements.compactMap { key($0) }
        guard keys.count == elements.count else {
            return elements.enumerated().first { index, element in
                elements[..<index].contains { ($0 as? any Equatable)?.equals(element) ?? false }
            }?.element
        }
        var known: Set<AnyHashable> = []
        return zip(keys, elements).first { !known.insert($0.0).inserted }?.1
    }

    /// What tells a value from others: texts, also in lists and members, by their bytes, since JSON tells equivalent texts apart.
    static func key(_ value: Any) -> AnyHashable? {
        switch value {
        case let text as String: return AnyHashable(TextKey(bytes: Array(text.utf8)))
        case let text as Character: return key(String(text))
        case .string(let text) as JSONValue: return key(text)
        case .array(let values) as JSONValue: return key(values)
        case .object(let members) as JSONValue: return key(members)
        case let optional as any OptionalType:
            return optional.wrappedValue.map { key($0) } ?? AnyHashable(JSONValue.null)
        case let dictionary as any RuleMembers:
            let members = dictionary.members.compactMap { member in
                key(member.value).map { (TextKey(bytes: Array(member.key.utf8)), $0) }
            }
            return members.count == dictionary.members.count
                ? AnyHashable(Dictionary(members) { first, _ in first }) : value as? AnyHashable
        case let values as [Any]:
            let keys = values.compactMap { key($0) }
            return keys.count == values.count ? AnyHashable(keys) : nil
        default: return value as? AnyHashable ?? (value as? any TableBacked).map { AnyHashable(ModelKey(model: $0)) }
        }
    }

    /// A model by its properties.
    private struct ModelKey: Hashable {
        let model: any TableBacked
        static func == (one: ModelKey, other: ModelKey) -> Bool { one.model.isEqualByTable(other.model) }
        func hash(into hasher: inout Hasher) { model.hashByTable(into: &hasher) }
    }

    private struct TextKey: Hashable { let bytes: [UInt8] }

    private static func count(of type: Any.Type) -> (@Sendable (Any) -> Int)? {
        if type is any StringProtocol.Type, let text = text(of: type) {
            return { text($0)?.unicodeScalars.count ?? 0 }
        }
        guard type is any Collection.Type else { return nil }
        return { ($0 as? any Collection)?.count ?? 0 }
    }

    private static func text(of type: Any.Type) -> (@Sendable (Any) -> String?)? {
        if type == String.self { return { $0 as? String } }
        if type is any StringProtocol.Type { return { ($0 as? any StringProtocol).map { String($0) } } }
        if type == URL.self { return { ($0 as? URL)?.absoluteString } }
        guard let raw = type as? any RawRepresentable.Type, raw.rawType == String.self else { return nil }
        return { ($0 as? any RawRepresentable)?.rawValue as? String }
    }

    // MARK: Expectations

    /// What is expected of values of a type.
    func expectation(for type: Any.Type) -> Expectation {
        switch self {
        case .notNil: .value
        case .bounds(let bounds): bounds.expectation(for: type, bounds.code)
        case .size(let size): size.expectation(for: type, isTooSmall: size.least != nil || size.most == nil)
        case .values(let values): values.expectation
        case .pattern(let pattern): pattern.expectation
        case .multiple(let divisor): .rule(.multipleOf, ["multipleOf": .number(divisor)])
        case .unique: .plain(.uniqueItems)
        case .keys(let rule): .key(rule.expectation(for: String.self))
        case .each(let rule): rule.expectation(for: Any.self)
        case .all(let rules): rules.first?.expectation(for: type) ?? .value
        case .check(let expectation, _): expectation
        }
    }

    /// The names of the bounds of a size, and of its unit.
    fileprivate typealias SizeNames = (least: FailureCode.Known, most: FailureCode.Known, unit: String)

    /// The parameters that tell the kind of a type's values, and how their sizes are named.
    fileprivate static func kind(of type: Any.Type) -> (parameters: [String: JSONValue], size: SizeNames) {
        let items: SizeNames = (.minItems, .maxItems, "element")
        return switch unwrapped(type) {
        case is any StringProtocol.Type, is Character.Type:
            (["expected": ["string"]], (.minLength, .maxLength, "character"))
        case is any BinaryInteger.Type: (["expected": ["integer"]], items)
        case is any BinaryFloatingPoint.Type, is Decimal.Type, is JSONNumber.Type: (["expected": ["number"]], items)
        case is Date.Type: (["format": "date-time"], items)
        case is Data.Type: (["format": "byte"], (.minLength, .maxLength, "byte"))
        case is any RuleMembers.Type: (["expected": ["object"]], (.minProperties, .maxProperties, "member"))
        case is any Sequence.Type: (["expected": ["array"]], items)
        default: ([:], items)
        }
    }
}

extension RuleBounds {
    func expectation(for type: Any.Type, _ code: FailureCode.Known) -> Expectation {
        var parameters = RuleForm.kind(of: type).parameters.merging(keywords) { $1 }
        if let range { parameters["range"] = .string(range) }
        return .rule(code, parameters)
    }
}

extension RuleSize {
    func expectation(for type: Any.Type, isTooSmall: Bool) -> Expectation {
        let (kind, names) = RuleForm.kind(of: type)
        var parameters = kind.merging(keywords(for: type)) { $1 }
        if let below { parameters["below"] = .number(JSONNumber(below)) }
        if let range { parameters["range"] = .string(range) }
        if !isNotEmpty { parameters["unit"] = .string(names.unit) }
        return .rule(isTooSmall ? names.least : names.most, parameters)
    }

    /// The keywords of JSON Schema for values of a type.
    fileprivate func keywords(for type: Any.Type) -> [String: JSONValue] {
        let names = RuleForm.kind(of: type).size
        let sizes = [names.least.rawValue: least, names.most.rawValue: most]
        return sizes.compactMapValues { $0.map { .number(JSONNumber($0)) } }
    }
}

extension Sequence { fileprivate static var elementType: Any.Type { Element.self } }

extension Equatable { func equals(_ other: Any) -> Bool { (other as? Self) == self } }

/// A dictionary of any type.
protocol RuleMembers {
    static var memberType: Any.Type { get }
    /// The type of keys if JSON keys cannot be converted to it.
    static var impossibleKey: Any.Type? { get }
    /// The text by which ``members`` has a key of a document; nil if it does not fit.
    static func text(ofKey key: String) -> String?
    /// The members, by the texts of their keys, sorted.
    var members: [(key: String, value: Any)] { get }
}

// MARK: JSON Schema

extension RuleForm {
    /// A comment in place of keywords that do not exist.
    func comment(for type: Any.Type) -> [String: JSONValue] {
        ["$comment": .string("not described: \(expectation(for: type).words)")]
    }

    /// The keywords of JSON Schema for values of a type; a comment for what it cannot say.
    func schema(for type: Any.Type) -> [String: JSONValue] {
        let inner = RuleForm.unwrapped(type)
        switch self {
        case .notNil: return [:]
        case .bounds(let bounds):
            return bounds.range == nil && RuleNumber.reading(inner) != nil ? bounds.keywords : comment(for: inner)
        case .size(let size):
            return size.range == nil && inner != Data.self ? size.keywords(for: inner) : comment(for: inner)
        case .values(let values):
            guard let json = values.values, values.check.type != Date.self else { return comment(for: inner) }
            let isNullable = type is any OptionalType.Type && !json.contains(.null)
            return ["enum": .array(json + (isNullable ? [.null] : []))]
        case .pattern(let pattern):
            return pattern.text != nil && inner != URL.self ? pattern.keywords : comment(for: inner)
        case .multiple(let divisor): return ["multipleOf": .number(divisor)]
        case .unique: return ["uniqueItems": true]
        case .keys(let rule): return ["propertyNames": .object(rule.schema(for: String.self))]
        case .each(let rule):
            guard let parts = RuleForm.parts(of: inner) else { return [:] }
            let keyword = inner is any RuleMembers.Type ? "additionalProperties" : "items"
            return [keyword: .object(rule.schema(for: parts.type))]
        case .all(let rules):
            let schemas = rules.map { $0.schema(for: type) }
            let keys = schemas.flatMap(\.keys)
            guard Set(keys).count == keys.count else { return ["allOf": .array(schemas.map(JSONValue.object))] }
            return schemas.reduce(into: [:]) { $0.merge($1) { $1 } }
        case .check: return comment(for: inner)
        }
    }
}
