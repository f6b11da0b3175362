import Foundation
import ModelMirror
import Testing

@testable import ModelMirrorExploring

struct DocumentStatisticsTests {
    private func place(_ json: String, _ path: String) throws -> DocumentStatistics.Place {
        try #require(DocumentStatistics(json: json)[path])
    }

    // MARK: Places

    @Test func membersAndElementsArePlaces() {
        let statistics = DocumentStatistics(
            json: #"[{"a": [{"b": 1}, {"b": null, "c d": 2}], "e": {}}, {"a": []}] {"a": "x"}"#)
        #expect(
            statistics.places.map { "\($0.path) \($0.count) \($0.missing) \($0.nulls)" } == [
                "$ 2 0 0", "$[] 2 0 0", "$[].a 2 0 0", "$[].a[] 2 0 0", "$[].a[].b 2 0 1",
                #"$[].a[]["c d"] 1 1 0"#, "$[].e 1 1 0", "$.a 1 0 0",
            ])
        #expect(statistics.documentCount == 2)
        #expect(statistics["$"]?.kinds == ["array": 1, "object": 1])
        #expect(statistics["$[].a"]?.elements?.maximum == 2)
        #expect(statistics["$[].a"]?.elements?.mean == 1)
    }

    @Test func allBytesOfALongArrayCount() {
        let ones = Array(repeating: "1", count: 400_000).joined(separator: ",")
        #expect(DocumentStatistics(json: " [\(ones)]\n").byteCount == 800_001)
    }

    @Test(arguments: [
        // A key twice in an object is one member.
        (#"[{"a": 1, "a": 2}, {"b": 3}]"#, "$[].a", 2, 1),
        (#"[{"\u0061": 1}, {"a": 2}, {"\ud83d\ude00\"": 3}]"#, "$[].a", 2, 1),
        (#"{"\ud83d\ude00\"": 3}"#, #"$["😀\""]"#, 1, 0),
        // Keys that are data are one place: most keys are no names; many keys in one object; each key in few objects.
        (#"{"main.go": {"size": 1}, "go.mod": {"size": 2}}"#, "${}.size", 2, 0),
        ("{" + (0..<150).map { #""key\#($0)": "v""# }.joined(separator: ",") + "}", "${}", 150, 0),
        ("[" + (0..<9).map { #"{"key\#($0)": [1]}"# }.joined(separator: ",") + "]", "$[]{}[]", 9, 0),
        // The path of a lock file.
        (
            #"{"packages": {"node_modules/a": {"v": 1, "d": {"x/y": "1"}}, "node_modules/b": {"v": 2, "d": {"x/z": "1"}}}}"#,
            "$.packages{}.d{}", 2, 0
        ),
    ]) func membersAreCountedByTheirKeys(json: String, path: String, count: Int, missing: Int) throws {
        let place = try place(json, path)
        #expect((place.count, place.missing) == (count, missing))
    }

    @Test func manyMembersOfMergedPlacesAreCountedOnce() {
        func row(_ keys: Range<Int>) -> String { "{" + keys.map { #""k\#($0)": 1"# }.joined(separator: ",") + "}" }
        let statistics = DocumentStatistics(json: #"{"2020-01-01": \#(row(0..<20)), "2020-01-02": \#(row(5..<30))}"#)
        #expect(statistics.places.map(\.path) == ["$", "${}"] + (0..<30).map { "${}.k\($0)" })
        #expect((statistics["${}.k4"]?.count, statistics["${}.k19"]?.count) == (1, 2))
    }

    @Test func manyColumnsArePlaces() {
        let row = "{" + (0..<150).map { #""c\#($0)": 1"# }.joined(separator: ",") + "}"
        #expect(DocumentStatistics(json: "[\(row), \(row)]").places.count == 152)
    }

    @Test(arguments: [1, 3]) func placesAreBounded(rows: Int) {
        let row = "{" + (0..<4_000).map { #""c\#($0)": {"a": 1, "b": "\#($0)"}"# }.joined(separator: ",") + "}"
        let statistics = DocumentStatistics(json: Array(repeating: row, count: rows).joined(separator: "\n"))
        #expect(statistics.places.map(\.path) == ["$", "${}", "${}.a", "${}.b"])
        #expect(statistics["${}.a"]?.count == 4_000 * rows)
        #expect(statistics["${}.b"]?.missing == 0)
    }

    // MARK: Values

    @Test func numbersAreSummarized() throws {
        let place = try place("[" + (1...101).map { "\($0)" }.joined(separator: ", ") + "]", "$[]")
        let numbers = try #require(place.numbers)
        #expect((numbers.minimum, numbers.maximum, numbers.mean) == (1, 101, 51))
        #expect([0, 0.25, 0.5, 0.95, 1].map(numbers.quantile) == [1, 26, 51, 96, 101])
        #expect(numbers.histogram(10) == [10, 10, 10, 10, 10, 10, 10, 10, 10, 11])
        #expect((numbers.areIntegers, numbers.isWhole, place.distinct, place.isExact) == (true, true, 101, true))
    }

    @Test func quantilesBesideInfiniteNumbersAreNumbers() throws {
        let numbers = try #require(try place("[1, 2, 1e400, 2e400]", "$[]").numbers)
        #expect([0, 1 / 6, 1 / 3, 0.5, 0.9].map(numbers.quantile) == [1, 1.5, 2, .infinity, .infinity])
        #expect(numbers.quantile(.nan).isNaN)
    }

    @Test func rangesOfNumbersAreExact() throws {
        for (json, path, minimum, maximum) in [
            (
                "[9007199254740993, 9007199254740992, 9007199254740994, 1e400, -1e400, 0.1]", "$[]",
                "-1e400", "1e400"
            ),
            (
                "[9007199254740993, 9007199254740992, 9007199254740993.5]", "$[]",
                "9007199254740992", "9007199254740993.5"
            ),
            ("[1.00000000000000000001, 1]", "$[]", "1", "1.00000000000000000001"),
            // Of members that are merged.
            (
                #"{"2020-01-01": 9007199254740993, "2020-01-02": 9007199254740992}"#, "${}",
                "9007199254740992", "9007199254740993"
            ),
        ] as [(String, String, String, String)] {
            let numbers = try #require(try place(json, path).numbers)
            #expect((numbers.minimum.text, numbers.maximum.text) == (minimum, maximum))
        }
        #expect(try place("[0.1, 0.2, 0.3, 1e16, -1e16]", "$[]").numbers?.mean == 0.12)
    }

    @Test func equalNumbersAreOneValue() throws {
        for (json, distinct) in [
            ("[1, 1.0, 10e-1, 1.50, 1.5, -0, 0]", 3), ("[12345678901234567890, 12345678901234567891]", 2),
            (#"["1", 1, true, false, true, null]"#, 4), (#"[1234567890123456789, "1234567890123456789"]"#, 2),
        ] {
            #expect(try place(json, "$[]").distinct == distinct, "\(json)")
        }
    }

    @Test func stringsAreSummarized() throws {
        let strings = try #require(try place(#"["b", "", "é😀", "\u0061\n"]"#, "$[]").strings)
        #expect((strings.minimum, strings.maximum) == ("", "é😀"))
        #expect((strings.lengths.minimum, strings.lengths.maximum, strings.lengths.mean) == (0, 2, 1.25))
        #expect(strings.format == nil)
        #expect(try place(#"["a", "ab", "a"]"#, "$[]").strings?.maximum == "ab")
    }

    @Test(
        arguments: [
            (["2016-01-23T18:30:00Z", "2020-02-29T00:00:00Z"], "ISO 8601"),
            (["2016-01-23", "2020-02-29"], "yyyy-MM-dd"),
            (["2016-01-23", "2019-02-29"], nil), (["https://a.b/c"], "URL"), (["#FF00AA"], "color"),
            (["52E6B438-F2A7-4269-A651-0C5CA6A3A450", "52e6b438-f2a7-4269-a651-0c5ca6a3a450"], "UUID"), (["a"], nil),
        ] as [([String], String?)]) func formatsAreRecognized(texts: [String], format: String?) throws
    {
        let json = JSONValue.array(texts.map { .string($0) })
        #expect(DocumentStatistics(json: json)["$[]"]?.strings?.format == format)
    }

    @Test func longBoundsEndWithACharacter() throws {
        let strings = try #require(try place(#"["\#(String(repeating: "日", count: 50))"]"#, "$[]").strings)
        #expect(strings.minimum == String(repeating: "日", count: 42))
        #expect(strings.maximum == strings.minimum)
        #expect(try place("[\"\u{FFFD}\"]", "$[]").strings?.minimum == "\u{FFFD}")
    }

    @Test func frequentValuesAreCounted() throws {
        let long = String(repeating: "é", count: 40)
        let place = try place(#"["a", "b", "\u0062", 7, 7, 7, true, "\#(long)"]"#, "$[]")
        #expect(
            place.frequent == [
                .init(value: 7, count: 3), .init(value: "b", count: 2), .init(value: "a", count: 1),
                .init(value: .string(String(repeating: "é", count: 32) + "…"), count: 1), .init(value: true, count: 1),
            ])
    }

    @Test func aNumberWithoutAllItsDigitsIsNotShown() throws {
        let place = try place("[\(String(repeating: "7", count: 70)), 7]", "$[]")
        #expect(place.frequent == [.init(value: 7, count: 1)])
        #expect(place.distinct == 2)
    }

    /// 200,000 values, of which one is every tenth and the others are distinct.
    @Test func manyDistinctValuesAreEstimated() throws {
        var json = "["
        for number in 0..<20_000 { json += number % 10 == 0 ? "\"often\"," : "\"value \(number)\"," }
        let place = try place(json + "1]", "$[]")
        let distinct = 18_002
        #expect(!place.isExact)
        // Three standard errors.
        #expect(abs(place.distinct - distinct) < distinct * 5 / 100)
        let often = try #require(place.frequent.first)
        #expect(often.value == "often")
        #expect((1_800...2_000).contains(often.count))
        #expect(place.frequent.count == 1)
    }

    @Test func theEmptyStringMayBeFrequent() throws {
        let strings = (0..<3_000).map { $0 % 2 == 0 ? #""""# : #""value \#($0)""# }
        let place = try place("[\(strings.joined(separator: ","))]", "$[]")
        #expect(place.frequent.first?.value == "")
        #expect(!place.isExact)
    }

    @Test(arguments: [1_000, 5_000, 20_000, 100_000]) func estimatesAreWithinThreeStandardErrors(count: Int) {
        var sketch = DistinctSketch()
        for number in 0..<count {
            sketch.insert(ValueHash.hash(Double(number)))
            sketch.insert(ValueHash.hash(Double(number)))
        }
        #expect(abs(sketch.estimate - count) < count * 5 / 100)
    }

    @Test func quantilesOfManyNumbersAreThoseOfASample() throws {
        var generator = SeededGenerator(seed: 3)
        let numbers = (0..<20_000).map { $0 }.shuffled(using: &generator).map { "\($0)" }.joined(separator: " ")
        let place = try place(numbers, "$")
        let summary = try #require(place.numbers)
        #expect(!summary.isWhole)
        #expect(summary.mean == 9_999.5)
        for share in [0.1, 0.5, 0.9] { #expect(abs(summary.quantile(share) - share * 20_000) < 700) }
        #expect(summary.histogram(10).allSatisfy { (140...270).contains($0) })
    }

    // MARK: Text

    @Test func theTableFitsItsWidth() {
        let json = (1...10).map { #"{"id": \#($0), "state": "\#($0 > 3 ? "open" : "closed")", "name": null}"# }
        let statistics = DocumentStatistics(json: json.joined(separator: "\n"))
        #expect(
            "\(statistics)" == """
                10 documents, 407 bytes

                place    count  kinds   null  distinct  minimum  median  maximum  values
                $           10  object
                $.id        10  number              10  1        5.5     10       ██████████
                $.state     10  string               2  closed           open     "open" 70 %, "closed" 30 %
                $.name      10  null      10
                """)
        for width in [80, 100, 200] {
            #expect(statistics.table(width: width).split(separator: "\n").allSatisfy { $0.count <= width })
        }
    }

    @Test func controlCharactersAreEscapedInTheTable() {
        let table = DocumentStatistics(json: "[\"\u{9B}2J\"]").table(width: 120)
        #expect(table.contains(#""\u009b2J" 100 %"#) && !table.unicodeScalars.contains("\u{9B}"))
    }

    @Test func csvHasALineForEachPlace() {
        let csv = DocumentStatistics(json: #"{"a": "x, \"y\""}"#).csv.split(separator: "\r\n")
        #expect(csv[0].hasPrefix("place,count,missing,nulls,kinds,distinct,isExact,minimum,maximum,mean,"))
        #expect(csv[2].hasPrefix(#"$.a,1,0,0,"{""string"":1}",1,true,"x, ""y""","x, ""y""",,"#))
        #expect(csv.count == 3)
        // A combining mark after the comma or the quote.
        let marked = DocumentStatistics(json: #"["a,\#u{301}b", "\"\#u{301}"]"#).csv
        #expect(marked.utf8.contains("\"a,\u{301}b\"".utf8) && marked.utf8.contains("\"\"\"\u{301}\"".utf8))
    }

    @Test func faultsHaveTheirPlaces() {
        let statistics = DocumentStatistics(json: "{\"a\": 1}\n{\"a\": }\n{\"a\": 2}")
        #expect(statistics["$.a"]?.count == 2)
        #expect(
            statistics.faults.map(\.description) == [
                "2:7: not JSON: expected a value (an object, array, string, number, true, false or null), found '}'"
            ])
        #expect(
            DocumentStatistics(json: Data([0x1F, 0x8B, 8])).faults.map(\.description) == [
                "1:1: not JSON: it is compressed with gzip; decompress it first, or pass it through a pipe"
            ])
    }
}
