#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension Array where Element: AbstractModel {
    /// Makes objects from a JSON array.
    ///
    /// An element with failures makes the call throw, unless ``MappingOptions/skipsInvalidElements`` is set.
    ///
    /// ```swift
    /// let gists = try [Gist](json: data)
    /// let items = try [Item](json: data, at: ["data", "items"])
    /// ```
    ///
    /// - Throws: ``ModelError``: the syntax error if there is one, else all failures, or the mistake in the class.
    public init(
        json: some JSONInput, at path: JSONPath = .root, options: MappingOptions = .init()
    ) throws(ModelError) {
        do throws(ModelError) {
            self = try JSONMapper.read(Element.modelArrayCodec(), json, at: path, for: Element.self, options).value
        } catch {
            throw error.suggesting("\(Element.self)", forObjectAt: path)
        }
    }

    /// Makes objects from a JSON array and reports every deviation that was tolerated.
    ///
    /// - Throws: ``ModelError``, as ``init(json:at:options:)``.
    public static func mapReporting(
        json: some JSONInput, at path: JSONPath = .root, options: MappingOptions = .init()
    ) throws(ModelError) -> (objects: [Element], report: MappingReport) {
        let codec = Element.modelArrayCodec()
        do throws(ModelError) {
            let (objects, report) = try JSONMapper.read(
                codec, json, at: path, for: Element.self, options, isReporting: true)
            return (objects, report)
        } catch {
            throw error.suggesting("\(Element.self)", forObjectAt: path)
        }
    }

    /// Makes objects from a large JSON array on all cores.
    ///
    /// Objects, errors and the report for ``MappingOptions/report`` are those of ``init(json:at:options:)``. The elements are
    /// distributed over tasks off the caller's actor, so **initialisers, hooks and converters of different elements run
    /// concurrently and in no particular order**. Anything they share must be safe to use from several threads. After an error,
    /// initialisers and hooks of later elements may already have run.
    ///
    /// The tasks run on Swift's global executor and occupy all of its threads until the array is mapped. An array in a document
    /// of less than 256 KiB is mapped by one task, also off the caller's actor. With a path, one task checks the whole document
    /// before the others begin. Cancelling the task does not stop the mapping.
    ///
    /// ```swift
    /// let gists = try await [Gist].mapInParallel(json: data)
    /// ```
    ///
    /// - Parameters:
    ///   - json: The document, whose bytes several tasks read. A custom type must provide the same bytes each time.
    ///   - path: The path of the array; defaults to the root.
    ///   - options: Overrides of the class's options and the defaults.
    /// - Throws: ``ModelError``, as ``init(json:at:options:)``.
    @concurrent
    public static func mapInParallel(
        json: some JSONInput & Sendable, at path: JSONPath = .root, options: MappingOptions = .init()
    ) async throws(ModelError) -> sending [Element] {
        try await ParallelMapping<Element, _>.map(
            json, at: path, options, tasks: ProcessInfo.processInfo.activeProcessorCount, partSize: 128 << 10)
    }
}

extension Array where Element: AbstractModel {
    /// Makes objects from dictionaries, by the same rules as from JSON; failures have no lines.
    ///
    /// - Throws: ``ModelError``, as ``init(json:at:options:)``.
    public init(dictionaries: [[String: Any]], options: MappingOptions = .init()) throws(ModelError) {
        let json = try DictionaryInput.json(from: dictionaries, for: Element.self, options: options)
        self = try JSONMapper.read(Element.modelArrayCodec(), json, for: Element.self, options, isLocated: false).value
    }
}

extension Dictionary where Key == String, Value: AbstractModel {
    /// Makes objects from the members of a JSON object; keys stay as they are.
    ///
    /// A member with failures makes the call throw, unless ``MappingOptions/skipsInvalidElements`` is set.
    ///
    /// ```swift
    /// let files = try [String: File](json: data, at: "files")
    /// ```
    ///
    /// - Throws: ``ModelError``: the syntax error if there is one, else all failures, or the mistake in the class.
    public init(
        json: some JSONInput, at path: JSONPath = .root, options: MappingOptions = .init()
    ) throws(ModelError) {
        let codec = ValueCodec.members(of: Value.modelCodec())
        self = try JSONMapper.read(codec, json, at: path, for: Value.self, options).value
    }

    /// Makes objects from the members of a JSON object and reports every deviation that was tolerated.
    ///
    /// - Throws: ``ModelError``, as ``init(json:at:options:)``.
    public static func mapReporting(
        json: some JSONInput, at path: JSONPath = .root, options: MappingOptions = .init()
    ) throws(ModelError) -> (objects: [String: Value], report: MappingReport) {
        let codec = ValueCodec.members(of: Value.modelCodec())
        let (objects, report) = try JSONMapper.read(codec, json, at: path, for: Value.self, options, isReporting: true)
        return (objects, report)
    }
}
