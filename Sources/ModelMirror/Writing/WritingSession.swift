/// The state of one write: the open objects, and how their members are written.
final class WritingSession: WritingSink {
    /// Whether objects are written by ``WritingOrder/slots``: compact, in declaration order, without nulls, without the context of
    /// a class around them.
    @exclusivity(unchecked) private var canWriteSlots: Bool
    /// The objects being written, outermost first: a cycle repeats one of them.
    @exclusivity(unchecked) private var open: [ObjectIdentifier] = []
    /// Whether nil properties of the current object are written.
    @exclusivity(unchecked) private(set) var writesNulls = false
    /// Whether the context is that of the current object's class.
    @exclusivity(unchecked) private var hasClassContext = false
    /// The call's own options.
    private let mapping: MappingOptions
    /// Whether the JSON is written for the caller, so that ``WillWrite`` is called.
    var isForCaller: Bool
    /// The tables of the first classes that were written: the cache finds only that of the class used last without a lock, and the
    /// classes of nested objects alternate. Not counted, since the cache or `variant` retains them.
    @exclusivity(unchecked) private var tables: [(model: ObjectIdentifier, table: Unmanaged<PropertyTable>)] = []
    /// The tables for the rules of `mapping`; nil for the classes' own tables.
    let variant: TableVariant?

    /// - Parameter outer: The session whose text will contain this one's as a string; its objects are open here too.
    private init(_ options: WritingOptions, _ mapping: MappingOptions, inside outer: WritingSession? = nil) {
        hasClassContext = outer?.hasClassContext ?? false
        canWriteSlots = options.isEmpty && mapping.writesNulls != true && !hasClassContext
        open = outer?.open ?? []
        self.mapping = mapping
        variant = TableVariant.of(mapping)
        isForCaller = outer?.isForCaller ?? true
        super.init(options)
    }

    /// Runs one write and returns its text.
    ///
    /// - Throws: ``ModelError/invalidValues(_:)`` with all values that cannot be written, each with its path.
    static func run(
        _ options: WritingOptions, _ mapping: MappingOptions = .init(), for model: AbstractModel.Type?,
        _ body: (inout JSONWriter, WritingSession) -> Void
    ) throws(ModelError) -> JSONWriter {
        let session = WritingSession(options, mapping)
        guard mapping.hasContext else { return try session.run(for: model) { body(&$0, session) } }
        return try session.run(for: model) { writer in
            MappingContext.$local.withValue(mapping.context) { body(&writer, session) }
        }
    }

    override func writeEmbedded<Value>(
        _ value: Value, _ writer: inout JSONWriter, _ plan: TypePlan<Value>, _ expected: Expectation
    ) {
        do throws(ModelError) {
            // The inner text has the same options, but is always compact, and is escaped by the outer text.
            let inner = WritingSession(options.subtracting([.pretty, .escapedSlashes]), mapping, inside: self)
            let text = try inner.run(for: nil, at: writer.level) { plan.write(value, &$0, inner) }
            text.withBytes { writer.write(utf8: $0) }
        } catch {
            refuse(&writer, expected: expected, found: FoundValue.text(value), underlying: error)
        }
    }

    /// The table of an object's class.
    @inline(__always)
    func table(for object: AbstractModel) throws(InvalidModel) -> PropertyTable {
        let model = ObjectIdentifier(type(of: object))
        for index in tables.indices where tables[index].model == model {
            return tables[index].table.takeUnretainedValue()
        }
        return try findTable(for: object)
    }

    @inline(never)
    private func findTable(for object: AbstractModel) throws(InvalidModel) -> PropertyTable {
        let table = try PropertyTableCache.table(for: object, variant)
        if tables.count < 8 { tables.append((ObjectIdentifier(type(of: object)), .passUnretained(table))) }
        return table
    }

    override func write(_ object: AbstractModel, _ writer: inout JSONWriter) {
        let table: PropertyTable
        do throws(InvalidModel) {
            table = try self.table(for: object)
        } catch {
            return fail(error, &writer)
        }
        let identity = ObjectIdentifier(object)
        if open.contains(identity) {
            return refuse(&writer, expected: .plain(.cycle), found: "\(type(of: object)) in a reference cycle")
        }
        guard hasRoom(&writer, for: "\(type(of: object))") else { return }
        open.append(identity)
        defer { open.removeLast() }
        let start = writer.count
        writer.open("{")
        let slots = table.slots
        if canWriteSlots, table.isWrittenPlainly, !slots.isPrepared {
            write(slots, of: object, table, &writer)
            writer.close("}")
        } else {
            withOptions(of: table) {
                if let error = prepare(object, table) {
                    let details = Issue.Details(words: "\(type(of: object))", underlying: error)
                    reject(Issue(.fallback, .acceptedByWillWrite, at: start, details).named(table, -1))
                }
                let names = TypeName.all(in: object, table)
                ObjectWriter(session: self, object: object, table: table, names: names).writeMembers(&writer)
            }
        }
    }

    /// Runs `body` with the context and the null option of an object's class, in place of those of the enclosing object's class.
    func withOptions<Result>(of table: PropertyTable, _ body: () -> Result) -> Result {
        let outer = (writesNulls, hasClassContext, canWriteSlots)
        defer { (writesNulls, hasClassContext, canWriteSlots) = outer }
        writesNulls = options.contains(.nulls) || mapping.writesNulls ?? table.options.writesNulls ?? false
        hasClassContext = table.options.hasContext && !mapping.hasContext
        canWriteSlots = options.isEmpty && !writesNulls && !hasClassContext
        guard hasClassContext || outer.1 else { return body() }
        return MappingContext.$local.withValue(table.options.context, operation: body)
    }

    /// Calls `willWrite` of an object, if its class is a ``WillWrite``.
    ///
    /// - Returns: The error that it throws.
    func prepare(_ object: AbstractModel, _ table: PropertyTable) -> (any Error)? {
        guard table.slots.isPrepared, isForCaller, let object = object as? any WillWrite else { return nil }
        do { try object.willWrite() } catch { return error }
        return nil
    }
}
