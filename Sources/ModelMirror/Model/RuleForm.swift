/// What a rule requires, as data.
indirect enum RuleForm: Sendable {
    case notNil
    case bounds(RuleBounds)
    case size(RuleSize)
    case values(RuleValues)
    case pattern(RulePattern)
    case multiple(JSONNumber)
    case unique
    case keys(RuleForm)
    case each(RuleForm)
    case all([RuleForm])
    case check(Expectation, TypedCheck)

    /// The rules that hold at once.
    var parts: [RuleForm] { if case .all(let rules) = self { rules.flatMap(\.parts) } else { [self] } }

    var acceptsNil: Bool { !parts.contains { if case .notNil = $0 { true } else { false } } }

    /// Why the rule itself is wrong, as the end of "propertyRules gives …"; nil if it is not.
    var fault: String? {
        switch self {
        case .notNil: ".notNil, which is for require(_:_:_:) alone; list the property in requiredProperties"
        case .multiple(let divisor) where divisor.canonical.isNegative || divisor.canonical.digits.isEmpty:
            "multiples of \(divisor); use a number above 0"
        case .values(let values) where values.values?.isEmpty == true: "no values to choose from; list one or more"
        case .size(let size) where min(size.least ?? 0, size.most ?? 0) < 0: "a count below 0; count from 0 on"
        case .keys(let rule), .each(let rule): rule.fault
        case .all(let rules): rules.lazy.compactMap(\.fault).first
        default: nil
        }
    }
}

/// A rule for values of another type than a property's.
struct RuleMismatch: Error {
    /// The types that the rule is for, as in "a rule for …".
    let fitting: String
}

/// A broken rule.
struct RuleBreak {
    /// Leads from the property's value to the part that breaks the rule.
    var steps: [JSONPath.Step] = []
    let expectation: Expectation
    /// The element that breaks the rule, where elements have no order; nil if it has no plain form.
    var element: JSONValue?
    /// Whether the value has too few elements or characters.
    var isTooSmall = false
    /// The part, if it is not the value itself.
    var part: Any?
    /// The end of "found …", where the value does not say it: a key, the size of a collection, equal elements.
    var found: String?

    /// The steps before the first key, for values whose keys are never shown.
    var stepsBeforeKeys: [JSONPath.Step] { Array(steps.prefix { if case .key = $0 { false } else { true } }) }
}

/// A check of values of one type.
struct TypedCheck: Sendable {
    let type: Any.Type
    let accepts: @Sendable (Any) -> Bool

    init<Value>(_ accepts: @escaping @Sendable (Value) -> Bool) {
        type = Value.self
        self.accepts = { ($0 as? Value).map(accepts) ?? true }
    }

    func checked(for type: Any.Type) throws(RuleMismatch) -> @Sendable (Any) -> Bool {
        guard self.type == type || self.type == Any.self else { throw RuleMismatch(fitting: "\(self.type)") }
        return accepts
    }
}

/// The least and the largest value.
struct RuleBounds: Sendable {
    var minimum: JSONValue?
    var maximum: JSONValue?
    /// Whether the value must differ from the bound.
    var isAbove = false
    var isBelow = false
    /// A range of another kind.
    var range: String?
    let check: TypedCheck
    /// The bounds as numbers, made once: a rule may be used for each object.
    private var lower: RuleNumber.Limit?
    private var upper: RuleNumber.Limit?

    init<Bound: Comparable & Sendable>(_ range: some RangeExpression<Bound> & Sendable) {
        check = TypedCheck { (value: Bound) in range.contains(value) }
        switch range {
        case let range as ClosedRange<Bound>: (minimum, maximum) = (.bound(range.lowerBound), .bound(range.upperBound))
        case let range as Range<Bound>:
            (minimum, maximum, isBelow) = (.bound(range.lowerBound), .bound(range.upperBound), true)
        case let range as PartialRangeFrom<Bound>: minimum = .bound(range.lowerBound)
        case let range as PartialRangeThrough<Bound>: maximum = .bound(range.upperBound)
        case let range as PartialRangeUpTo<Bound>: (maximum, isBelow) = (.bound(range.upperBound), true)
        default: self.range = "\(range)"
        }
        setLimits()
    }

    init<Bound: Comparable & Sendable>(above bound: Bound) {
        check = TypedCheck { (value: Bound) in value > bound }
        (minimum, isAbove) = (.bound(bound), true)
        setLimits()
    }

    private mutating func setLimits() {
        lower = (minimum?.number).map { RuleNumber.Limit($0) }
        upper = (maximum?.number).map { RuleNumber.Limit($0) }
    }

    /// The keywords of JSON Schema.
    var keywords: [String: JSONValue] {
        [lowerCode.rawValue: minimum, upperCode.rawValue: maximum].compactMapValues(\.self)
    }

    /// The bound that a number breaks; nil if none.
    func broken(by number: RuleNumber) -> FailureCode.Known? {
        if let lower, number.order(to: lower) ?? -1 < (isAbove ? 1 : 0) { return lowerCode }
        if let upper, number.order(to: upper) ?? 1 > (isBelow ? -1 : 0) { return upperCode }
        return nil
    }

    /// The code where it is not known which bound is broken.
    var code: FailureCode.Known { minimum == nil && maximum != nil ? upperCode : lowerCode }

    private var lowerCode: FailureCode.Known { isAbove ? .exclusiveMinimum : .minimum }
    private var upperCode: FailureCode.Known { isBelow ? .exclusiveMaximum : .maximum }
}

/// The least and the largest size.
struct RuleSize: Sendable {
    var least: Int?
    var most: Int?
    /// The bound of `..<11`, for the words.
    var below: Int?
    var range: String?

    /// Whether there is no range: at least one, for the words.
    private(set) var isNotEmpty = false

    /// Not empty.
    init() { (least, isNotEmpty) = (1, true) }

    init(_ range: some RangeExpression<Int> & Sendable) {
        switch range {
        case let range as ClosedRange<Int>: (least, most) = (range.lowerBound, range.upperBound)
        case let range as Range<Int> where !range.isEmpty: (least, most) = (range.lowerBound, range.upperBound - 1)
        case let range as PartialRangeFrom<Int>: least = range.lowerBound
        case let range as PartialRangeThrough<Int>: most = range.upperBound
        case let range as PartialRangeUpTo<Int>: (most, below) = (range.upperBound - 1, range.upperBound)
        default: (self.range, contains) = ("\(range)", { range.contains($0) })
        }
    }

    private var contains: (@Sendable (Int) -> Bool)?

    /// Whether a size is too small; nil if it fits.
    func isTooSmall(_ size: Int) -> Bool? {
        if let contains { return contains(size) ? nil : true }
        if let least, size < least { return true }
        if let most, size > most { return false }
        return nil
    }
}

/// The values among which one has to be.
struct RuleValues: Sendable {
    /// As JSON; nil if one of them has no plain form.
    let values: [JSONValue]?
    let expectation: Expectation
    let check: TypedCheck

    init<Value: Equatable & Sendable>(_ values: [Value]) {
        check = TypedCheck { (value: Value) in
            // Equal texts may have other scalars.
            values.contains { $0 == value && RuleForm.key($0) == RuleForm.key(value) }
        }
        let code: FailureCode.Known = values.count == 1 ? .const : .enum
        let json = values.compactMap(JSONValue.bound)
        guard json.count == values.count else {
            let texts = values.map { JSONValue.bound($0)?.description ?? "\($0)" }
            (self.values, expectation) = (nil, .stated(FailureWords.list(texts), code))
            return
        }
        (self.values, expectation) = (json, .rule(code, ["values": .array(json)]))
    }
}
