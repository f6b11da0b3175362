import ModelMirror

/// The documents of sources in memory, and what is not JSON between them.
struct SourceDocuments {
    private var documents: [SourceDocument] = []
    private var faults: [String] = []
    private var faultCount = 0
    private var sample: DocumentSample?
    /// The name of the last source.
    private(set) var name = ""

    /// - Parameter sample: Chooses the documents; nil for all.
    init(sample: DocumentSample? = nil) { self.sample = sample }

    /// The documents: of arrays whose elements are chosen, those of the elements.
    var list: [SourceDocument] { sample?.documents ?? documents }

    /// `a sample of 100 of 5000 documents`; nil if all are in it.
    var note: String? { sample?.note }

    /// Adds the documents of a file, a URL or standard input: one, or those of NDJSON, of a sequence, or concatenated.
    ///
    /// - Throws: An error if it cannot be read, or if there is no document, which says how to convert YAML.
    mutating func add(_ argument: String, _ context: CommandContext) async throws(CommandError) {
        let (name, source) = try await SourceDocument.open(argument, context)
        try add(source, named: name)
    }

    /// Adds the documents of a source.
    mutating func add(_ source: ByteSource, named name: String) throws(CommandError) {
        self.name = name
        let before = documents.count + (sample?.count ?? 0)
        var reader = DocumentReader(source, splitsArrays: sample != nil)
        do throws(ByteSource.Failure) {
            while let piece = try reader.next() {
                try sample?.offer(piece, of: &reader, name)
                switch piece {
                case .document(let range) where sample == nil:
                    documents.append(SourceDocument(name: name, bytes: Array(reader.buffer[range])))
                case .fault(let fault):
                    faultCount += 1
                    if faultCount <= DocumentStatistics.mostFaults { faults.append("\(name):\(fault)") }
                case .document, .element, .arrayEnd: break
                }
            }
            try sample?.offer(nil, of: &reader, name)
        } catch {
            throw SourceDocument.unreadable(name, error)
        }
        guard documents.count + (sample?.count ?? 0) == before else { return }
        _ = try SourceDocument(name: name, bytes: reader.buffer).value()
        throw .document(faults.last ?? "")
    }

    /// Whether there is not one document alone.
    private var isList: Bool { (sample?.documentCount ?? list.count) + faultCount != 1 }

    /// Whether the documents are one array in a comparison: several are, and so is one beside several, unless it is in more arrays than these.
    func isList(beside other: SourceDocuments) -> Bool {
        isList || other.isList && depth <= other.depth
    }

    /// The number of arrays that the first document begins with.
    private var depth: Int {
        let bytes = list.first?.bytes ?? []
        return bytes.lazy.filter { !" \t\r\n".utf8.contains($0) }.prefix { $0 == UInt8(ascii: "[") }.count
    }

    /// The document as a value, or the array of the documents, for a comparison with others.
    func value(beside other: SourceDocuments) throws(CommandError) -> JSONValue {
        let list = list
        if !isList(beside: other) { return try list[0].value() }
        var values: [JSONValue] = []
        for document in list { values.append(try document.value()) }
        return .array(values)
    }

    /// The lines of standard error: what is not JSON.
    var errors: [String] { faults.listed(of: faultCount) }
}

extension DocumentSample {
    /// The documents; arrays with the elements that are chosen.
    fileprivate var documents: [SourceDocument] {
        var documents: [SourceDocument] = []
        var elements: [UInt8] = []
        let parts = parts
        for (index, part) in parts.enumerated() {
            let bytes = part.content.bytes[part.content.range]
            guard let element = part.element else {
                documents.append(SourceDocument(name: part.source, bytes: Array(bytes)))
                continue
            }
            elements += [UInt8(ascii: elements.isEmpty ? "[" : ",")] + bytes
            if index + 1 == parts.count || parts[index + 1].element?.array != element.array {
                documents.append(SourceDocument(name: part.source, bytes: elements + [UInt8(ascii: "]")]))
                elements = []
            }
        }
        return documents
    }
}

extension ExplorerCommand {
    /// The options of commands that read a sample.
    static let sampling: [Option] = [
        .value("sample", "N", "only N documents, or elements of an array, chosen at random"),
        .value("seed", "SEED", "the seed of the choice, a number; fixed by default"),
    ]
}

extension ExplorerArguments {
    /// The sample of `--sample` and `--seed`; nil for all documents.
    func sample() throws(ExplorerCommand.WrongUsage) -> DocumentSample? {
        let seed = self["seed"].map { UInt64($0) }
        guard let text = self["sample"] else {
            if seed != nil { throw .init("--seed needs --sample N.") }
            return nil
        }
        guard let size = Int(text), size > 0 else {
            throw .init("--sample \(text.quotedForMessage) is not a number of documents from 1.")
        }
        if case .some(nil) = seed { throw .init("--seed is not a whole number from 0.") }
        return DocumentSample(size, seed: seed ?? nil)
    }
}

extension [String] {
    /// The first lines, with a line about those not listed.
    func listed(of count: Int) -> [String] {
        count > self.count ? self + ["\((count - self.count).of("more line")) not listed"] : self
    }
}
