#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension JSONValue {
    /// Reads one JSON document of any kind.
    ///
    /// - Parameters:
    ///   - json: The document: `Data`, `[UInt8]` or `String`.
    ///   - options: Of these, the limits of depth and of bytes apply.
    /// - Throws: ``ModelError/invalidJSON(_:)`` if the text is not JSON.
    public init(json: some JSONInput, options: MappingOptions = .init()) throws(ModelError) {
        let depth = MappingOptions.depthLimit(options.depth)
        let value: JSONValue?
        do throws(JSONSyntaxError) {
            value = try JSONValue(document: json, depth: depth, bytes: MappingOptions.bytesLimit(options.bytes))
        } catch {
            throw .invalidJSON(error)
        }
        guard let value else { throw FindingLocator(model: nil, isLocated: true).unread(json) }
        self = value
    }

    /// The value as JSON; members sorted by key.
    ///
    /// - Throws: ``ModelError/invalidValues(_:)`` if it is nested deeper than ``MappingOptions/maximumDepth``.
    public func jsonData(options: WritingOptions = []) throws(ModelError) -> Data {
        let session = WritingSink(options)
        return try session.run(for: nil) { write(&$0, session) }.data()
    }
}
