import Foundation
import ModelMirror

/// The findings of mapping a document: the failures, and the deviations that lenient mapping tolerates.
struct DocumentCheck {
    /// Something that does not fit.
    struct Finding {
        /// `failure`, or the kind of a deviation.
        let label: String
        let isFailure: Bool
        /// What was expected, what was found and where, in one sentence.
        let sentence: String
        /// The line and column, from 1, and the offset in bytes, from 0; nil if the finding has no place.
        let place: (line: Int, column: Int, offset: Int)?
        /// Whether the value is never shown, nor is its line.
        var isRedacted = false
        /// The number of further values of the same property that deviate in the same way.
        var repetitions = 0
    }

    private(set) var findings: [Finding] = []
    /// The number of failures, including those not listed.
    private(set) var failureCount = 0
    /// The number of deviations, including repetitions.
    private(set) var deviationCount = 0
    /// The number of values that lenient mapping left out.
    private(set) var lossCount = 0
    /// Whether a line may hold values that are never shown, though its finding is about another.
    let hasSecrets: Bool
    /// What the document was mapped as: `Gist`, `[Gist]`.
    private(set) var subject: String
    /// The number of objects; nil if none were read.
    private(set) var objectCount: Int?

    /// Maps the object or the array at a path.
    ///
    /// - Parameters:
    ///   - merges: Whether repeated deviations become one finding, and only the first failures are listed.
    init(
        _ bytes: [UInt8], against model: any MappedModel.Type, at path: JSONPath, strict: Bool, merges: Bool
    ) {
        subject = "\(model)"
        hasSecrets = ModelMistakes.reachesRedactedProperties(model)
        // Collects all failures, so that none of them counts as a deviation below.
        let options = MappingOptions(strict: strict ? true : nil, failures: .max)
        do throws(ModelError) {
            let root = try JSONMapper.value(JSONValue.self, from: bytes, at: path)
            let elements = root.array
            if elements != nil { subject = "[\(model)]" }
            objectCount = elements?.count ?? (root.object == nil ? nil : 1)
            try check(model, bytes, path, isArray: elements != nil, options, merges: merges)
        } catch {
            add(error, merges: merges)
        }
    }

    /// The most failures listed if findings are merged; the others are only counted.
    private static let mostFailures = 100

    /// Maps the document; if it fails, maps it again with the failures tolerated, to find the deviations too.
    private mutating func check<Model: MappedModel>(
        _ model: Model.Type, _ bytes: [UInt8], _ path: JSONPath, isArray: Bool, _ options: MappingOptions, merges: Bool
    ) throws(ModelError) {
        do throws(ModelError) {
            let report =
                isArray
                ? try JSONMapper.mapReporting([Model].self, from: bytes, at: path, options: options).report
                : try model.mapReporting(json: bytes, at: path, options: options).report
            add(report.entries, bytes, merges: merges)
        } catch {
            guard case .invalidValues(let failures) = error else { throw error }
            add(error, merges: merges)
            let failed = Set(failures.map { "\($0.path) \($0.property ?? "")" })
            // The objects that contain them.
            let broken = Set(failures.map(\.path.steps).flatMap { steps in steps.indices.map { steps[..<$0] } })
            // If the value itself cannot be mapped, that fails again.
            let entries =
                (try? model.toleratedEntries(json: bytes, at: path, isArray: isArray, options: options)) ?? []
            let others = entries.filter { entry in
                !failed.contains("\(entry.path) \(entry.property ?? "")")
                    && !(entry.isFailedObject && broken.contains(entry.path.steps[...]))
            }
            add(others, bytes, merges: merges)
            findings = findings.enumerated().sorted {
                ($0.element.place?.offset ?? 0, $0.offset) < ($1.element.place?.offset ?? 0, $1.offset)
            }.map(\.element)
        }
    }

    // MARK: Collecting

    private mutating func add(_ error: ModelError, merges: Bool) {
        switch error {
        case .invalidModel(let fault):
            findings.append(Finding(label: "failure", isFailure: true, sentence: fault.description, place: nil))
            failureCount += 1
            objectCount = nil
        case .invalidJSON(let fault):
            findings.append(
                Finding(
                    label: "failure", isFailure: true,
                    sentence: "not JSON: expected \(fault.expected), found \(fault.found)",
                    place: (fault.line, fault.column, fault.offset), isRedacted: hasSecrets))
            failureCount += 1
            objectCount = nil
        case .invalidValues(let failures):
            let listed = merges ? failures.prefix(DocumentCheck.mostFailures) : failures[...]
            findings += listed.map {
                Finding(
                    label: "failure", isFailure: true, sentence: $0.sentence(advises: true), place: $0.place,
                    isRedacted: $0.isRedacted)
            }
            failureCount += failures.count
        }
    }

    private mutating func add(_ entries: [MappingReport.Entry], _ bytes: [UInt8], merges: Bool) {
        var known: [Subject: Int] = [:]
        for entry in entries {
            deviationCount += 1
            if entry.isLoss { lossCount += 1 }
            let subject = Subject(entry)
            if merges, let index = known[subject] {
                findings[index].repetitions += 1
                continue
            }
            known[subject] = findings.count
            findings.append(
                Finding(
                    label: entry.label, isFailure: false, sentence: entry.failure.sentence(advises: false),
                    place: entry.kind == .unknownKey ? entry.failure.keyPlace(in: bytes) : entry.failure.place,
                    isRedacted: entry.failure.isRedacted))
        }
    }

    /// What repeated deviations have in common: class, property, kind, key and expectation.
    private struct Subject: Hashable {
        let model: String
        let property: String?
        let label: String
        let key: String
        let expected: String

        init(_ entry: MappingReport.Entry) {
            model = entry.model
            property = entry.property
            label = entry.label
            expected = entry.expected
            if entry.property == nil, case .key(let last)? = entry.path.steps.last { key = last } else { key = "" }
        }
    }
}

extension MappingReport.Entry {
    /// Whether the value is an object that its own failures kept out.
    fileprivate var isFailedObject: Bool { failure.code == .nested }

    /// Whether an object or an element was left out. A key beside a preferred one loses nothing.
    fileprivate var isLoss: Bool {
        isFailedObject || kind == .skipped && !(failure.code == .alias)
    }

    /// The kind in words.
    fileprivate var label: String {
        if isFailedObject { return "failure, so skipped" }
        return switch kind {
        case .fallback: "does not fit"
        case .skipped: "skipped"
        case .coerced: "converted"
        case .missing: "missing"
        case .unknownKey: "unknown key"
        }
    }
}

extension PropertyFailure {
    fileprivate var place: (line: Int, column: Int, offset: Int)? {
        guard let line, let column, let offset else { return nil }
        return (line, column, offset)
    }

    /// The place of the key before the value.
    fileprivate func keyPlace(in bytes: [UInt8]) -> (line: Int, column: Int, offset: Int)? {
        let quote = UInt8(ascii: "\"")
        guard let place, let end = bytes[..<place.offset].lastIndex(of: quote) else { return place }
        var start = end
        repeat {
            guard let before = bytes[..<start].lastIndex(of: quote) else { return place }
            start = before
            // A quote after an odd number of backslashes is part of the key.
        } while !bytes[..<start].reversed().prefix { $0 == UInt8(ascii: "\\") }.count.isMultiple(of: 2)
        func width(_ part: ArraySlice<UInt8>) -> Int { part.count { $0 & 0xC0 != 0x80 } }
        let breaks = String(decoding: bytes[end..<place.offset], as: UTF8.self).count(where: \.isNewline)
        if breaks == 0 { return (place.line, place.column - width(bytes[start..<place.offset]), start) }
        let before = bytes[..<start].reversed().prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }.count
        return (place.line - breaks, 1 + width(bytes[start - before..<start]), start)
    }
}
