/// The loop of one mapping: its options and limits, and the journal of an update.
final class MappingSession: ReadingSink {
    /// The call's own options.
    let options: MappingOptions
    /// Whether the options of a class contribute to `rules` or the context.
    @exclusivity(unchecked) var hasClassRules = false
    /// The objects of arrays that are not complete.
    @exclusivity(unchecked) var stack = ModelStack()
    /// Called with the report, if it has entries.
    let reportSink: (@Sendable (MappingReport) -> Void)?
    /// The values that an update has read and stored.
    let journal = UpdateJournal()
    /// Whether nested objects are updated in place.
    let updatesNestedInPlace: Bool
    /// Applies an object to a property's value, if the document is a merge patch.
    let merging: Merging?

    /// - Returns: The JSON of a property's value after a patch.
    typealias Merging = (
        _ row: PropertyRow, _ object: AbstractModel, _ patch: JSONValue
    ) throws(ModelError) -> JSONValue
    /// The limits of the document.
    let depth: Int
    let byteLimit: Int
    /// The error behind an interruption with `.modelFault`.
    private(set) var fault: InvalidModel?

    /// - Parameter classOptions: those of the class that is asked for, for the limits.
    init(
        options: MappingOptions, classOptions: MappingOptions = .init(), isReporting: Bool, merging: Merging? = nil
    ) {
        self.options = options
        reportSink = options.report ?? classOptions.report
        self.merging = merging
        updatesNestedInPlace =
            merging != nil || options.updatesNestedInPlace ?? classOptions.updatesNestedInPlace ?? false
        depth = MappingOptions.depthLimit(options.depth ?? classOptions.depth)
        byteLimit = MappingOptions.bytesLimit(options.bytes ?? classOptions.bytes)
        hasClassRules = classOptions.strict != nil || classOptions.stringsFromNumbers != nil
        super.init(
            rules: Rules(
                strict: options.strict ?? classOptions.strict ?? false,
                stringsFromNumbers: options.stringsFromNumbers ?? classOptions.stringsFromNumbers ?? false),
            isReporting: isReporting || reportSink != nil,
            limit: max(options.failures ?? classOptions.failures ?? 100, 1))
    }

    /// The rules for objects of a class with the given options.
    func rules(for classOptions: MappingOptions) -> Rules {
        Rules(
            strict: options.strict ?? classOptions.strict ?? false,
            stringsFromNumbers: options.stringsFromNumbers ?? classOptions.stringsFromNumbers ?? false)
    }

    /// An interruption for a class that cannot be mapped.
    func interruption(_ fault: InvalidModel) -> Interruption {
        self.fault = fault
        return Interruption(fault: .modelFault, offset: 0)
    }

    override func readEmbedded<Value>(
        _ text: String, at offset: Int, _ codec: ValueCodec<Value>, _ expected: String
    ) throws(Interruption) -> Value? {
        // The rules of the object around hold for what is in the string, but not for objects in it.
        let rules = MappingOptions(strict: rules.strict, stringsFromNumbers: rules.stringsFromNumbers)
        do throws(ModelError) {
            let inner = try MappingSession.run(
                text, classOptions: rules, options: options.unreported, isReporting: isReporting, body: codec.value)
            adopt(inner.report.entries.map { $0.finding(insideOfValueAt: offset) })
            return inner.result
        } catch {
            if case .invalidModel(let fault) = error { throw interruption(fault) }
            return refused(at: offset, expected, underlying: error)
        }
    }
}
