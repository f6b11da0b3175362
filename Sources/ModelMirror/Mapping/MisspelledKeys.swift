/// Finds the key of an object that may be a misspelling of a missing one. Asked only about failures that are shown.
///
/// The time is linear in the document, whatever the number of failures: the keys of an object are read once for all of its
/// failures, which are neighbors, and no large container is passed over twice.
struct MisspelledKeys {
    private let reader: JSONReader
    private var ends = ContainerEnds()
    /// The object looked at last, with the first keys that no property takes.
    private var last: (object: Int, unknown: [String])?

    /// How many keys are compared, and how many bytes they may have.
    private static let (count, length) = (64, 40)

    init(in reader: JSONReader) { self.reader = reader }

    /// A key that differs from the missing one in at most a third of its letters, without regard to case
    /// and separators; nil if the object has none.
    mutating func suggestion(for issue: Issue) -> String? {
        let table = issue.subject as? PropertyTable
        // The path of a call, which no class knows, may go on after the missing key.
        let missing = table == nil ? issue.suffix.first?.text : issue.suffix.onlyKey
        guard issue.kind == .missing, let missing, missing.utf8.count <= MisspelledKeys.length else { return nil }
        if last?.object != issue.offset { last = (issue.offset, (try? unknownKeys(of: issue.offset, table)) ?? []) }
        let letters = KeyStrategy.folded(missing.utf8)
        let keys = (last?.unknown ?? []).map { ($0, distance: KeyStrategy.folded($0.utf8).editDistance(to: letters)) }
        return keys.filter { $0.distance <= letters.count / 3 }.min { $0.distance < $1.distance }?.0
    }

    private mutating func unknownKeys(of object: Int, _ table: PropertyTable?) throws(Interruption) -> [String] {
        var keys: [String] = []
        var reader = JSONReader(rereading: reader, at: object)
        let known = table?.keys ?? KeyIndex([])
        guard reader.byte == UInt8(ascii: "{"), try reader.openObject() else { return [] }
        for _ in 0..<MisspelledKeys.count {
            var start = reader
            if try known.readSlot(&reader) == nil, reader.offset - start.offset <= MisspelledKeys.length + 2 {
                keys.append(try start.readString())
            }
            try reader.colon()
            try reader.skipValue(&ends)
            guard try reader.nextMember() else { break }
        }
        return keys
    }
}
