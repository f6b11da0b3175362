/// The loop of one write: the open objects, and how their members are written.
final class WritingSession: WritingSink {
    /// Whether objects are written by ``WritingPlan/slots``: compact, in declaration order, without nulls.
    let canWriteSlots: Bool
    /// The objects being written, outermost first: a cycle repeats one of them.
    private var open: [ObjectIdentifier] = []

    /// - Parameter outer: The session whose text will contain this one's as a string; its objects are open here too.
    init(_ options: WritingOptions, inside outer: WritingSession? = nil) {
        canWriteSlots = options.isEmpty
        open = outer?.open ?? []
        super.init(options)
    }

    /// Runs `body`, which writes an object, unless the object is being written already or is nested too deep.
    @inline(__always)
    func writing(_ object: AbstractModel, _ writer: inout JSONWriter, _ body: (inout JSONWriter) -> Void) {
        let identity = ObjectIdentifier(object)
        if open.contains(identity) {
            return refuse(
                &writer, expected: "an object that does not contain itself",
                found: "\(type(of: object)) in a reference cycle")
        }
        guard hasRoom(&writer, for: "\(type(of: object))") else { return }
        open.append(identity)
        body(&writer)
        open.removeLast()
    }

    /// Runs one write and returns its text.
    ///
    /// - Throws: ``ModelError/invalidValues(_:)`` with all values that cannot be written, each with its path.
    static func run(
        _ options: WritingOptions, for model: AbstractModel.Type?,
        _ body: (inout JSONWriter, WritingSession) -> Void
    ) throws(ModelError) -> JSONWriter {
        let session = WritingSession(options)
        return try session.run(for: model) { body(&$0, session) }
    }

    override func writeEmbedded(
        _ value: Any, _ writer: inout JSONWriter, _ expected: String, _ write: (inout JSONWriter, WritingSink) -> Void
    ) {
        do throws(ModelError) {
            // The inner text has the same options, but is always compact, and is escaped by the outer text.
            let inner = WritingSession(options.subtracting([.pretty, .escapedSlashes]), inside: self)
            try inner.run(for: nil) { write(&$0, inner) }.withBytes { writer.write(utf8: $0) }
        } catch {
            refuse(&writer, expected: expected, found: FoundValue.text(value), underlying: error)
        }
    }

    override func write(_ object: AbstractModel, _ writer: inout JSONWriter) {
        let table: PropertyTable
        do throws(InvalidModel) {
            table = try PropertyTableCache.table(for: object)
        } catch {
            return fail(error, &writer)
        }
        writing(object, &writer) { writer in
            writer.open("{")
            if !table.isDynamic, canWriteSlots {
                writeSlots(of: object, table, &writer)
                return writer.close("}")
            }
            let typeName = (object as? any DynamicTypeModel).flatMap { self.typeName(of: $0, table) }
            // A type name without a property is a separate member: the first, or at the place of its key.
            var own = typeName?.row == nil ? typeName : nil
            let isSorted = options.contains(.sortedKeys)
            for member in isSorted ? table.plan.sorted : table.plan.declared {
                if let name = own, !isSorted || name.key.precedes(member.key.text) {
                    writer.member(name.key)
                    writer.write(name.text)
                    own = nil
                }
                write(member, of: object, table, typeName, &writer)
            }
            if let own {
                writer.member(own.key)
                writer.write(own.text)
            }
            writer.close("}")
        }
    }
}
