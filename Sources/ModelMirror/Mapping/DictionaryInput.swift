#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Turns plain Swift values into JSON bytes, so that a dictionary takes the same way as a document.
enum DictionaryInput {
    /// The JSON of a value.
    ///
    /// - Throws: ``ModelError/invalidValues(_:)`` with the key path of each value that JSON cannot hold.
    static func json(
        from value: Any, for model: AbstractModel.Type, options: MappingOptions = .init()
    ) throws(ModelError) -> Data {
        let limit = max(options.failures ?? model.classOptions.failures ?? 100, 1)
        let json = try PlainValueInput.json(from: value, for: "\(model)", limit: limit)
        let session = WritingSink([])
        return try session.run(for: model) { json.write(&$0, session) }.data()
    }
}
