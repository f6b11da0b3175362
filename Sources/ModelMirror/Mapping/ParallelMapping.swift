import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The mapping of one large array by several tasks.
///
/// Each task takes the next part of the array, maps it in its own session, and goes on until none is left. A part begins where
/// the one before ends, so the elements are the same however many tasks read them. The sessions' issues are merged in
/// document order, as if one session had read everything.
///
///     [ {…}, {…}, {…}, | {…}, {…}, | {…}, {…}, {…} ]
///       task 1           task 2      task 1 or 2
final class ParallelMapping<Model: AbstractModel, Input: JSONInput & Sendable>: Sendable {
    private let json: Input
    private let options: MappingOptions
    private let classOptions: MappingOptions
    private let place: ArrayPlace
    /// The smallest part in bytes; the last one may be smaller.
    private let partSize: Int
    private let state: Mutex<State>

    /// Where the elements of the array are.
    struct ArrayPlace {
        /// The offset of the first element.
        let start: Int
        /// The depth left for elements.
        let depthLeft: Int
        /// The size of the document in bytes.
        let count: Int
        /// Whether the array is the whole document, and not yet known to be JSON.
        let isRoot: Bool
    }

    private struct State {
        /// Where the next part begins; nil if all are taken or an error has ended one.
        var next: Int?
        /// The parts that were taken; nil while they are being mapped.
        var parts: [Part?] = []
    }

    /// A part that was mapped.
    ///
    /// `@unchecked Sendable`: made by one task and read by another after the first has ended.
    private struct Part: @unchecked Sendable {
        let session: MappingSession
        var objects: [Model] = []
        /// Where its first element begins, and where the first element after it begins.
        var range: (start: Int, end: Int)
        /// What ended it early.
        var interruption: Interruption?
    }

    private init(
        _ json: Input, _ place: ArrayPlace, _ options: MappingOptions, _ classOptions: MappingOptions, partSize: Int
    ) {
        (self.json, self.place, self.options, self.classOptions) = (json, place, options, classOptions)
        self.partSize = partSize
        state = Mutex(State(next: place.start))
    }

    /// Maps an array, by one task if there is nothing to gain.
    ///
    /// - Parameters:
    ///   - tasks: How many parts may be mapped at once.
    ///   - partSize: The smallest part in bytes; a document of less than twice that is mapped by one task.
    static func map(
        _ json: Input, at path: JSONPath, _ options: MappingOptions, tasks: Int, partSize: Int
    ) async throws(ModelError) -> [Model] {
        let classOptions = Model.classOptions
        if tasks > 1, let place = place(in: json, at: path, options, classOptions, partSize: partSize) {
            let mapping = ParallelMapping(json, place, options, classOptions, partSize: partSize)
            await mapping.run(tasks: tasks)
            if let objects = try mapping.objects() { return objects }
        }
        return try [Model](json: json, at: path, options: options)
    }

    /// Finds the array's first element; nil if it is to be mapped by one task, which then finds all errors.
    private static func place(
        in json: Input, at path: JSONPath, _ options: MappingOptions, _ classOptions: MappingOptions, partSize: Int
    ) -> ArrayPlace? {
        let session = MappingSession(options: options, classOptions: classOptions, isReporting: false)
        return json.reading { bytes, count -> ArrayPlace? in
            guard count >= 2 * partSize, count <= session.byteLimit else { return nil }
            var reader = JSONReader(bytes, count: count, depth: session.depth)
            reader.skipWhitespace()
            if !path.isRoot {
                guard case .value(let offset, let depth)? = try? reader.navigate(path.steps[...]),
                    (try? reader.finish()) != nil
                else { return nil }
                reader = JSONReader(bytes, count: count, depth: depth)
                reader.offset = offset
            }
            guard reader.byte == UInt8(ascii: "["), (try? reader.openArray()) == true else { return nil }
            return ArrayPlace(
                start: reader.offset, depthLeft: reader.depthLeft, count: count, isRoot: path.isRoot)
        } ?? nil
    }

    private func run(tasks: Int) async {
        await withTaskGroup(of: Void.self) { group in
            for _ in 1..<tasks { group.addTask { self.mapParts() } }
            mapParts()
        }
    }

    /// Takes and maps parts until none is left.
    private func mapParts() {
        json.withJSONBytes { bytes, count in
            guard count == place.count else { return }
            while let (number, start, end) = takePart(JSONReader(bytes, count: count, depth: place.depthLeft)) {
                let part = map(from: start, to: end, JSONReader(bytes, count: count, depth: place.depthLeft))
                state.withLock { state in
                    state.parts[number] = part
                    // Earlier parts are taken already; later ones do not matter.
                    if part.interruption != nil { state.next = nil }
                }
            }
        }
    }

    /// The number of the next part, where it begins, and where the one after it begins.
    private func takePart(_ document: JSONReader) -> (number: Int, start: Int, end: Int)? {
        state.withLock { state in
            guard let start = state.next else { return nil }
            var reader = document
            reader.offset = start
            var boundaries = ElementBoundaries(reader)
            state.next = boundaries.next(behind: partSize)
            state.parts.append(nil)
            return (state.parts.count - 1, start, state.next ?? .max)
        }
    }

    private func map(from start: Int, to end: Int, _ document: JSONReader) -> Part {
        var reader = document
        reader.offset = start
        reader.skipWhitespace()
        let session = MappingSession(options: options, classOptions: classOptions, isReporting: false)
        var part = Part(session: session, range: (reader.offset, reader.offset))
        do throws(Interruption) {
            _ = try session.withCallContext { () throws(Interruption) in
                part.objects = try Model.elements(until: end, &reader, session)
                return true
            }
            if end == .max, place.isRoot { try reader.finish() }
        } catch {
            part.interruption = error
        }
        part.range.end = reader.offset
        if options.skipsInvalidElements ?? classOptions.skipsInvalidElements ?? false { session.reportIssues() }
        return part
    }

    // MARK: Merging

    /// The result that one session for the whole array would have had.
    private enum Outcome {
        case objects([Model], MappingReport)
        case failure(ModelError)
    }

    /// The objects of all parts.
    ///
    /// - Returns: nil if the parts do not meet, because the input gave different bytes each time.
    /// - Throws: As mapping by one task does: the first syntax error or error in the class, else all failures.
    private func objects() throws(ModelError) -> [Model]? {
        let read: Outcome?? = json.reading { bytes, count in
            outcome(in: JSONReader(bytes, count: count, depth: place.depthLeft))
        }
        switch read ?? nil {
        case .objects(let objects, let report)?:
            if !report.isEmpty { (options.report ?? classOptions.report)?(report) }
            return objects
        case .failure(let error)?: throw error
        case nil: return nil
        }
    }

    private func outcome(in reader: JSONReader) -> Outcome? {
        let parts = state.withLock { $0.parts }
        let session = MappingSession(options: options, classOptions: classOptions, isReporting: false)
        let locator = IssueLocator(model: Model.self, isLocated: true)
        var objects: [Model] = []
        var end = place.start
        for part in parts {
            guard let part, part.range.start == end else { return nil }
            if let interruption = part.interruption {
                return .failure(
                    part.session.fault.map { .invalidModel($0) }
                        ?? .invalidJSON(JSONSyntaxError(interruption, in: reader)))
            }
            session.append(part.session)
            objects += part.objects
            end = part.range.end
        }
        guard session.issues.isEmpty else {
            return .failure(.invalidValues(session.failures(session.issues, locator, reader)))
        }
        return parts.isEmpty ? nil : .objects(objects, locator.report(session.notes, in: reader))
    }
}
