/// What one call reads, and by which options.
struct MappingCall {
    /// The call's own options.
    let options: MappingOptions
    /// The options of the requested class, whose limits apply to the whole call.
    var classOptions = MappingOptions()
    /// The rules of the object around a document that is inside of a value.
    var outerRules = ReadingSink.Rules()
    /// The requested class, for issues outside of any object.
    var model: AbstractModel.Type?
    /// The path of the value.
    var path = JSONPath.root
    /// Whether the caller wants the report.
    var isReporting = false
    /// Whether an error tells to request an array, or a single object, if there is one instead of the other.
    var suggestsOther = false
    /// Whether lines and offsets mean anything to the caller; false if the bytes were made from other values.
    var isLocated = true
    /// Whether the bytes were made from a dictionary.
    var isPlain = false
    /// The depth left for a document inside another; nil for the whole limit.
    var depth: Int?
    /// Applies a patch to a property's value; nil unless the document is a merge patch.
    var merging: Merging?

    /// Makes the JSON of a property's value after a patch. `redaction` is the session's.
    typealias Merging = (PropertyRow, AbstractModel, JSONValue, _ redaction: Int) throws(ModelError) -> JSONValue

    /// Called with the report, if it has entries.
    var reportSink: (@Sendable (MappingReport) -> Void)? { options.report ?? classOptions.report }

    var depthLimit: Int { depth ?? MappingOptions.depthLimit(options.depth ?? classOptions.depth) }

    var byteLimit: Int { MappingOptions.bytesLimit(options.bytes ?? classOptions.bytes) }

    var skipsInvalidElements: Bool { options.skipsInvalidElements ?? classOptions.skipsInvalidElements ?? false }

    var updatesNestedInPlace: Bool {
        merging != nil || options.updatesNestedInPlace ?? classOptions.updatesNestedInPlace ?? false
    }
}

/// The state of one mapping: its issues, what objects that are being read share, and the journal of an update.
final class MappingSession: ReadingSink {
    let call: MappingCall
    /// The tables of the call's own table rules; nil for the classes' tables.
    let variant: TableVariant?
    /// Whether the context is that of a class.
    @exclusivity(unchecked) var hasClassContext = false
    /// The rejected values of the objects being read: those of an object stand together, after those of the objects around it.
    @exclusivity(unchecked) var rejected: [RejectedValue] = []
    /// The objects of arrays that are not complete.
    @exclusivity(unchecked) var stack = ModelStack()
    /// The values for hooks; the parts of one value are made once.
    @exclusivity(unchecked) var refusedValues = PlainValues()
    /// The values that an update has read and stored.
    @exclusivity(unchecked) var journal = UpdateJournal()
    /// The classes that the objects being read were given.
    @exclusivity(unchecked) var choices = ClassChoices()
    /// The objects whose members flattened properties read, each with its class's table and the property's row; the innermost is
    /// last.
    @exclusivity(unchecked) var flattened: [(object: Int, table: PropertyTable, row: Int)] = []
    /// The error behind an interruption with `.modelFault`.
    private(set) var fault: InvalidModel?

    init(_ call: consuming MappingCall) {
        let fillsNested = call.updatesNestedInPlace
        variant = TableVariant.of(call.options)
        let rules = MappingSession.rules(call.options, call.classOptions, around: call.outerRules)
        let isReporting = call.isReporting || call.reportSink != nil
        let limit = max(call.options.failures ?? call.classOptions.failures ?? 100, 1)
        // Moved, since a copy counts a reference for each of its closures.
        self.call = consume call
        super.init(rules: rules, isReporting: isReporting, limit: limit, fillsNested: fillsNested)
    }

    /// The rules for objects of a class with options of its own, by those of the call, inside an object with other rules.
    static func rules(_ call: MappingOptions, _ own: MappingOptions, around outer: Rules) -> Rules {
        Rules(
            strict: call.strict ?? own.strict ?? outer.strict,
            requiresNonOptional: call.requiresNonOptional ?? own.requiresNonOptional ?? outer.requiresNonOptional,
            stringsFromNumbers: call.stringsFromNumbers ?? own.stringsFromNumbers ?? outer.stringsFromNumbers,
            stringsFromBooleans: call.stringsFromBooleans ?? own.stringsFromBooleans ?? outer.stringsFromBooleans,
            numbersFromBooleans: call.numbersFromBooleans ?? own.numbersFromBooleans ?? outer.numbersFromBooleans,
            integers: call.integers ?? own.integers ?? outer.integers,
            arraysFromSingleValues: call.arraysFromSingleValues ?? own.arraysFromSingleValues
                ?? outer.arraysFromSingleValues,
            updatesIgnoreNulls: call.updatesIgnoreNulls ?? own.updatesIgnoreNulls ?? outer.updatesIgnoreNulls,
            reportsMissingOptionals: call.reportsMissingOptionals ?? own.reportsMissingOptionals
                ?? outer.reportsMissingOptionals, unknownKeys: call.unknownKeys ?? own.unknownKeys ?? outer.unknownKeys)
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

    override var isPlain: Bool { call.isPlain }

    override func fillCopy(of model: AbstractModel, _ reader: inout JSONReader) throws(Interruption) -> AbstractModel? {
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
        var (value, loss): (Value?, ModelError?)
        do throws(ModelError) {
            value = try runInside(text, at: offset, depthLeft: depthLeft) { reader, session throws(Interruption) in
                let value = try plan.value(&reader, session)
                // A collection is stored without its bad elements, unless the row refuses it.
                if plan.isCollection, value != nil, session.hasIssues {
                    loss = session.invalidValues(in: reader)
                    session.reportIssues()
                }
                return value
            }
        } catch {
            if case .invalidModel(let fault) = error { throw interruption(fault) }
            loss = error
        }
        guard let loss else { return value }
        // The text of models, whose issues describe it, may have values that are never shown. A redacted text is shown by its kind.
        let hidesText = plan.held != nil && redaction == 0
        let details = Issue.Details(words: hidesText ? FailureWords.otherText : nil, underlying: loss)
        add(Issue(value == nil ? .fallback : .skipped, expected, at: offset, details))
        return value
    }

    /// Maps a document that is inside of a value, by the rules of the object around it; its report becomes a part of this one.
    func runInside<Result>(
        _ json: some JSONInput, at offset: Int, depthLeft: Int,
        _ body: (inout JSONReader, MappingSession) throws(Interruption) -> Result?
    ) throws(ModelError) -> Result {
        var options = call.options
        options.report = nil
        let inside = MappingCall(options: options, outerRules: rules, isReporting: isReporting, depth: depthLeft)
        let inner = try MappingSession.run(json, inside) { reader, session throws(Interruption) in
            (session.hasClassContext, session.redaction) = (hasClassContext, redaction)
            return try body(&reader, session)
        }
        for entry in inner.report.entries { note(entry.failure.issue(entry.kind, insideOfValueAt: offset)) }
        return inner.result
    }
}
