import Foundation
public import ModelMirror

/// The findings of mapping documents: the failures, and the deviations that lenient mapping tolerates.
///
/// ```swift
/// let check = DocumentCheck(json: #"{"id": "a", "comments": "many"}"#, against: Gist.self)
/// print(check.findings[0].excerpt!)
/// //    1 | {"id": "a", "comments": "many"}
/// //      |                         ^~~~~~
/// ```
///
/// Documents, and the elements of a long array, are mapped one after the other, in memory for one of them and for the findings that are
/// listed.
public struct DocumentCheck: Sendable {
    /// The findings in document order: at most 100 failures and 1,000 deviations, of which equal ones are one.
    public private(set) var findings: [Finding] = []
    /// The number of failures, including those not listed.
    public private(set) var failureCount = 0
    /// The number of deviations, including repetitions and those not listed.
    public private(set) var deviationCount = 0
    /// The number of deviations that are neither listed nor repetitions of those.
    private(set) var unlistedDeviations = 0
    /// The number of values that lenient mapping left out.
    public private(set) var lossCount = 0
    /// The names of the sources.
    private(set) var sources: [String] = []
    /// The number of documents, without those that are not JSON.
    private(set) var documentCount = 0
    /// The number of objects; nil if none were read.
    private(set) var objectCount: Int?
    /// The beginning of the last source, if its first document is not JSON and the rest is not read.
    private(set) var unread: [UInt8] = []

    private let model: any MappedModel.Type
    private let path: String?
    private let options: MappingOptions
    private let merges: Bool
    private let terminal: (width: Int, style: TextStyle)
    /// The documents to map, unless it is all.
    private(set) var sample: DocumentSample?
    /// The name of the source whose findings are added.
    private var source = ""
    /// Whether a line may hold values that are never shown, though its finding is about another.
    let hasSecrets: Bool
    private var arrayCount = 0
    private var isModelInvalid = false
    /// The indexes of the deviations.
    private var known: [Subject: Int] = [:]

    /// The most failures and deviations listed if findings are merged; the others are only counted.
    private static let (mostFailures, mostDeviations) = (100, 1_000)

    /// - Parameters:
    ///   - path: The path of the object or array in each document, as typed; nil for the document.
    ///   - merges: Whether repeated deviations become one finding, and only the first findings are listed.
    ///   - sample: Chooses the documents that ``addSample()`` maps; nil to map all.
    ///   - terminal: The width in columns and the style of excerpts.
    init(
        against model: any MappedModel.Type, at path: String?, strict: Bool, merges: Bool,
        sample: DocumentSample? = nil, terminal: (width: Int, style: TextStyle)
    ) {
        (self.model, self.path, self.merges, self.terminal, self.sample) = (model, path, merges, terminal, sample)
        // Collects all failures, so that none of them counts as a deviation below.
        options = MappingOptions(strict: strict ? true : nil, failures: .max)
        hasSecrets = ModelMistakes.reachesRedactedProperties(model)
    }

    /// Maps a document, or several, in memory. A document, or each element of an array, is an object of the class.
    ///
    /// - Parameters:
    ///   - json: JSON, NDJSON or a sequence of documents.
    ///   - model: The class of the objects.
    ///   - strict: Whether values that are not of a property's own JSON type are failures.
    public init(json: some JSONInput, against model: AbstractModel.Type, strict: Bool = false) {
        var bytes: [UInt8] = []
        json.withJSONBytes { bytes = Array(UnsafeBufferPointer(start: $0, count: $1)) }
        self.init(against: model, at: nil, strict: strict, merges: true, terminal: (100, .plain))
        do throws(ByteSource.Failure) {
            try add(ByteSource(bytes), name: "document")
        } catch {
            failureCount = 1
            findings = [
                Finding(
                    label: "failure", isFailure: true, sentence: "cannot be read: \(error.reason)", place: nil,
                    source: "document", excerpt: nil)
            ]
        }
    }

    /// Whether nothing failed and nothing was left out.
    public var isAccepted: Bool { failureCount + lossCount == 0 }

    /// What the documents were mapped as: `Gist`, `[Gist]` if all are arrays.
    var subject: String { arrayCount > 0 && arrayCount == documentCount ? "[\(model)]" : "\(model)" }

    /// Maps all documents of a source.
    ///
    /// - Parameter progress: Called for each document and element.
    mutating func add(
        _ bytes: ByteSource, name: String, progress: (Int) -> Void = { _ in }
    ) throws(ByteSource.Failure) {
        sources.append(name)
        (source, unread) = (name, [])
        var reader = DocumentReader(bytes, splitsArrays: path == nil)
        var start: (failures: Int, finding: Int)?
        var (isEmpty, elements) = (true, 0)
        while !isModelInvalid, let piece = try reader.next() {
            let first = start ?? (failureCount, findings.count)
            start = nil
            try sample?.offer(piece, of: &reader, name)
            switch piece {
            case .document where sample != nil, .element where sample != nil, .arrayEnd where sample != nil: break
            case .document(let range):
                documentCount += 1
                try check(range, &reader)
            case .element(let range):
                if elements == 0 { (documentCount, arrayCount) = (documentCount + 1, arrayCount + 1) }
                try check(range, element: elements, &reader)
                elements += 1
                start = first
            case .arrayEnd: elements = 0
            case .fault(let fault):
                if fault.isFatal, isEmpty { unread = Array(reader.buffer.prefix(4096)) }
                try addFailure(
                    "not JSON: \(fault.sentence)", at: fault.place, isRedacted: hasSecrets, &reader)
                elements = 0
            }
            isEmpty = false
            if start == nil, failureCount > first.failures { sort(from: first.finding) }
            progress(bytes.position)
        }
        try sample?.offer(nil, of: &reader, name)
        if isEmpty, !isModelInvalid { try check(reader.buffer.count..<reader.buffer.count, &reader) }
    }

    /// Maps the documents and elements of the sample.
    mutating func addSample() throws(ByteSource.Failure) {
        var array: Int?
        for part in sample?.parts ?? [] where !isModelInvalid {
            source = part.source
            let start = (failures: failureCount, finding: findings.count)
            if part.element == nil || part.element?.array != array { documentCount += 1 }
            if let element = part.element, element.array != array { arrayCount += 1 }
            array = part.element?.array
            var reader = DocumentReader(part.content)
            try check(part.content.range, element: part.element?.index, &reader)
            if failureCount > start.failures { sort(from: start.finding) }
        }
    }

    /// Orders the findings of a document by their places.
    private mutating func sort(from start: Int) {
        func place(_ finding: Finding) -> (Int, Int) { finding.place.map { ($0.line, $0.column) } ?? (0, 0) }
        let sorted = findings[start...].enumerated().sorted {
            let (left, right) = (place($0.element), place($1.element))
            return left == right ? $0.offset < $1.offset : left < right
        }
        for (index, finding) in zip(start..., sorted.map(\.element)) {
            findings[index] = finding
            if let subject = finding.subject { known[subject] = index }
        }
    }

    // MARK: Mapping

    /// What mapping a document found, at its places in it.
    private struct Outcome {
        var error: ModelError?
        var entries: [MappingReport.Entry] = []
        var objectCount: Int?
        var isArray = false
    }

    /// Maps a document, or an element of a long array, that is in the reader's buffer.
    private mutating func check(
        _ range: Range<Int>, element index: Int? = nil, _ reader: inout DocumentReader
    ) throws(ByteSource.Failure) {
        let start = reader.place(at: range.lowerBound)
        let outcome: Outcome
        if index == nil {
            outcome = map(model, reader.buffer[range])
            if outcome.isArray { arrayCount += 1 }
        } else {
            outcome = map(model, [UInt8(ascii: "[")] + reader.buffer[range] + [UInt8(ascii: "]")])
        }
        if let count = outcome.objectCount { objectCount = (objectCount ?? 0) + count }
        func path(_ inner: JSONPath) -> JSONPath {
            index.map { JSONPath([.index($0)] + inner.steps.dropFirst()) } ?? inner
        }
        func place(_ inner: ErrorPlace) -> ErrorPlace {
            start.moved(to: index == nil ? inner : inner.without(prefix: 1))
        }
        switch outcome.error?.moved(path: path, place: place) {
        case .invalidModel(let fault):
            isModelInvalid = true
            try addFailure(fault.description, at: nil, isRedacted: false, &reader)
        case .invalidJSON(let fault):
            try addFailure(fault.sentence, at: fault.place, isRedacted: hasSecrets, &reader)
        case .invalidValues(let failures):
            for failure in failures {
                try addFailure(
                    failure.sentence(advises: true), at: failure.place, isRedacted: failure.isRedacted, &reader)
            }
        case nil: break
        }
        for entry in outcome.entries {
            try add(entry, entry.failure.moved(to: path(entry.path), entry.failure.place.map(place)), &reader)
        }
    }

    /// Maps the object or array at the path; if it fails, maps it again with the failures tolerated, to find the deviations too.
    private func map<Model: MappedModel>(_ model: Model.Type, _ bytes: ArraySlice<UInt8>) -> Outcome {
        var outcome = Outcome()
        let path = path.flatMap { JSONPath(typed: $0, in: try? JSONValue(json: bytes)) } ?? .root
        do throws(ModelError) {
            if self.path == nil, bytes.first == UInt8(ascii: "{") {
                outcome.objectCount = 1
            } else {
                let root = try JSONMapper.value(JSONValue.self, from: bytes, at: path)
                outcome.isArray = root.array != nil
                outcome.objectCount = root.array?.count ?? (root.object == nil ? nil : 1)
            }
            outcome.entries =
                outcome.isArray
                ? try JSONMapper.mapReporting([Model].self, from: bytes, at: path, options: options).report.entries
                : try model.mapReporting(json: bytes, at: path, options: options).report.entries
        } catch {
            outcome.error = error
            guard case .invalidValues(let failures) = error else {
                outcome.objectCount = nil
                return outcome
            }
            let failed = Set(failures.map { "\($0.path) \($0.property ?? "")" })
            // The objects that contain them.
            let broken = Set(failures.map(\.path.steps).flatMap { steps in steps.indices.map { steps[..<$0] } })
            // If the value itself cannot be mapped, that fails again.
            let entries =
                (try? model.toleratedEntries(json: bytes, at: path, isArray: outcome.isArray, options: options)) ?? []
            outcome.entries = entries.filter { entry in
                !failed.contains("\(entry.path) \(entry.property ?? "")")
                    && !(entry.isFailedObject && broken.contains(entry.path.steps[...]))
            }
        }
        return outcome
    }

    // MARK: Collecting

    private mutating func addFailure(
        _ sentence: String, at place: ErrorPlace?, isRedacted: Bool, _ reader: inout DocumentReader
    ) throws(ByteSource.Failure) {
        failureCount += 1
        guard !merges || failureCount <= DocumentCheck.mostFailures else { return }
        let excerpt = try excerpt(place, isRedacted: isRedacted, &reader)
        findings.append(
            Finding(
                label: "failure", isFailure: true, sentence: sentence, place: place, source: source,
                excerpt: excerpt))
    }

    private mutating func add(
        _ entry: MappingReport.Entry, _ failure: PropertyFailure, _ reader: inout DocumentReader
    ) throws(ByteSource.Failure) {
        deviationCount += 1
        if entry.isLoss { lossCount += 1 }
        let subject = merges ? Subject(entry) : nil
        if let subject {
            if let index = known[subject] {
                findings[index].repetitions += 1
                return
            }
            guard known.count < DocumentCheck.mostDeviations else {
                unlistedDeviations += 1
                return
            }
            known[subject] = findings.count
        }
        let place = entry.kind == .unknownKey ? failure.keyPlace(in: reader.buffer) : failure.place
        let excerpt = try excerpt(place, isRedacted: failure.isRedacted, &reader)
        findings.append(
            Finding(
                label: entry.label, isFailure: false, sentence: failure.sentence(advises: false), place: place,
                source: source, excerpt: excerpt, subject: subject))
    }

    /// The line of a place, or that it is redacted.
    private func excerpt(
        _ place: ErrorPlace?, isRedacted: Bool, _ reader: inout DocumentReader
    ) throws(ByteSource.Failure) -> String? {
        guard let place else { return nil }
        try reader.readLine(after: place.offset)
        let excerpt = SourceExcerpt(reader.buffer, line: place.line, offset: place.offset, width: terminal.width)
        return isRedacted || hasSecrets && !excerpt.isOfValueAlone
            ? terminal.style.dim("   \(place.line) | (redacted)") : excerpt.text(terminal.style)
    }
}
