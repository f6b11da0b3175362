import Foundation
import ModelMirror
import Testing

private class Counts: AbstractModel {
    var tiny = 1.0
    var site: URL?
}

private class Small: AbstractModel {
    var float = Float(1)
    var list: [Double] = []
    var floats: [Float] = []
    var byName: [String: Double] = [:]
    var optional: Double?
    var wide = CGFloat(1)
    var sites: [URL] = []
    var siteByName: [String: URL] = [:]
    var some = 1.0
}

@Suite("Values that change when they are stored")
struct ChangedValueTests {
    @Test("A numeric underflow and an escaped URL are reported, and strict mapping accepts them")
    func changedValues() throws {
        let (model, report) = try Counts.mapReporting(json: #"{"tiny": 1e-400, "site": "a b"}"#, options: .strict)
        #expect((model.tiny, model.site?.absoluteString) == (0, "a%20b"))
        #expect(
            report.entries.filter { $0.kind == .coerced }.map(\.description) == [
                "coerced: Counts.tiny at $.tiny (line 1, column 10): expected a number that Double can "
                    + "hold, found the number 1e-400.",
                "coerced: Counts.site at $.site (line 1, column 26): expected a URL without characters to be escaped, "
                    + "found the string \"a b\".",
            ])
    }

    @Test("Underflows and escaped URLs are reported in arrays, dictionaries and Optionals")
    func changedValuesEverywhere() throws {
        let (small, report) = try Small.mapReporting(
            json: """
                {"float": 1e-60, "list": [1, 1e-400], "floats": [-1e-60], "byName": {"a": 1e-400}, "optional": 1e-400,
                 "wide": 1e-400, "sites": ["a b", "c"], "siteByName": {"x": "a b"}, "some": "1e-400"}
                """)
        #expect(small.float == 0 && small.list == [1, 0] && small.floats == [0] && small.byName == ["a": 0])
        #expect(small.optional == 0 && small.wide == 0 && small.some == 0)
        #expect(try Small(json: #"{"wide": 1.5}"#).wide == 1.5)
        #expect(small.sites.map(\.absoluteString) == ["a%20b", "c"])
        #expect(
            report.entries.map { "\($0.kind) \($0.path)" } == [
                "coerced $.float", "coerced $.list[1]", "coerced $.floats[0]", "coerced $.byName.a",
                "coerced $.optional",
                "coerced $.wide", "coerced $.sites[0]", "coerced $.siteByName.x", "coerced $.some",
            ])
    }
}
