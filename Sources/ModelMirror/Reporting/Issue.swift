/// A deviation: what was expected of a value, and what was found. It is recorded before it is decided whether it is a failure, an
/// entry of the report, or nothing.
///
/// Six machine words, as a report may have one for every value: paths, lines, names, parameters and sentences are made when they are
/// shown, by ``IssueLocator``. What only some have is behind one reference.
struct Issue: Sendable {
    /// What was expected.
    var expectation: Expectation
    /// Its kind in a report.
    var kind: MappingReport.Kind
    /// What was found.
    var found: Found
    /// Whether the value is never shown.
    private(set) var isRedacted = false
    /// The row; -1 for an object as a whole and outside of objects.
    private(set) var row: Int32 = -1
    /// The class; nil until the value's row is settled.
    private(set) var subject: IssueSubject?
    /// The start of the value; for a missing key, of its object.
    var offset: Int
    /// The number of issues after this one that were dropped because there were too many.
    var omitted = 0
    private var box: Box?

    /// What was found instead.
    enum Found: UInt8, Sendable {
        /// The value at the issue's place.
        case value
        /// No such key, and nothing at a path of a call.
        case noKey, noKeyOrIndex
        /// An object whose own failures are other issues.
        case failedObject
        /// A value whose key came before, where the last one that fits is used, and where none may be.
        case usedDuplicate, duplicate
        /// nil, while writing.
        case nothing
    }

    /// What only some issues have.
    struct Details: Sendable {
        /// The start of the value inside the one at `offset` that does not fit; nil for that one itself.
        var innerOffset: Int?
        /// Steps from the value at `place` to a missing key.
        var suffix: [JSONPath.Step] = []
        /// The end of "found …", in place of the phrase of ``Issue/found``.
        var words: String?
        /// Whether user code mapped the value as a document, of which a text may have values that are never shown.
        var isDocument = false
        var underlying: (any Error)?
        /// The property, if it has no row.
        var property: String?
        /// The failure of another document, which is inside the value, or of a decoder, at `innerOffset`.
        var failure: PropertyFailure?
        /// The starts of the dictionaries around the value whose keys are never shown.
        var redactedMembers: [Int] = []
        /// The issues that this one represents, itself first; nil if it represents only itself.
        var all: [Issue]?

        /// The failure, if it is of another document.
        var embedded: PropertyFailure? { innerOffset == nil ? failure : nil }
    }

    private final class Box: Sendable {
        let details: Details
        init(_ details: Details) { self.details = details }
    }

    var details: Details {
        get { box?.details ?? Details() }
        set { box = Box(newValue) }
    }

    /// - Parameter kind: Its kind in a report.
    init(_ kind: MappingReport.Kind, _ expectation: Expectation, at offset: Int, found: Found = .value) {
        self.expectation = expectation
        self.kind = kind
        self.found = found
        self.offset = offset
    }

    /// An issue with details.
    init(
        _ kind: MappingReport.Kind, _ expectation: Expectation, at offset: Int, found: Found = .value,
        _ details: Details
    ) {
        self.init(kind, expectation, at: offset, found: found)
        box = Box(details)
    }

    /// One issue for all failures of an object, so that each object around it passes on only one.
    init(standingFor issues: [Issue]) {
        self = issues[0]
        (isRedacted, details.all, details.redactedMembers) = (false, issues, [])
    }

    /// An issue of a row, or of an object as a whole for row -1.
    consuming func named(_ subject: IssueSubject, _ row: Int) -> Issue {
        name(subject, row)
        return self
    }

    /// Sets class and row.
    mutating func name(_ subject: IssueSubject, _ row: Int) {
        (self.subject, self.row) = (subject, Int32(row))
        if case .ofRows = expectation { return }
        guard row >= 0 else { return }
        if subject.isRedacted(row) { isRedacted = true }
        if case .typeNames = expectation, subject.redactsTypeName(row) { isRedacted = true }
    }

    /// This issue of a value that is never shown.
    var redacted: Issue {
        var redacted = self
        redacted.isRedacted = true
        return redacted
    }

    /// Hides the key of the value in the dictionary that begins at an offset.
    mutating func hideKey(inDictionaryAt offset: Int) { details.redactedMembers.append(offset) }

    /// Moves the offsets of an issue in a text that was written separately, once the text is inserted.
    mutating func move(by count: Int) {
        offset += count
        if !redactedMembers.isEmpty { details.redactedMembers = redactedMembers.map { $0 + count } }
    }

    /// Whether the class is known.
    var isNamed: Bool {
        if case .knownKey = expectation { true } else { subject != nil || box?.details.embedded?.hasModel == true }
    }

    /// The class of the value's object, as far as it is known.
    var model: Any.Type? {
        if case .knownKey(let model) = expectation { model } else { subject?.subjectModel }
    }

    /// What was expected, of the row's value where the issue says so.
    var expectationOfRow: Expectation {
        if case .ofRow = expectation, let subject { subject.expectation(Int(row)) } else { expectation }
    }

    /// The start of the value to look up.
    var place: Int { box?.details.innerOffset ?? offset }

    /// The starts of the dictionaries around the value whose keys are never shown.
    var redactedMembers: [Int] { box?.details.redactedMembers ?? [] }

    /// The error behind it.
    var underlying: (any Error)? { box?.details.underlying }

    /// The property's name.
    var property: String? { box?.details.property ?? (row < 0 ? nil : subject?.names[Int(row)]) }

    /// The issues that this one represents, itself first; nil if it represents only itself.
    fileprivate var others: [Issue]? {
        if case .ofRows(let rows) = expectation {
            return (0..<64).filter { rows >> $0 & 1 == 1 }.map { bit in
                var single = self
                single.expectation = .ofRow
                if let subject { single.name(subject, Int(row) + bit) }
                return single
            }
        }
        // What hides this one hides all of them; here, since each object around would otherwise walk through those inside.
        return box?.details.all?.map { issue in
            var hidden = isRedacted ? issue.redacted : issue
            if !redactedMembers.isEmpty { hidden.details.redactedMembers += redactedMembers }
            return hidden
        }
    }
}

/// The class of issues, which name its properties by the numbers of their rows. ``PropertyTable`` is the only one.
///
/// A class rather than a protocol, so that a reference is one word. `@unchecked Sendable`: the subclass has only constants.
class IssueSubject: @unchecked Sendable {
    /// The class that is mapped.
    final let subjectModel: Any.Type
    /// The names of the rows' properties.
    final let names: [String]

    init(_ model: Any.Type, _ names: [String]) {
        subjectModel = model
        self.names = names
    }

    /// What is expected of a row's value.
    func expectation(_ row: Int) -> Expectation { .value }

    /// Whether a row's value is never shown.
    func isRedacted(_ row: Int) -> Bool { false }

    /// Whether the name of the class of a row's models is never shown.
    func redactsTypeName(_ row: Int) -> Bool { false }

    /// Where a row's value is missing.
    func place(_ row: Int) -> [JSONPath.Step] { [] }
}

// MARK: Issues of other documents

extension PropertyFailure {
    /// The failure as an issue of the outer document, at the value that contains the inner one.
    ///
    /// - Parameter kind: Its kind in a report.
    func issue(_ kind: MappingReport.Kind = .fallback, insideOfValueAt offset: Int) -> Issue {
        let details = Issue.Details(underlying: underlying, property: property, failure: self)
        var issue = Issue(kind, expectation, at: offset, details)
        issue.omitted = omittedFailures
        return issue
    }
}

extension [Issue] {
    /// Hides the keys of a dictionary in those after the first `count`.
    mutating func hideKeys(inDictionaryAt offset: Int, since count: Int) {
        for index in indices.dropFirst(count) { self[index].hideKey(inDictionaryAt: offset) }
    }

    /// All issues, with each one replaced by those that it represents, in order.
    var listed: [Issue] {
        guard contains(where: { $0.others != nil }) else { return self }
        var listed: [Issue] = []
        var rest = Array(reversed())
        while let last = rest.popLast() {
            // The first of them may represent others itself.
            if let others = last.others {
                rest.append(contentsOf: others.reversed())
            } else {
                listed.append(last)
            }
        }
        return listed
    }
}
