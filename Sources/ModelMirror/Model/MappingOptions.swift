/// How values are mapped. Members that are nil are not set.
///
/// For each object the options of the call take precedence, then those of the object's class, its superclasses, and the
/// defaults. The limits apply to the whole call; they come from the call and the requested class.
///
/// ```swift
/// let gist = try Gist(json: data, options: .strict)
/// let gists = try [Gist](json: data, options: MappingOptions(skipsInvalidElements: true, depth: 32))
/// ```
public struct MappingOptions: Sendable {
    /// Whether a property accepts only its own JSON type, and any deviation fails. Defaults to false.
    public var strict: Bool?
    /// Whether `String` properties accept numbers, digit for digit. Defaults to false.
    public var stringsFromNumbers: Bool?
    /// Whether failing elements of a root array or dictionary are skipped and reported. Defaults to false.
    public var skipsInvalidElements: Bool?
    /// Whether an update changes nested models in place instead of replacing them. Defaults to false.
    public var updatesNestedInPlace: Bool?
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

    /// Options with the given members set.
    public init(
        strict: Bool? = nil, stringsFromNumbers: Bool? = nil, skipsInvalidElements: Bool? = nil,
        updatesNestedInPlace: Bool? = nil, depth: Int? = nil, bytes: Int? = nil, failures: Int? = nil,
        context: (any Sendable)? = nil, report: (@Sendable (_ report: MappingReport) -> Void)? = nil
    ) {
        self.strict = strict
        self.stringsFromNumbers = stringsFromNumbers
        self.skipsInvalidElements = skipsInvalidElements
        self.updatesNestedInPlace = updatesNestedInPlace
        self.depth = depth
        self.bytes = bytes
        self.failures = failures
        box = CallerBox(context: context, report: report)
    }

    /// Only ``strict`` set.
    public static let strict = MappingOptions(strict: true)

    /// The largest possible ``depth``. Nested models are mapped by nested calls; this many fit on an 8 MB stack in debug builds.
    public static let maximumDepth = 1024

    /// Only ``depth`` set, to the largest, for JSON written by the library.
    static let deepest = MappingOptions(depth: maximumDepth)

    /// The limit for a value of ``depth``.
    static func depthLimit(_ depth: Int?) -> Int { min(max(depth ?? 512, 1), maximumDepth) }

    /// The limit for a value of ``bytes``.
    static func bytesLimit(_ bytes: Int?) -> Int { max(bytes ?? .max, 0) }

    /// These options, with unset members from `other`.
    func over(_ other: MappingOptions) -> MappingOptions {
        MappingOptions(
            strict: strict ?? other.strict, stringsFromNumbers: stringsFromNumbers ?? other.stringsFromNumbers,
            skipsInvalidElements: skipsInvalidElements ?? other.skipsInvalidElements,
            updatesNestedInPlace: updatesNestedInPlace ?? other.updatesNestedInPlace, depth: depth ?? other.depth,
            bytes: bytes ?? other.bytes, failures: failures ?? other.failures, context: context ?? other.context,
            report: report ?? other.report)
    }

    /// These options without ``report``, for a nested mapping whose report is merged into the outer one.
    var unreported: MappingOptions {
        var options = self
        options.report = nil
        return options
    }
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
    /// The ``MappingOptions/context`` of the mapping in the current task or thread; nil outside of a mapping.
    @TaskLocal public static var current: (any Sendable)?
}
