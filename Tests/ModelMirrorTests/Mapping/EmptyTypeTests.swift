import ModelMirror
import Testing

private enum Kind: String { case gist }

private struct Marker: Equatable {}

private class Gist: AbstractModel {
    var id = 0
    var kind = Kind.gist
    var marker = Marker()
    var optionalKind: Kind? = .gist
    var title = ""

    override class var ignoredProperties: Set<String> { ["marker"] }
}

@Suite("Properties of zero-sized types")
struct EmptyTypeTests {
    @Test("Properties of a single-case enum or an empty struct are mapped")
    func mapped() throws {
        let gist = try Gist(json: #"{"id": 1, "kind": "gist", "marker": 5, "optionalKind": null, "title": "a"}"#)
        #expect(gist.id == 1)
        #expect(gist.kind == .gist)
        #expect(gist.optionalKind == nil)
        #expect(gist.title == "a")
        let error = #expect(throws: ModelError.self) { try Gist(json: #"{"kind": "other"}"#, options: .strict) }
        #expect(error?.valueFailures.map { "\($0.path)" } == ["$.kind"])
    }
}
