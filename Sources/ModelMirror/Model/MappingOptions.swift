public import ModelMirrorFoundation

/// How values are mapped. Members that are nil are not set.
///
/// For each object the options of the call take precedence, then those of the object's class and its superclasses.
///
/// - Strictness then follows the enclosing object, also into JSON in strings, and last the defaults: `strict`,
///   ``requiresNonOptional``, ``unknownKeys``, ``stringsFromNumbers``, ``stringsFromBooleans``, ``numbersFromBooleans``, ``integers``,
///   ``arraysFromSingleValues``, ``updatesIgnoreNulls``, ``reportsMissingOptionals``.
/// - Forms (``dates``, ``keyStrategy``, ``nonFiniteNumbers``) and coders of a class apply only to its own properties.
/// - The limits apply to the whole call; they come from the call and the requested class.
///
/// ```swift
/// let gist = try Gist(json: data, options: .strict)
/// let gists = try [Gist](json: data, options: MappingOptions(skipsInvalidElements: true, depth: 32))
/// let event = try Event(json: data, options: MappingOptions(dates: .secondsSince1970, keyStrategy: .snakeCase))
/// ```
///
/// ``dates``, ``keyStrategy``, ``nonFiniteNumbers``, ``decoder`` and ``encoder`` apply to reading and writing, including inside
/// `Codable` properties. A property's own rules override them: ``AbstractModel/propertyKeys``,
/// ``AbstractModel/propertyConverters``, ``AbstractModel/propertyDateFormats``. A class sets its options in
/// ``AbstractModel/mappingOptions``, for itself and its subclasses; a client sets them for all of its requests.
public struct MappingOptions: Sendable {
    /// Whether a property accepts only its own JSON type. Defaults to false.
    ///
    /// Still accepted, and reported: a number too small for its type, which becomes 0; characters in a URL that must be escaped; a key
    /// of a property next to a preferred one; an unknown raw value of an ``UnknownCase``.
    public var strict: Bool?
    /// Whether a missing key, or `null`, fails the object if the property is not Optional, as with `Codable`. Defaults to false.
    ///
    /// `String!` is Optional.
    public var requiresNonOptional: Bool?
    /// Whether `String` properties accept numbers, digit for digit. Defaults to false.
    public var stringsFromNumbers: Bool?
    /// Whether `String` properties accept `true` and `false`, as those words. Defaults to false.
    public var stringsFromBooleans: Bool?
    /// Whether `Double`, `Float` and `Decimal` properties accept `true` and `false` as 1 and 0, and integers also in strict mapping.
    /// Defaults to false.
    public var numbersFromBooleans: Bool?
    /// What integers accept of a number with a fraction, also in a string if mapping is lenient. Defaults to
    /// ``IntegerConversion/exact``.
    public var integers: IntegerConversion?
    /// Whether failing elements of a root array or dictionary are skipped and reported. Defaults to false.
    public var skipsInvalidElements: Bool?
    /// Whether an update changes nested models in place instead of replacing them. Defaults to false.
    public var updatesNestedInPlace: Bool?
    /// The handling of keys that no property takes. Defaults to ``UnknownKeys/reported``.
    public var unknownKeys: UnknownKeys?
    /// Whether a single value is read as an array or set of one element, reported as `.coerced`. Defaults to false.
    public var arraysFromSingleValues: Bool?
    /// Whether `null` in an update leaves the property as it is, as a missing key does; not for merge patches. Defaults to false.
    public var updatesIgnoreNulls: Bool?
    /// Whether a report has an entry for each missing key of an Optional property. Defaults to false.
    public var reportsMissingOptionals: Bool?
    /// Whether nil is written as `null`, so that a property with a default that became nil reads back as nil. Defaults to false.
    ///
    /// ``WritingOptions/nulls`` does this for a whole document.
    public var writesNulls: Bool?
    /// The form of dates. Defaults to the class's ``AbstractModel/dateFormats``, which also win over the options of the same class, and
    /// otherwise to ISO 8601 and `y-MM-dd HH:mm:ssZ`.
    public var dates: (any Converter<Date>)? {
        get { shared?.rules.dates }
        set { rules.dates = newValue }
    }
    /// How keys are made from property names. Defaults to the class's ``AbstractModel/keyStrategy``, which also wins over the options of
    /// the same class, unless it is `.exact`.
    public var keyStrategy: KeyStrategy? {
        get { shared?.rules.keyStrategy }
        set { rules.keyStrategy = newValue }
    }
    /// The strings that stand for infinities and NaN in `Double` and `Float` properties. Defaults to none.
    public var nonFiniteNumbers: NonFiniteNumbers? {
        get { shared?.rules.nonFiniteNumbers }
        set { rules.nonFiniteNumbers = newValue }
    }
    /// The decoder for `Decodable` properties, with its own strategies. Do not change it afterwards. Defaults to one that follows
    /// the rules of the class around the property.
    public var decoder: JSONDecoder? {
        get { shared?.rules.decoder }
        set { rules.decoder = newValue }
    }
    /// The encoder for `Encodable` properties, with its own strategies. Do not change it afterwards. Defaults to one that follows
    /// the rules of the class around the property.
    public var encoder: JSONEncoder? {
        get { shared?.rules.encoder }
        set { rules.encoder = newValue }
    }
    /// The nesting limit, from 1 to ``maximumDepth``; the outermost container counts as 1. Defaults to 512.
    public var depth: Int?
    /// The size limit of a document in bytes. Defaults to no limit.
    public var bytes: Int?
    /// The largest number of failures that are collected, at least 1. Mapping continues beyond it. Defaults to 100.
    public var failures: Int?
    /// A value for converters and hooks, available as ``MappingContext/current``. Defaults to nil.
    public var context: (any Sendable)? {
        get { box?.context }
        set { box = CallerBox(context: newValue, report: report) }
    }
    /// Called with every nonempty report, on the mapping thread: for logs and metrics. Defaults to nil.
    ///
    /// ```swift
    /// client.configuration.mappingOptions.report = { report in log("\(report)") }
    /// ```
    ///
    /// A request maps its body once per consumer. A stream maps each element separately, with paths within the element.
    public var report: (@Sendable (_ report: MappingReport) -> Void)? {
        get { box?.report }
        set { box = CallerBox(context: context, report: newValue) }
    }

    /// Options are copied for every call, and one reference is cheaper to copy than an existential and a closure.
    private var box: CallerBox?
    /// The rules that decide how property tables are made; nil if none is set.
    private(set) var shared: SharedTableRules?

    /// A copy of these rules; setting them gives them tables of their own.
    var rules: TableRules {
        get { shared?.rules ?? TableRules() }
        set { shared = newValue.isEmpty ? nil : SharedTableRules(newValue) }
    }

    /// Options with no member set.
    public init() {}

    /// Options with the given members set.
    public init(
        strict: Bool? = nil, requiresNonOptional: Bool? = nil, stringsFromNumbers: Bool? = nil,
        stringsFromBooleans: Bool? = nil, numbersFromBooleans: Bool? = nil, integers: IntegerConversion? = nil,
        skipsInvalidElements: Bool? = nil, updatesNestedInPlace: Bool? = nil,
        unknownKeys: UnknownKeys? = nil, arraysFromSingleValues: Bool? = nil, updatesIgnoreNulls: Bool? = nil,
        reportsMissingOptionals: Bool? = nil, writesNulls: Bool? = nil, dates: (any Converter<Date>)? = nil,
        keyStrategy: KeyStrategy? = nil, nonFiniteNumbers: NonFiniteNumbers? = nil, decoder: JSONDecoder? = nil,
        encoder: JSONEncoder? = nil, depth: Int? = nil, bytes: Int? = nil, failures: Int? = nil,
        context: (any Sendable)? = nil, report: (@Sendable (_ report: MappingReport) -> Void)? = nil
    ) {
        rules = TableRules(
            dates: dates, keyStrategy: keyStrategy, nonFiniteNumbers: nonFiniteNumbers, decoder: decoder,
            encoder: encoder)
        self.requiresNonOptional = requiresNonOptional
        self.strict = strict
        self.stringsFromNumbers = stringsFromNumbers
        self.stringsFromBooleans = stringsFromBooleans
        self.numbersFromBooleans = numbersFromBooleans
        self.integers = integers
        self.skipsInvalidElements = skipsInvalidElements
        self.updatesNestedInPlace = updatesNestedInPlace
        self.unknownKeys = unknownKeys
        self.arraysFromSingleValues = arraysFromSingleValues
        self.updatesIgnoreNulls = updatesIgnoreNulls
        self.reportsMissingOptionals = reportsMissingOptionals
        self.writesNulls = writesNulls
        self.depth = depth
        self.bytes = bytes
        self.failures = failures
        box = CallerBox(context: context, report: report)
    }

    /// Only ``strict`` set.
    public static let strict = MappingOptions(strict: true)

    /// For a body from a stranger: strict, with unknown keys and missing keys of properties that are not Optional as failures, at most
    /// 32 levels of nesting, 1 MiB and 20 failures. Change members of a copy to override them.
    ///
    /// ```swift
    /// override class var mappingOptions: MappingOptions { .untrusted }
    /// ```
    public static let untrusted = MappingOptions(
        strict: true, requiresNonOptional: true, unknownKeys: .failures, depth: 32, bytes: 1 << 20, failures: 20)

    /// The largest possible ``depth``. Nested models are mapped by nested calls; if the thread's stack is too small for that
    /// many, the limit is lower, with the same error.
    public static let maximumDepth = 1024

    /// Only ``depth`` set, to the largest, for JSON written by the library.
    static let deepest = MappingOptions(depth: maximumDepth)

    /// The limit for a value of ``depth``.
    static func depthLimit(_ depth: Int?) -> Int { min(max(depth ?? 512, 1), maximumDepth) }

    /// The limit for a value of ``bytes``.
    static func bytesLimit(_ bytes: Int?) -> Int { max(bytes ?? .max, 0) }

    /// These options, with unset members from `other`.
    func over(_ other: MappingOptions) -> MappingOptions {
        var result = MappingOptions(
            strict: strict ?? other.strict, requiresNonOptional: requiresNonOptional ?? other.requiresNonOptional,
            stringsFromNumbers: stringsFromNumbers ?? other.stringsFromNumbers,
            stringsFromBooleans: stringsFromBooleans ?? other.stringsFromBooleans,
            numbersFromBooleans: numbersFromBooleans ?? other.numbersFromBooleans, integers: integers ?? other.integers,
            skipsInvalidElements: skipsInvalidElements ?? other.skipsInvalidElements,
            updatesNestedInPlace: updatesNestedInPlace ?? other.updatesNestedInPlace,
            unknownKeys: unknownKeys ?? other.unknownKeys,
            arraysFromSingleValues: arraysFromSingleValues ?? other.arraysFromSingleValues,
            updatesIgnoreNulls: updatesIgnoreNulls ?? other.updatesIgnoreNulls,
            reportsMissingOptionals: reportsMissingOptionals ?? other.reportsMissingOptionals,
            writesNulls: writesNulls ?? other.writesNulls, depth: depth ?? other.depth, bytes: bytes ?? other.bytes,
            failures: failures ?? other.failures, context: context ?? other.context, report: report ?? other.report)
        // If only one has rules, they are shared, and so are the tables that were made for them.
        let both = shared.flatMap { own in other.shared.map { SharedTableRules(own.rules.over($0.rules)) } }
        result.shared = both ?? shared ?? other.shared
        return result
    }

    /// Whether there is a context, without a copy of it.
    var hasContext: Bool { box?.context != nil }

    /// Whether a rule is set that may differ from object to object.
    var hasObjectRules: Bool {
        strict != nil || requiresNonOptional != nil || stringsFromNumbers != nil || stringsFromBooleans != nil
            || numbersFromBooleans != nil || integers != nil || arraysFromSingleValues != nil
            || updatesIgnoreNulls != nil || reportsMissingOptionals != nil || unknownKeys != nil
    }
}

/// What a property of an integer type accepts of a number with a fraction; the result is reported as `.coerced`.
public enum IntegerConversion: Sendable {
    /// Nothing: the value does not fit.
    case exact
    /// Its integral part: 1 for `1.9`, -1 for `-1.9`.
    case truncated
    /// The nearest integer, halves away from zero: 3 for `2.5`, -3 for `-2.5`.
    case rounded
}

/// The handling of keys that no property takes, unless the class has an ``AbstractModel/unknownKeysProperty``.
///
/// Keys beside a path, such as `b` for `.path("x", "a")` and `{"x": {"a": 1, "b": 2}}`, are among them, and no
/// ``AbstractModel/unknownKeysProperty`` takes them. Keys inside a `Codable` property are not: its type does not tell which keys
/// it has read.
public enum UnknownKeys: Sendable {
    /// They are skipped.
    case ignored
    /// They are skipped and listed in the report, if there is one.
    case reported
    /// They are failures of the object.
    case failures
}

/// The members that are not plain values, shared by all copies.
private final class CallerBox: Sendable {
    let context: (any Sendable)?
    let report: (@Sendable (MappingReport) -> Void)?

    init?(context: (any Sendable)?, report: (@Sendable (MappingReport) -> Void)?) {
        if context == nil, report == nil { return nil }
        self.context = context
        self.report = report
    }
}

/// The context of the current mapping.
///
/// ```swift
/// let order = try Order(json: data, options: MappingOptions(context: Currency("EUR")))
/// // in a converter or in didMap():
/// let currency = MappingContext.current as? Currency
/// ```
public enum MappingContext {
    /// The ``MappingOptions/context`` of the mapping in the current task or thread; nil outside a mapping.
    public static var current: (any Sendable)? { local }

    @TaskLocal static var local: (any Sendable)?
}
