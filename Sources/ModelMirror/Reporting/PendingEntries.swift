import Synchronization

/// The entries of a report, made when they are first read.
///
/// Many reports are discarded, or only asked whether they have entries, and looking up paths, lines and values takes several
/// times as long as the mapping.
final class PendingEntries: Sendable {
    private enum State {
        /// The document is a copy, because the caller may free the bytes that were mapped.
        case notes([Note], FindingLocator, document: [UInt8])
        case made([MappingReport.Entry])
    }

    private let state: Mutex<State>

    init(_ notes: [Note], _ locator: FindingLocator, document: [UInt8]) {
        state = Mutex(.notes(notes, locator, document: document))
    }

    var entries: [MappingReport.Entry] {
        state.withLock { state in
            switch state {
            case .made(let entries): return entries
            case .notes(let notes, let locator, let document):
                let entries = document.reading { bytes, count in
                    locator.entries(notes, in: JSONReader(bytes, count: count, depth: .max))
                }
                state = .made(entries ?? [])
                return entries ?? []
            }
        }
    }
}
