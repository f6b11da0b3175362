import ModelMirror

/// The documents of sources in memory, and what is not JSON between them.
struct SourceDocuments {
    private(set) var list: [SourceDocument] = []
    private var faults: [String] = []
    private var faultCount = 0

    /// Adds the documents of a file, a URL or standard input: one, or those of NDJSON, of a sequence, or concatenated.
    ///
    /// - Throws: An error if it cannot be read, or if there is no document, which says how to convert YAML.
    mutating func add(_ argument: String, _ context: CommandContext) async throws(CommandError) {
        let (name, source) = try await SourceDocument.open(argument, context)
        let before = list.count
        var reader = DocumentReader(source)
        do throws(ByteSource.Failure) {
            while let piece = try reader.next() {
                switch piece {
                case .document(let range):
                    list.append(SourceDocument(name: name, bytes: Array(reader.buffer[range])))
                case .fault(let fault):
                    faultCount += 1
                    if faultCount <= DocumentStatistics.mostFaults { faults.append("\(name):\(fault)") }
                case .element, .arrayEnd: break
                }
            }
        } catch {
            throw SourceDocument.unreadable(name, error)
        }
        guard list.count == before else { return }
        _ = try SourceDocument(name: name, bytes: reader.buffer).value()
        throw .document(faults.last ?? "")
    }

    /// The document as a value; of several, the array of them.
    func value() throws(CommandError) -> JSONValue {
        if list.count + faultCount == 1 { return try list[0].value() }
        var values: [JSONValue] = []
        for document in list { values.append(try document.value()) }
        return .array(values)
    }

    /// The lines of standard error: what is not JSON.
    var errors: [String] { faults.listed(of: faultCount) }
}

extension [String] {
    /// The first lines, with a line about those not listed.
    func listed(of count: Int) -> [String] {
        count > self.count ? self + ["\((count - self.count).of("more line")) not listed"] : self
    }
}
