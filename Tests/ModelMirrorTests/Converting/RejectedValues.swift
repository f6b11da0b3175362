import ModelMirror
import Testing

/// Maps a document with values that a class rejects. Expects that the report of lenient mapping has these messages, and no other
/// entry of the kind, and that strict mapping fails with them.
///
/// - Returns: The object of lenient mapping.
@discardableResult
func expectRejected<Model: AbstractModel>(
    _ json: String, by type: Model.Type, as kind: MappingReport.Kind = .fallback, _ messages: [String],
    at source: Testing.SourceLocation = #_sourceLocation
) throws -> Model {
    let (object, report) = try Model.mapReporting(json: json)
    let entries = report.entries.filter { $0.kind == kind }
    #expect(entries.map(\.description) == messages.map { "\(kind): \($0)" }, sourceLocation: source)
    let error = #expect(throws: ModelError.self, sourceLocation: source) { try Model(json: json, options: .strict) }
    #expect(error?.description == messages.joined(separator: "\n"), sourceLocation: source)
    return object
}
