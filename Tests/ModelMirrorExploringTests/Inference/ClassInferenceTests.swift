import Foundation
import ModelMirror
import ModelMirrorExploring
import Testing

/// The exact source. Tests/Exploring/check.sh checks that it compiles and maps the documents.
struct ClassInferenceTests {
    private func source(
        _ documents: String..., name: String? = nil, prefix: String = "", keys: KeyStyle? = nil
    ) throws -> String {
        try ClassInference.source(
            documents: documents.map { Array($0.utf8) }, name: name, prefix: prefix, keys: keys)
    }

    /// The lines of a source that are in a class, without indentation.
    private func lines(_ documents: String..., name: String? = nil, keys: KeyStyle? = nil) throws -> [String] {
        try ClassInference.source(documents: documents.map { Array($0.utf8) }, name: name, keys: keys)
            .split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    }

    @Test func theSourceIsReadyToPaste() throws {
        let json =
            #"[{"id": "1", "created_at": "2016-01-23T18:30:00Z", "owner": {"login": "mona"}, "files": {"a.txt": {"size": 1}}}]"#
        #expect(
            try source(json, name: "Gist") == """
                // let gists = try [Gist](json: data)

                import Foundation
                import ModelMirror

                class Owner: AbstractModel {
                    var login = ""
                }

                class File: AbstractModel {
                    var size = 0
                }

                class Gist: AbstractModel {
                    var id = ""
                    var createdAt: Date!
                    var owner: Owner!
                    var files: [String: File] = [:]

                    override class var keyStrategy: KeyStrategy { .snakeCase }
                }

                """)
    }

    @Test(arguments: [
        (#"{"a": 1}"#, "// let root = try Root(json: data)"),
        (#"[{"a": 1}]"#, "// let items = try [Item](json: data)"),
        (#"{"1": {"a": 1}, "2": {"a": 2}}"#, "// let items = try [String: Item](json: data)"),
        (#"[[{"a": 1}]]"#, "// let items = try JSONMapper.value([[Item]].self, from: data)"),
        (
            #"[{"type": "a", "x": 1}, {"type": "b", "y": 2}]"#, "// let items = try [Item](json: data)"
        ),
        (
            String(repeating: "[", count: 10) + #"{"a": 1}"# + String(repeating: "]", count: 10),
            "// let items = try JSONMapper.value([RootValue].self, from: data)"
        ),
        (
            String(repeating: #"{"1": "#, count: 8) + #"{"a": 1}"# + String(repeating: "}", count: 8),
            "// let items = try JSONMapper.value(\(String(repeating: "[String: ", count: 8))Item\(String(repeating: "]", count: 8)).self, from: data)"
        ),
    ])
    func theFirstLineReadsTheDocument(_ json: String, _ call: String) throws {
        #expect(try source(json).split(separator: "\n").first.map(String.init) == call)
    }

    @Test func eachDifferentRootElementHasItsOwnLine() throws {
        let lines = try lines(#"[{"page": 1}, [{"id": "DE"}]]"#, name: "Country")
        #expect(lines[0] == "// let countryPart0 = try CountryPart0(json: data, at: [0])")
        #expect(lines[1] == "// let countries = try [Country](json: data, at: [1])")
    }

    @Test func typesOfRootElementsAreDeclared() throws {
        let states = Array(repeating: #""open", "closed""#, count: 4).joined(separator: ", ")
        let lines = try lines(#"[{"page": 1}, [1, "a"], [\#(states)], "31/01/2016"]"#)
        #expect(
            lines[1...3] == [
                "// let value1 = try JSONMapper.value([RootValue].self, from: data, at: [1])",
                "// let value2 = try JSONMapper.value([String].self, from: data, at: [2])",
                "// let value3 = try JSONMapper.value(String.self, from: data, at: [3])",
            ])
        #expect(lines.contains("enum RootValue: JSONConvertible {"))
    }

    @Test(arguments: ["[", #"{"1": "#])
    func deeplyNestedValuesAreJSONValues(_ open: String) throws {
        let close = open == "[" ? "]" : "}"
        let deep = String(repeating: open, count: 20) + "1" + String(repeating: close, count: 20)
        let declaration = try lines(#"{"a": \#(deep)}"#).first { $0.hasPrefix("var a") }
        let type = String(repeating: "[String: ", count: 8) + "JSONValue" + String(repeating: "]", count: 8)
        #expect(declaration == (open == "[" ? "var a: [A] = []" : "var a: \(type) = [:]"))
    }

    @Test(arguments: [
        ("entries", "Entry"), ("series", "Series"), ("species", "Species"), ("cookies", "Cookie"), ("men", "Man"),
        ("women", "Woman"), ("specimen", "Specimen"), ("children", "Child"), ("canvas", "Canvas"), ("boxes", "Box"),
        ("Men", "Man"), ("news", "News"), ("statuses", "Status"), ("sizes", "Size"),
        ("quizzes", "Quiz"), ("caches", "Cache"), ("bonuses", "Bonus"),
    ])
    func classNamesAreTheSingularOfTheKey(_ key: String, _ name: String) throws {
        #expect(try lines(#"{"\#(key)": [{"a": 1}]}"#).contains("class \(name): AbstractModel {"))
    }

    @Test func whitespaceEscapesAndDuplicateKeysAreRead() throws {
        let lines = try lines("\u{FEFF} { \"b\\u0041\" : [ ] , \"a\":[{},[ 1 , -2.5e3 ]], \"b\\u0041\": \"\\\"\" }\n")
        #expect(lines.filter { $0.hasPrefix("var ") } == [#"var bA = """#, "var a: [A] = []"])
    }

    @Test func anObjectAndAListAreSamplesOfOneClass() throws {
        let lines = try lines(#"{"id": 1, "note": "a"}"#, #"[{"id": 2}]"#, name: "Gist")
        #expect(lines[0...1] == ["// let gist = try Gist(json: data)", "// let gists = try [Gist](json: data)"])
        #expect(lines.contains("var id = 0") && lines.contains("var note: String?"))
    }

    @Test(arguments: [
        ("1", "a number"), ("[1, 2]", "a list without objects"), ("[]", "an empty list"), ("null", "null"),
        (
            String(repeating: #"{"1": "#, count: 9) + #"{"a": 1}"# + String(repeating: "}", count: 9),
            "an object in more than eight lists and dictionaries"
        ),
    ])
    func aRootWithoutObjectsIsAnError(_ json: String, _ found: String) {
        #expect(throws: InferenceError.noClass(found: found)) { try source(json) }
    }

    @Test func errorsAreSentences() {
        #expect(
            InferenceError.noClass(found: "a number").description
                == "The root is a number, which no class can be; give a document whose root is an object, or a list or dictionary of objects."
        )
        #expect(throws: InferenceError.noDocuments) { try ClassInference.source(documents: []) }
        for name in ["", "1st", "class"] {
            #expect(throws: InferenceError.invalidName(name)) { try source("{}", name: name) }
        }
        #expect(throws: InferenceError.invalidName("my gist")) { try source("{}", name: "my gist") }
        #expect {
            try source("{}", "{")
        } throws: { error in
            "\(error)"
                == "Document 2 of 2: Invalid JSON at line 1, column 2 (byte 1): expected a key in double quotes or '}', found the end of the document."
        }
    }

    @Test func membersPresentInFiveObjectsAreRequired() throws {
        let four = Array(repeating: #"{"id": 1, "note": null}"#, count: 4)
        #expect(try !source("[\(four.joined(separator: ","))]").contains("requiredProperties"))
        let five = four + [#"{"id": 1, "more": 2}"#]
        #expect(
            try source("[\(five.joined(separator: ","))]").contains(
                #"override class var requiredProperties: Set<String> { ["id"] }"#))
    }

    @Test(arguments: [
        (#"{"v": 1}"#, "var v = 0"), (#"{"v": 2.5}"#, "var v = 0.0"), (#"{"v": -0}"#, "var v = 0.0"),
        (#"{"v": true}"#, "var v = false"), (#"{"v": "007"}"#, #"var v = """#), (#"{"v": null}"#, "var v: JSONValue?"),
        (#"{"v": {}}"#, "var v: [String: JSONValue] = [:]"), (#"{"v": []}"#, "var v: [JSONValue] = []"),
        (#"{"v": [1, 2.5]}"#, "var v: [Double] = []"), (#"{"v": [1, null]}"#, "var v: [Int?] = []"),
        (#"{"v": 9223372036854775808}"#, "var v: UInt64 = 0"),
        (#"{"v": -9223372036854775809}"#, "var v: Int128 = 0"),
        (#"{"v": 340282366920938463463374607431768211455}"#, "var v: UInt128 = 0"),
        (#"{"v": 340282366920938463463374607431768211456}"#, "var v: JSONNumber = 0"),
        (#"{"v": 1e400}"#, "var v: JSONNumber = 0"),
        (#"{"v": 0.12345678901234567890123}"#, "var v: Decimal = 0"),
        (#"{"v": -65.613616999999977}"#, "var v = 0.0"),
        (#"{"v": "https://a.b/c"}"#, "var v: URL!"), (#"{"v": "a/b"}"#, #"var v = """#),
        (#"{"v": "5f0c9a1e-2a3b-4c5d-8e9f-0a1b2c3d4e5f"}"#, "var v: UUID!"),
        (##"{"v": "#FF8000"}"##, "var v: RGBAColor!"), (#"{"v": "C0DEED"}"#, #"var v = """#),
        (#"{"color": "C0DEED"}"#, "var color: RGBAColor!"),
        (#"{"text_colour": "C0DEED"}"#, "var textColour: RGBAColor!"),
        (#"{"background": "C0DEED"}"#, "var background: RGBAColor!"), (#"{"color": "C0DEED0"}"#, #"var color = """#),
        (#"{"v": "20160123"}"#, #"var v = """#), (#"{"v": "2016-01-23"}"#, "var v: Date!"),
        (#"{"v": "01/02/2016"}"#, #"var v = """#), (#"{"v": "31/01/2016"}"#, "var v: Date!"),
        (#"{"v": 1453573800}"#, "var v = 0"), (#"{"created_at": 1453573800}"#, "var createdAt: Date!"),
        (#"{"v": 1453573800000}"#, "var v = 0"), (#"{"start": 1453573800000}"#, "var start: Date!"),
        (repeated("v", "open", "closed"), "var v: V!"), (repeated("v", "Oslo", "Rome"), #"var v = """#),
        (repeated("v", "en", "de"), #"var v = """#), (repeated("v", "en-US", "pt-BR"), #"var v = """#),
        (#"{"class": 1}"#, "var `class` = 0"), (#"{"": 1}"#, "var empty = 0"), (#"{"self": 1}"#, "var selfValue = 0"),
        (#"{"HTMLUrl": 1, "b": 2}"#, "var htmlUrl = 0"), (#"{"1st": 1}"#, "var _1st = 0"),
        // Dates with two readings stay strings.
        (#"{"v": "1/2/2016"}"#, #"var v = """#), (#"{"v": "01/02/2016 18:30"}"#, #"var v = """#),
        (#"{"v": "01/02/2016 18:30:00"}"#, #"var v = """#), (#"{"v": "01/02/2016 6:30 PM"}"#, #"var v = """#),
        (#"{"v": "1/2/2016 6:30 PM"}"#, #"var v = """#), (#"{"v": "01-02-2016"}"#, #"var v = """#),
        // Objects inside each other are of one class.
        (
            #"{"name": "a", "children": [{"name": "b", "children": [{"name": "c", "children": []}]}]}"#,
            "var children: [Root] = []"
        ),
        // Keys that are data make a dictionary.
        (#"{"v": {"1.2.0": 1, "v1.3.0-beta.1": 2}}"#, "var v: [String: Int] = [:]"),
        (#"{"v": {"-5": 1, "7.5": 2}}"#, "var v: [String: Int] = [:]"),
        (#"{"v": {"v1": 1, "v2": 2}}"#, "var v: V!"), (#"{"v": {"1.": 1}}"#, "var v: V!"),
        (#"{"tags": {\#(strings(5))}}"#, "var tags: [String: String] = [:]"),
        (#"{"tags": {\#(strings(4))}}"#, "var tags: Tags!"),
        (#"{"tags": [{\#(strings(20))}]}"#, "var tags: [Tag] = []"),
        (#"{"v": {\#(strings(20))}}"#, "var v: [String: String] = [:]"), (#"{"v": {\#(strings(19))}}"#, "var v: V!"),
        (#"[{"v": {\#(strings(20))}}, {"v": {\#(strings(20))}}, {"v": {\#(strings(20))}}]"#, "var v: V!"),
    ])
    func valuesAndKeysDecideTheType(_ json: String, _ declaration: String) throws {
        #expect(try lines(json).contains(declaration))
    }

    /// A list of objects with each of the strings four times.
    private static func repeated(_ key: String, _ texts: String...) -> String {
        let objects = texts.map { #"{"\#(key)": "\#($0)"}"# }
        return "[\((0..<4).flatMap { _ in objects }.joined(separator: ","))]"
    }

    @Test(arguments: [
        ("2016-01-23", "yyyy-MM-dd"), ("2016-01-23T18:30:00", "yyyy-MM-dd'T'HH:mm:ss"),
        ("2016-01-23T18:30:00.125", "yyyy-MM-dd'T'HH:mm:ss.SSS"),
        ("2016-01-23T18:30:00.125250", "yyyy-MM-dd'T'HH:mm:ss.SSSSSS"), ("2016-01-23T18:30", "yyyy-MM-dd'T'HH:mm"),
        ("2016-01-23 18:30:00", "yyyy-MM-dd HH:mm:ss"), ("2016-01-23 18:30:00.125", "yyyy-MM-dd HH:mm:ss.SSS"),
        ("2016-01-23 18:30", "yyyy-MM-dd HH:mm"), ("Sat Jan 23 18:30:00 +0000 2016", "EEE MMM dd HH:mm:ss Z yyyy"),
        ("Sat, 23 Jan 2016 18:30:00 +0000", "EEE, dd MMM yyyy HH:mm:ss Z"), ("2016/01/23", "yyyy/MM/dd"),
        ("2016/01/23 18:30:00", "yyyy/MM/dd HH:mm:ss"), ("03.01.2016", "dd.MM.yyyy"),
        ("03.01.2016 18:30", "dd.MM.yyyy HH:mm"), ("03.01.2016 18:30:00", "dd.MM.yyyy HH:mm:ss"),
        ("23-01-2016", "dd-MM-yyyy"), ("01-23-2016", "MM-dd-yyyy"), ("23-Jan-2016", "dd-MMM-yyyy"),
        ("23 Jan 2016", "dd MMM yyyy"),
        ("3 Jan 2016", "d MMM yyyy"), ("3 January 2016", "d MMMM yyyy"), ("Jan 3, 2016", "MMM d, yyyy"),
        ("January 3, 2016", "MMMM d, yyyy"), ("01/23/2016", "MM/dd/yyyy"), ("23/01/2016", "dd/MM/yyyy"),
        ("1/23/2016", "M/d/yyyy"), ("23/1/2016", "d/M/yyyy"), ("01/23/2016 18:30", "MM/dd/yyyy HH:mm"),
        ("23/01/2016 18:30", "dd/MM/yyyy HH:mm"), ("01/23/2016 18:30:00", "MM/dd/yyyy HH:mm:ss"),
        ("23/01/2016 18:30:00", "dd/MM/yyyy HH:mm:ss"), ("01/23/2016 6:30 PM", "MM/dd/yyyy h:mm a"),
        ("23/01/2016 6:30 PM", "dd/MM/yyyy h:mm a"), ("1/23/2016 6:30 PM", "M/d/yyyy h:mm a"),
        ("23/1/2016 6:30 PM", "d/M/yyyy h:mm a"),
    ])
    func datesHaveTheirPattern(_ text: String, _ pattern: String) throws {
        let lines = try lines(#"{"v": "\#(text)"}"#)
        #expect(lines.contains("var v: Date!"))
        #expect(lines.contains(#"override class var propertyDateFormats: [String: String] { ["v": "\#(pattern)"] }"#))
    }

    @Test(arguments: [
        (#"{"v": "Sat, 23 Jan 2016 18:30:00 GMT"}"#, #""v": .httpDate"#),
        (#"{"due": 1453573800}"#, #""due": .secondsSince1970"#),
        (#"{"due": 1453573800000}"#, #""due": .millisecondsSince1970"#),
        (
            ##"{"v": "#ff8000"}"##,
            #""v": .converting(String.self, { RGBAColor(hex: $0) }, back: { $0.hex.lowercased() })"#
        ),
        (
            #"{"color": "C0DEED"}"#,
            #""color": .converting(String.self, { RGBAColor(hex: $0) }, back: { String($0.hex.dropFirst()) })"#
        ),
        (
            #"{"color": "c0deed"}"#,
            #""color": .converting(String.self, { RGBAColor(hex: $0) }, back: { $0.hex.dropFirst().lowercased() })"#
        ),
    ])
    func otherDateAndColorFormatsHaveTheirConverter(_ json: String, _ converter: String) throws {
        #expect(try source(json).contains(converter))
    }

    @Test(arguments: ["2016-01-23T18:30:00Z", "2016-01-23T18:30:00+02:00", "2016-01-23T18:30:00.125Z"])
    func iso8601DatesNeedNoRule(_ text: String) throws {
        let lines = try lines(#"{"v": "\#(text)"}"#)
        #expect(lines.contains("var v: Date!") && !lines.contains { $0.contains("override") })
    }

    /// The eight objects of a list.
    private static func eight(_ object: (Int) -> String) -> String { "[\((0..<8).map(object).joined(separator: ","))]" }

    /// What a document is about, the document, a name and some lines of its source.
    @Test(
        arguments: [
            (
                "few distinct strings are an enum",
                eight { #"{"status": "\#($0 % 2 == 0 ? "open" : "in-progress")", "name": "n\#($0)"}"# }, nil,
                [
                    "var status: Status!", #"var name = """#, "enum Status: String, CaseIterable, UnknownCase {",
                    #"case inProgress = "in-progress", open, unknown"#,
                    "static var unknownCase: Status { .unknown }",
                ]
            ),
            (
                "an enum may have an unknown value of its own",
                eight { #"{"status": "\#($0 % 2 == 0 ? "open" : "UNKNOWN")"}"# }, nil,
                [#"case unknown = "UNKNOWN", open"#, "static var unknownCase: Status { .unknown }"]
            ),
            (
                "the root may have the name of a library's type", #"{"at": "2016-01-23T18:30:00Z"}"#, "Date",
                ["class Date: AbstractModel {", "var at: Foundation.Date!"]
            ),
            (
                "a tag beside the payload makes a dynamic type",
                #"[{"type": "push", "payload": {"ref": "a"}}, {"type": "fork", "payload": {"forkee": 1}}]"#, nil,
                [
                    "var payload: AbstractModel!", "class PushPayload: AbstractModel {",
                    #""push": PushPayload.self, "fork": ForkPayload.self,"#,
                ]
            ),
        ] as [(String, String, String?, [String])])
    func theSourceHasLines(_ subject: String, _ json: String, _ name: String?, _ expected: [String]) throws {
        let lines = try lines(json, name: name)
        #expect(expected.filter { !lines.contains($0) } == [], "\(subject)")
    }

    /// The given number of members with strings.
    private static func strings(_ count: Int) -> String {
        (0..<count).map { #""\#(["a", "b", "c", "d"][$0 / 5])\#(["v", "w", "x", "y", "z"][$0 % 5])": """# }
            .joined(separator: ",")
    }

    @Test func timesWithoutATimeZoneAreNoted() throws {
        let lines = try lines(
            #"""
            {"at": "2016-01-23T18:30:00", "ats": ["2016-01-23 18:30"], "day": "2016-01-23",
             "python": ["2016-01-23T18:30:00", "2016-01-23T18:30:00.5"], "days": ["2016-01-23", "2016-01-23T18:30:00Z"]}
            """#)
        let note = "/// Without a time zone, so read as UTC."
        #expect(
            lines.filter { $0 == note || $0.hasPrefix("var ") } == [
                note, "var at: Date!", note, "var ats: [Date] = []", "var day: Date!", note,
                "var python: [Date] = []", "var days: [Date] = []",
            ])
    }

    @Test func aPrefixIsAddedToInferredNames() throws {
        let json = #"{"owner": {"id": 1}, "bank_account": {"id": "a"}, "bankrupt": {"x": true}, "list": [1, "a"]}"#
        func types(_ name: String?) throws -> [String] {
            try source(json, name: name, prefix: "Bank").split(separator: "\n")
                .filter { $0.hasPrefix("class ") || $0.hasPrefix("enum ") }.map { String($0.prefix { $0 != ":" }) }
        }
        #expect(
            try types(nil) == [
                "class BankOwner", "class BankAccount", "class BankBankrupt", "enum BankList", "class BankRoot",
            ])
        #expect(try types("Gist").last == "class Gist")
        for prefix in ["1", "a-b", "_"] {
            #expect(throws: InferenceError.invalidName(prefix)) { try source("{}", prefix: prefix) }
        }
    }

    @Test(arguments: [
        (
            KeyStyle.snake, #"{"created_at": 1, "html_url": 2}"#,
            "override class var keyStrategy: KeyStrategy { .snakeCase }"
        ),
        (nil, #"{"created-at": 1, "id": 2}"#, "override class var keyStrategy: KeyStrategy { .kebabCase }"),
        (nil, #"{"CreatedAt": 1, "ID": 2}"#, "override class var keyStrategy: KeyStrategy { .pascalCase }"),
        (
            .snake, #"{"created_at": 1, "createdBy": 2}"#,
            #"override class var propertyKeys: [String: PropertyKey] { ["createdAt": "created_at"] }"#
        ),
    ])
    func keysAreMappedByAStrategyOrIndividually(_ keys: KeyStyle?, _ json: String, _ rule: String) throws {
        let lines = try lines(json, keys: keys)
        #expect(lines.contains(rule))
        #expect(lines.count { $0.contains("keyStrategy") || $0.contains("propertyKeys") } == 1)
    }

    /// In JSON, é as one scalar and as two are two keys; compilers may normalize names, so that the keys are listed.
    @Test func canonicallyEquivalentKeysAreTwoProperties() throws {
        let (one, two) = ("\u{E9}", "e\u{301}")
        let objects = try lines(#"[{"\#(one)": 1, "\#(two)": "a"}, {"\#(one)": 2}]"#)
        #expect(objects.filter { $0.hasPrefix("var ") } == ["var \(one) = 0", "var \(one)2: String?"])
        #expect(
            objects.contains(
                #"override class var propertyKeys: [String: PropertyKey] { ["\#(one)2": "e\u{301}"] }"#))
        // In two documents, the second form first; the sign for ångström is a third form.
        let documents = try lines(
            #"{"\#(two)": {"x": 1}, "\u212b": 1}"#, #"{"\#(one)": {"x": true}, "A\u030a": 2, "\u00c5": 3}"#)
        #expect(
            documents.filter { $0.hasPrefix("var ") && !$0.hasPrefix("var x") } == [
                "var \(one)2: \u{C9}?", "var \u{E5}: Int?", "var \(one): Root\u{C9}?", "var \u{E5}2: Int?",
                "var \u{C5}: Int?",
            ])
        #expect(
            documents.contains(
                #"override class var propertyKeys: [String: PropertyKey] { ["\#(one)2": "e\u{301}", "\#u{E5}": "\u{212b}", "\#u{E5}2": "A\u{30a}"] }"#
            ))
        // A type name beside the object that it is about.
        let tagged = ["a", "b"].map { #"{"\#(one)": 1, "\#(two)": "\#($0)", "data": {"\#($0)1": 1, "\#($0)2": 1}}"# }
        let source = try lines("[\((tagged + tagged).joined(separator: ","))]")
        #expect(source.contains(#"named: "e\u{301}","#))
        // One form is as before, and in a schema they are one.
        #expect(try lines(#"{"\#(two)": 1}"#).contains("var \(one) = 0"))
        let schema = #"{"properties": {"\#(one)": {"type": "string"}, "\#(two)": {"type": "integer"}}}"#
        #expect(
            try ClassInference.source(schema: Array(schema.utf8)).split(separator: "\n").count {
                $0.contains("var \(one)")
            } == 1)
    }

    @Test func clashingClassNamesAreQualified() throws {
        let lines = try lines(#"{"gist": {"a": 1}, "inner": {"gist": {"b": "x"}}}"#, name: "Gist")
        #expect(
            lines.filter { $0.hasPrefix("class ") } == [
                "class GistGist: AbstractModel {", "class InnerGist: AbstractModel {", "class Inner: AbstractModel {",
                "class Gist: AbstractModel {",
            ])
        #expect(try source(#"{"data": {"a": 1}}"#).contains("class RootData: AbstractModel"))
    }

    @Test(arguments: [
        "Actor", "Array", "Bool", "Codable", "Dictionary", "Equatable", "Error", "Hashable", "Identifiable", "Int",
        "Never", "Optional", "Result", "Sendable", "Set", "String", "Task", "Void",
    ])
    func noClassShadowsAStandardLibraryType(_ name: String) throws {
        #expect(throws: InferenceError.invalidName(name)) { try source("{}", name: name) }
        let key = name.prefix(1).lowercased() + name.dropFirst()
        #expect(try lines(#"{"\#(key)": {"a": 1}}"#).contains("class Root\(name): AbstractModel {"))
    }

    @Test func aTypeMemberMakesADynamicType() throws {
        let lines = try lines(
            #"[{"type": "circle", "id": 1, "radius": 1.5}, {"type": "square", "id": 2, "side": 2}]"#, name: "Shape")
        #expect(lines.contains("class Shape: AbstractModel, DynamicTypeModel {"))
        #expect(
            lines.contains(
                #"class var dynamicTypes: [String: AbstractModel.Type] { ["circle": Circle.self, "square": Square.self] }"#
            ))
        #expect(lines.contains("class Circle: Shape {") && lines.contains("class Square: Shape {"))
        #expect(lines.count { $0 == "var id = 0" } == 1)
    }

    @Test func nullsAreWrittenOnlyIfAllMembersAreThere() throws {
        func options(_ name: String) throws -> Int {
            let json =
                #"[{"type":"a","name":"n","p":null,"q":1},{"type":"a",\#(name)"p":1,"q":2},"#
                + #"{"type":"b","name":"m","r":1,"s":2},{"type":"b","name":"m","r":1}]"#
            return try lines(json).count { $0.contains("writesNulls") }
        }
        // The name is a member of the base class.
        #expect(try options("") == 0)
        #expect(try options(#""name":"o","#) == 1)
    }
}
