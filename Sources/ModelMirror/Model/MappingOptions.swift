/// How values are mapped. Each member is set or, when nil, left to the next authority.
///
/// For each object the call's options win, then those of the object's own class, then of its superclasses, then the
/// defaults. The limits hold for the call as a whole and are taken from the call and the class that is asked for.
///
/// ```swift
/// let gist = try Gist(json: data, options: .strict)
/// let gists = try [Gist](json: data, options: MappingOptions(skipsInvalidElements: true, depth: 32))
/// ```
public struct MappingOptions: Sendable {
    /// Accept only the JSON type that belongs to a property, and fail instead of falling back. Default: false.
    public var strict: Bool?
    /// Let `String` properties take numbers, digit for digit. Default: false.
    public var stringsFromNumbers: Bool?
    /// Skip the elements of a root array or dictionary that fail, and record them, instead of failing. Default: false.
    public var skipsInvalidElements: Bool?
    /// Merge nested models into the objects that are there, when an object is updated, instead of replacing them by new ones.
    /// Default: false.
    public var updatesNestedInPlace: Bool?
    /// How deep containers may nest, the outermost counted as 1; from 1 to ``maximumDepth``. Default: 512.
    public var depth: Int?
    /// How many bytes a document may have. Default: no limit.
    public var bytes: Int?
    /// How many failures are collected, at least 1; mapping goes on to the document's end. Default: 100.
    public var failures: Int?
    /// Anything that converters and hooks may want to know, which they read as ``MappingContext/current``. Default: nil.
    public var context: (any Sendable)? {
        get { box?.context }
        set { box = CallerBox(context: newValue, report: report) }
    }
    /// Called with the report of each mapping that succeeds and did not take everything just as it stood, by whatever
    /// thread maps: for logs and metrics, where nobody asks `mapReporting`. Default: nil.
    ///
    /// ```swift
    /// repository.configuration.mappingOptions.report = { report in log("\(report)") }
    /// ```
    ///
    /// A request maps its body once for each consumer, and a stream each element by itself, with places within the element.
    public var report: (@Sendable (_ report: MappingReport) -> Void)? {
        get { box?.report }
        set { box = CallerBox(context: context, report: newValue) }
    }

    /// Options are copied for every call: one reference is cheaper to copy than an existential and a closure.
    private var box: CallerBox?

    /// Options of which only the given ones are set.
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

    /// Only `strict` set, to true.
    public static let strict = MappingOptions(strict: true)

    /// The largest depth that is honoured; larger settings count as this one. Nested models are mapped by nested calls, and
    /// this many fit on a thread's stack of 8 MB in debug builds.
    public static let maximumDepth = 1024

    /// Only `depth` set, to the largest one: for JSON of the library's own making.
    static let deepest = MappingOptions(depth: maximumDepth)

    /// The limit that a setting of ``depth`` means.
    static func depthLimit(_ depth: Int?) -> Int { min(max(depth ?? 512, 1), maximumDepth) }

    /// The limit that a setting of ``bytes`` means.
    static func bytesLimit(_ bytes: Int?) -> Int { max(bytes ?? .max, 0) }

    /// These options, and the other's where these are not set.
    func over(_ other: MappingOptions) -> MappingOptions {
        MappingOptions(
            strict: strict ?? other.strict, stringsFromNumbers: stringsFromNumbers ?? other.stringsFromNumbers,
            skipsInvalidElements: skipsInvalidElements ?? other.skipsInvalidElements,
            updatesNestedInPlace: updatesNestedInPlace ?? other.updatesNestedInPlace, depth: depth ?? other.depth,
            bytes: bytes ?? other.bytes, failures: failures ?? other.failures, context: context ?? other.context,
            report: report ?? other.report)
    }

    /// These options without ``report``: for a mapping within a mapping, whose report is part of the outer one's.
    var unreported: MappingOptions {
        var options = self
        options.report = nil
        return options
    }

    /// Whether nothing is set.
    var isEmpty: Bool {
        strict == nil && stringsFromNumbers == nil && skipsInvalidElements == nil
            && updatesNestedInPlace == nil && depth == nil && bytes == nil && failures == nil && box == nil
    }
}

/// What a caller adds to the options, shared by many copies of them.
private final class CallerBox: Sendable {
    let context: (any Sendable)?
    let report: (@Sendable (MappingReport) -> Void)?

    /// nil if there is nothing to hold.
    init?(context: (any Sendable)?, report: (@Sendable (MappingReport) -> Void)?) {
        if context == nil, report == nil { return nil }
        self.context = context
        self.report = report
    }
}

/// What the caller of a mapping wants converters and hooks to know.
///
/// ```swift
/// let order = try Order(json: data, options: MappingOptions(context: Currency("EUR")))
/// // in a converter or in didMap():
/// let currency = MappingContext.current as? Currency
/// ```
public enum MappingContext {
    /// The ``MappingOptions/context`` of the mapping that runs in this task or thread; nil outside of one.
    @TaskLocal public static var current: (any Sendable)?
}
