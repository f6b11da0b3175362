/// Finds the key of an object that may be a misspelling of a missing one. Asked only about failures that are shown.
///
/// The time is linear in the document, whatever the number of failures: the keys of an object are read once for all of its
/// failures, which are neighbours, and no large container is passed over twice.
struct MisspeltKeys {
    private let reader: JSONReader
    private let variant: TableVariant
    private var ends = ContainerEnds()
    /// The object looked at last, with the first keys that no property takes.
    private var last: (object: Int, unknown: [(key: String, letters: [UInt8])])?

    /// How many keys are compared, and how many bytes they may have.
    private static let (count, length) = (64, 40)

    init(in reader: JSONReader, _ variant: TableVariant?) {
        self.reader = reader
        self.variant = variant ?? .standard
    }

    /// The rest of "no such key": a key that differs from the missing one in at most a third of its letters, without regard to case
    /// and separators; nil if the object has none.
    mutating func suggestion(for finding: Finding) -> String? {
        guard finding.kind == .missing, finding.suffix.steps.count == 1,
            case .key(let missing) = finding.suffix.steps[0],
            missing.utf8.count <= MisspeltKeys.length, let model = finding.model as? AbstractModel.Type,
            let table = try? variant.known(model)
        else { return nil }
        if last?.object != finding.offset {
            last = (finding.offset, (try? unknownKeys(of: finding.offset, table)) ?? [])
        }
        let letters = KeyStrategy.folded(missing.utf8)
        let nearest = (last?.unknown ?? []).map { ($0.key, distance: $0.letters.editDistance(to: letters)) }
            .filter { $0.distance <= letters.count / 3 }
            .min { $0.distance < $1.distance }
        return nearest.map { "; the object has \($0.0.quotedForMessage)" }
    }

    private mutating func unknownKeys(
        of object: Int, _ table: PropertyTable
    ) throws(Interruption) -> [(key: String, letters: [UInt8])] {
        var keys: [(key: String, letters: [UInt8])] = []
        var reader = JSONReader(rereading: reader)
        reader.offset = object
        guard reader.byte == UInt8(ascii: "{"), try reader.openObject() else { return [] }
        for _ in 0..<MisspeltKeys.count {
            var start = reader
            if try table.keys.readSlot(&reader) == nil, reader.offset - start.offset <= MisspeltKeys.length + 2 {
                let key = try start.readString()
                keys.append((key, KeyStrategy.folded(key.utf8)))
            }
            try reader.colon()
            try reader.skipValue(&ends)
            guard try reader.nextMember() else { break }
        }
        return keys
    }
}

extension MappingSession {
    /// The failures that are shown for findings.
    func failures(_ findings: [Finding], _ locator: FindingLocator, _ reader: JSONReader) -> [PropertyFailure] {
        var misspelt = MisspeltKeys(in: reader, variant)
        return locator.failures(findings, limit: limit, in: reader) { misspelt.suggestion(for: $0) }
    }
}
