import ModelMirrorExploring
import Testing

struct DataKeyTests {
    private static func object(_ keys: [String], _ value: (Int) -> String) -> String {
        let members = keys.enumerated().map { "\"\($0.element)\": \(value($0.offset))" }
        return "{" + members.joined(separator: ",") + "}"
    }

    private static func keys(_ prefix: String, _ range: Range<Int>) -> [String] { range.map { "\(prefix)\($0)" } }

    private static let mixed = object(keys("name of ", 0..<500)) { $0 % 20 == 0 ? "7" : "\"x\"" }
    private static let emoji = object(keys("emoji ", 0..<150)) { _ in "\"😀\"" }
    private static let rows = (0..<40).map { row in
        object(keys("k", row * 10..<row * 10 + 10)) { _ in "{\"a\": 1}" }
    }.joined(separator: ",")

    /// Keys that are data, with values of more than one kind too.
    @Test(arguments: [mixed, emoji, "[\(rows)]"]) func manyKeysThatAreDataAreADictionary(json: String) throws {
        let source = try ClassInference.source(documents: [Array("{\"top\": \(json)}".utf8)])
        #expect(source.split(separator: "\n").count < 40)
        #expect(source.contains("[String: "))
    }

    /// Many columns are properties.
    @Test func manyColumnsAreProperties() throws {
        let row = DataKeyTests.object(DataKeyTests.keys("c", 0..<150)) { _ in "1" }
        let source = try ClassInference.source(documents: [Array("[\(row), \(row)]".utf8)])
        #expect(source.contains("var c149 = 0"))
    }
}
