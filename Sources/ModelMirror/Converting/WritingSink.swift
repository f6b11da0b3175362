/// The part of a writing call that plans use: the options, and the issues they record.
///
/// A value that cannot be written becomes `null` in the text and an issue at that offset. Paths are determined from the text at
/// the end, so that they need not be tracked. ``WritingSession``, the loop, is its subclass.
///
/// `@exclusivity(unchecked)` on what the loop touches for every object: only the library's code reaches a sink, and none of these
/// accesses contains another. (Measured: the runtime's checks took 6 % of the instructions of writing gists.)
class WritingSink {
    final let options: WritingOptions
    @exclusivity(unchecked) final var issues: [Issue] = []
    /// How many of the values being written are never shown.
    @exclusivity(unchecked) final var redaction = 0
    /// The error of a class that cannot be mapped.
    private var fault: InvalidModel?
    private let stack = StackRoom()

    init(_ options: WritingOptions) { self.options = options }

    /// Writes an object. Overridden by the loop.
    func write(_ object: AbstractModel, _ writer: inout JSONWriter) {
        refuse(&writer, expected: .writable(.notModel), found: "\(type(of: object))")
    }

    /// Writes a document as a string. Overridden by the loop, because it is a separate write.
    func writeEmbedded<Value>(
        _ value: Value, _ writer: inout JSONWriter, _ plan: TypePlan<Value>, _ expected: Expectation
    ) { refuse(&writer, expected: expected, found: FoundValue.text(value)) }

    /// Writes `null` for an object whose class cannot be mapped; the write fails.
    final func fail(_ fault: InvalidModel, _ writer: inout JSONWriter) {
        self.fault = self.fault ?? fault
        writer.writeNull()
    }

    /// Runs one write and returns its text.
    ///
    /// - Parameter level: The number of containers that are open around the text, for an embedded document.
    /// - Throws: ``ModelError/invalidValues(_:)`` with all values that cannot be written, each with its path.
    final func run(
        for model: AbstractModel.Type?, at level: Int = 0, _ body: (inout JSONWriter) -> Void
    ) throws(ModelError) -> JSONWriter {
        var writer = JSONWriter(options, level: level)
        body(&writer)
        if let fault { throw .invalidModel(fault) }
        guard issues.isEmpty else {
            let locator = IssueLocator(model: model, isLocated: false, isWriting: true)
            let failures = writer.data().reading { start, count in
                locator.failures(issues, limit: 100, in: JSONReader(start, count: count, depth: .max))
            }
            throw .invalidValues(failures ?? [])
        }
        return writer
    }

    /// Writes `null` in place of a value that cannot be written.
    @inline(never)
    final func refuse(
        _ writer: inout JSONWriter, expected: Expectation, found: String, underlying: (any Error)? = nil,
        of property: String? = nil
    ) {
        let details = Issue.Details(words: found, underlying: underlying, property: property)
        reject(Issue(.fallback, expected, at: writer.count, details))
        writer.writeNull()
    }

    /// Records a value that cannot be written, whatever is written in its place.
    final func reject(_ issue: Issue) { issues.append(redaction > 0 ? issue.redacted : issue) }

    /// Writes `null` in place of nil where a value is required.
    final func refuseNil(_ writer: inout JSONWriter, expected: Expectation) {
        reject(Issue(.fallback, expected, at: writer.count, found: .nothing))
        writer.writeNull()
    }

    /// How deep alternatives are nested that are being written, and the bytes of the attempts that failed, and of those that did not.
    private var attempts = (depth: 0, failed: 0, kept: 0)

    /// Writes a value by the first of several plans that writes all of it; the first one rejects a value that none of them writes.
    ///
    /// After a hundred writings no others are tried: with alternatives in each other, the time doubles with each level, as for
    /// ``ReadingSink/countReading(since:_:)``.
    @_semantics("optimize.sil.specialize.generic.never")
    final func write<Value>(_ value: Value, _ writer: inout JSONWriter, byFirstOf plans: [TypePlan<Value>]) {
        attempts.depth += 1
        defer { attempts = attempts.depth > 1 ? (attempts.depth - 1, attempts.failed, attempts.kept) : (0, 0, 0) }
        for plan in plans where attempts.failed <= max(attempts.kept, 10_000) * JSONReader.mostReadings {
            var aside = JSONWriter(insideOf: writer)
            let (count, kept) = (issues.count, attempts.kept)
            plan.write(value, &aside, self)
            // With a fault the whole call fails.
            guard issues.count > count else {
                attempts.kept += aside.count
                return aside.withBytes { writer.append($0) }
            }
            issues.removeSubrange(count...)
            (attempts.failed, attempts.kept) = (attempts.failed + aside.count, kept)
        }
        plans[0].write(value, &writer, self)
    }

    /// Writes a row's value, and sets object and property of the issues that plans add; those of objects in it have their own.
    @inline(__always)
    final func naming<Result>(_ table: IssueSubject, _ row: Int, _ write: () -> Result) -> Result {
        let first = issues.count
        let result = write()
        if first < issues.count { nameIssues(table, row, since: first) }
        return result
    }

    @inline(never)
    private func nameIssues(_ table: IssueSubject, _ row: Int, since first: Int) {
        for index in first..<issues.count where issues[index].subject == nil { issues[index].name(table, row) }
    }

    /// Whether another container may be opened; if not, it is rejected. A deeper document could not be read back, and would
    /// endanger the stack.
    @inline(__always)
    final func hasRoom(_ writer: inout JSONWriter, for container: @autoclosure () -> String) -> Bool {
        if writer.level < MappingOptions.maximumDepth, stack.isLeft { return true }
        refuseDepth(&writer, container())
        return false
    }

    @inline(never)
    private final func refuseDepth(_ writer: inout JSONWriter, _ container: String) {
        let isLimit = writer.level >= MappingOptions.maximumDepth
        let reason = isLimit ? "" : ", for which the thread's stack is too small"
        let found = "\(container) at depth \(writer.level + 1)\(reason)"
        refuse(&writer, expected: .plain(isLimit ? .depth : .stack), found: found)
    }

    /// Writes an object with one more member, or in place of its own; all of them are sorted by key.
    final func write(
        _ key: String, _ value: JSONValue, into writer: inout JSONWriter, _ write: (inout JSONWriter) -> Void
    ) {
        let first = issues.count
        var aside = JSONWriter(insideOf: writer)
        write(&aside)
        let json = aside.withBytes { try? JSONValue(json: Array($0), options: .deepest) }
        guard issues.count == first else {
            for index in first..<issues.count { issues[index].move(by: writer.count) }
            return aside.withBytes { writer.append($0) }
        }
        guard var members = json?.object else {
            // Not shown whole, since the models in it may have values that are never shown.
            let found = json?.array != nil ? "an array" : json?.description.shortened ?? ""
            return refuse(&writer, expected: .kind(.object), found: found)
        }
        if let own = members.updateValue(value, forKey: key), own != value {
            return refuse(&writer, expected: .writable(.caseName), found: "its member \(key.quotedForMessage)")
        }
        JSONValue.object(members).write(&writer, self)
    }

    /// Writes the elements of an array.
    @inline(__always)
    final func writeArray<Element>(
        _ elements: [Element], _ writer: inout JSONWriter, _ write: (Element, inout JSONWriter) -> Void
    ) {
        guard hasRoom(&writer, for: "an array") else { return }
        writer.open("[")
        for index in elements.indices {
            writer.element()
            write(elements[index], &writer)
        }
        writer.close("]")
    }

    /// Writes the elements of an unordered collection sorted by their text, so that equal sets are written as equal bytes.
    ///
    /// Each element is written once, into its own buffer: writing it a second time would double the work for every level of nested
    /// sets.
    @_semantics("optimize.sil.specialize.generic.never")
    final func writeSorted<Element>(
        _ values: some Sequence<Element>, _ writer: inout JSONWriter, _ write: TypePlan<Element>.Write
    ) {
        guard hasRoom(&writer, for: "an array") else { return }
        writer.open("[")
        var elements: [(text: [UInt8], issues: Range<Int>)] = []
        for value in values {
            let first = issues.count
            var aside = JSONWriter(insideOf: writer)
            write(value, &aside, self)
            elements.append((aside.withBytes { Array($0) }, first..<issues.count))
        }
        for element in elements.sorted(by: { $0.text.lexicographicallyPrecedes($1.text) }) {
            writer.element()
            for index in element.issues { issues[index].move(by: writer.count) }
            element.text.withUnsafeBufferPointer { writer.append($0) }
        }
        writer.close("]")
    }
}

/// The part of a schema builder that plans use. ``SchemaBuilder`` is its subclass.
class SchemaSink {
    /// A reference to the definition of a class. Overridden by the builder.
    func reference(to model: any MappedModel.Type) -> JSONValue { [:] }
    /// Whether unknown keys are failures. Overridden by the builder.
    var isClosed: Bool { false }
    /// The schema of a model whose class is named by a member beside its property; set per property.
    final var tagged: (any MappedModel.Type) -> JSONValue = { _ in [:] }
    /// The members of the object being described that name the cases of enums, and are no part of the value.
    final var caseTags: [String] = []

    /// The schema of a value whose object has such members; by default that of a value with an object of its own.
    final func beside(_ tags: [String] = [], _ make: () -> JSONValue) -> JSONValue {
        let outer = caseTags
        caseTags = tags
        defer { caseTags = outer }
        return make()
    }

    /// The schema of a dictionary.
    final func dictionary(of members: JSONValue, _ keys: [String: JSONValue]) -> JSONValue {
        var schema = keys.merging(["type": "object", "additionalProperties": members]) { $1 }
        if !caseTags.isEmpty { schema["properties"] = .object(caseTags.reduce(into: [:]) { $0[$1] = [:] }) }
        schema["propertyNames"] = keys["propertyNames"].map { names(fitting: $0, or: caseTags) }
        return .object(schema)
    }

    /// The schema of keys that fit another, or are among some.
    final func names(fitting schema: JSONValue, or others: [String]) -> JSONValue {
        others.isEmpty ? schema : ["anyOf": [["enum": .array(others.map(JSONValue.string))], schema]]
    }

    /// The schema of names of types: strings, and the numbers and Booleans that they spell.
    final func typeNames(_ names: [String]) -> JSONValue {
        ["enum": .array(names.flatMap { [.string($0), .literal(ofTypeName: $0)].compactMap(\.self) })]
    }

    final func nullable(_ schema: JSONValue) -> JSONValue {
        schema == [:] ? schema : ["anyOf": [schema, ["type": "null"]]]
    }
}
