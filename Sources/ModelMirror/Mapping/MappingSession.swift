/// The loop of one mapping: its options and limits, and the journal of an update.
final class MappingSession: ReadingSink {
    /// The call's own options.
    let options: MappingOptions
    /// Whether the context is that of a class.
    @exclusivity(unchecked) var hasClassContext = false
    /// The rejected values of the objects being read: those of an object stand together, after those of the objects around it.
    @exclusivity(unchecked) var rejected: [RejectedValue] = []
    /// The objects of arrays that are not complete.
    @exclusivity(unchecked) var stack = ModelStack()
    /// Called with the report, if it has entries.
    let reportSink: (@Sendable (MappingReport) -> Void)?
    /// The ends of containers that were walked through and may be again.
    @exclusivity(unchecked) var ends = ContainerEnds()
    /// The values for hooks and functions of classes; the parts of one value are made once.
    @exclusivity(unchecked) var refusedValues = PlainValues()
    var objectValues = ObjectValues()
    /// The values that an update has read and stored.
    @exclusivity(unchecked) var journal = UpdateJournal()
    /// Whether nested objects are updated in place.
    let updatesNestedInPlace: Bool
    /// The tables of the call's own table rules; nil for the classes' tables.
    let variant: TableVariant?
    /// The choices that made the objects being read, and where those objects begin.
    @exclusivity(unchecked) var discriminators: [(offset: Int, choice: DynamicTypeChoice)] = []
    /// The class of the models of the property being read, if a member beside it names it.
    var tag: Tag?

    struct Tag {
        let rule: DynamicPropertyTypes
        /// The offset of the name; nil if it is missing.
        let offset: Int?
        /// The offset of the object around the property.
        let objectOffset: Int
        /// The name; nil if it is missing or is not one.
        let name: String?
        /// Nil if the name is missing or unknown.
        let chosen: AbstractModel.Type?
        /// Whether the report has the missing or unknown name.
        var isNoted = false

        /// Whether an existing object is kept: its class is named, or no name is given.
        func names(_ object: AbstractModel) -> Bool {
            offset == nil || chosen.map { type(of: object) == $0 } ?? false
        }

        /// The issue for a missing or unknown name.
        var issue: Issue {
            Issue(
                rule.fallback.kind(isMissing: offset == nil), .typeNames(rule.types.keys), at: offset ?? objectOffset,
                found: offset == nil ? .noKey : .value,
                Issue.Details(suffix: JSONPath(offset == nil ? rule.key.places.first ?? [] : [])))
        }
    }

    /// Applies a patch to a property's value; nil unless the document is a merge patch.
    let merging: Merging?

    /// - Returns: The JSON of a property's value after a patch.
    typealias Merging = (
        _ row: PropertyRow, _ object: AbstractModel, _ patch: JSONValue
    ) throws(ModelError) -> JSONValue
    /// Whether the stack has room for another object.
    let room = StackRoom()
    /// The limits of the document.
    let depth: Int
    let byteLimit: Int
    /// The error behind an interruption with `.modelFault`.
    private(set) var fault: InvalidModel?

    /// - Parameters:
    ///   - classOptions: The options of the requested class, whose limits apply to the whole call.
    ///   - depth: The depth left for a document inside another; nil for the whole limit.
    init(
        options: MappingOptions, classOptions: MappingOptions = .init(), isReporting: Bool, depth: Int? = nil,
        merging: Merging? = nil
    ) {
        self.options = options
        reportSink = options.report ?? classOptions.report
        self.merging = merging
        updatesNestedInPlace =
            merging != nil || options.updatesNestedInPlace ?? classOptions.updatesNestedInPlace ?? false
        variant = TableVariant.of(options)
        self.depth = depth ?? MappingOptions.depthLimit(options.depth ?? classOptions.depth)
        byteLimit = MappingOptions.bytesLimit(options.bytes ?? classOptions.bytes)
        super.init(
            rules: MappingSession.rules(options, classOptions, around: Rules()),
            isReporting: isReporting || reportSink != nil,
            limit: max(options.failures ?? classOptions.failures ?? 100, 1))
    }

    /// The rules for objects of a class with the given options, inside an object with the current rules.
    func rules(for classOptions: MappingOptions) -> Rules {
        MappingSession.rules(options, classOptions, around: rules)
    }

    private static func rules(_ call: MappingOptions, _ own: MappingOptions, around outer: Rules) -> Rules {
        Rules(
            strict: call.strict ?? own.strict ?? outer.strict,
            requiresNonOptional: call.requiresNonOptional ?? own.requiresNonOptional ?? outer.requiresNonOptional,
            stringsFromNumbers: call.stringsFromNumbers ?? own.stringsFromNumbers ?? outer.stringsFromNumbers,
            arraysFromSingleValues: call.arraysFromSingleValues ?? own.arraysFromSingleValues
                ?? outer.arraysFromSingleValues,
            updatesIgnoreNulls: call.updatesIgnoreNulls ?? own.updatesIgnoreNulls ?? outer.updatesIgnoreNulls,
            reportsMissingOptionals: call.reportsMissingOptionals ?? own.reportsMissingOptionals
                ?? outer.reportsMissingOptionals,
            unknownKeys: call.unknownKeys ?? own.unknownKeys ?? outer.unknownKeys)
    }

    /// The options that a document inside a value inherits: the rules of the object around it.
    var inheritedRules: MappingOptions {
        MappingOptions(
            strict: rules.strict, requiresNonOptional: rules.requiresNonOptional,
            stringsFromNumbers: rules.stringsFromNumbers, unknownKeys: rules.unknownKeys,
            arraysFromSingleValues: rules.arraysFromSingleValues, updatesIgnoreNulls: rules.updatesIgnoreNulls,
            reportsMissingOptionals: rules.reportsMissingOptionals)
    }

    /// The table of an object's class.
    func table(for object: AbstractModel) throws(Interruption) -> PropertyTable {
        do throws(InvalidModel) { return try PropertyTableCache.table(for: object, variant) } catch {
            throw interruption(error)
        }
    }

    /// An interruption for a class that cannot be mapped.
    func interruption(_ fault: InvalidModel) -> Interruption {
        self.fault = fault
        return Interruption(fault: .modelFault, offset: 0)
    }

    override var fillsNested: Bool { updatesNestedInPlace }

    override func fillCopy(
        of model: AbstractModel, _ reader: inout JSONReader
    ) throws(Interruption) -> AbstractModel? {
        let copy: AbstractModel
        do throws(ModelError) { copy = try model.copy() } catch {
            if case .invalidModel(let fault) = error { throw interruption(fault) }
            // Otherwise only a lack of stack space keeps an object from being copied.
            throw reader.expected(.lessStack)
        }
        return try fill(copy, table(for: copy), &reader) ? copy : nil
    }

    override func readEmbedded<Value>(
        _ text: String, at offset: Int, depthLeft: Int, _ plan: TypePlan<Value>, _ expected: Expectation
    ) throws(Interruption) -> Value? {
        do throws(ModelError) {
            let inner = try MappingSession.run(
                text, classOptions: inheritedRules, options: options.unreported, isReporting: isReporting,
                depth: depthLeft, body: (redaction > 0 ? plan.redacted : plan).value)
            adopt(inner.report.entries.map { $0.issue(insideOfValueAt: offset) })
            return inner.result
        } catch {
            if case .invalidModel(let fault) = error { throw interruption(fault) }
            return refused(at: offset, expected, underlying: error)
        }
    }
}
