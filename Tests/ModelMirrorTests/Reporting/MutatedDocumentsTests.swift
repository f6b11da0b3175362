#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import ModelMirror
import Testing

/// 20,000 mutated documents of three classes have the recorded failures and entries: paths, lines and sentences, as a digest.
@Suite("Mutated documents")
struct MutatedDocumentsTests {
    @Test(
        "Mutated documents give the recorded failures and entries",
        arguments: [Subject.repository, .shapes, .numbers])
    private func digest(_ subject: Subject) {
        var mutations = DocumentMutations(seed: subject.seed, document: subject.document)
        var digest = Digest()
        for number in 0..<subject.count {
            let document = mutations.next()
            digest.add(subject.outcome(document, MappingOptions(strict: number % 2 == 0 ? true : nil)))
        }
        #expect(digest.description == subject.digest)
    }
}

/// A class with a document to mutate, and the digest of its outcomes.
private enum Subject: String, CustomTestStringConvertible {
    case repository, shapes, numbers

    var testDescription: String { rawValue }

    var seed: UInt64 {
        switch self {
        case .repository: 11
        case .shapes: 22
        case .numbers: 33
        }
    }

    var count: Int {
        switch self {
        case .repository, .shapes: 6_700
        case .numbers: 6_600
        }
    }

    var digest: String {
        switch self {
        case .repository: "948fb952adbde79e"
        case .shapes: "f72b0ccd1ab54c8e"
        case .numbers: "6e72efc8be96f2d8"
        }
    }

    var document: JSONValue {
        switch self {
        case .repository:
            [
                "id": 7, "full_name": "mona/hello", "url": "https://example.org/a", "private": false,
                "owner": ["login": "mona", "age": 30, "site_admin": true], "stars": 1.5,
                "created_at": "2016-01-23T18:30:00Z", "topics": ["a", "b"], "tags": ["x", "y"],
                "users": [["login": "a", "age": 1], ["login": "b", "age": 2]],
                "files": ["a.txt": ["login": "c", "age": 3]], "description": "text", "extra": ["deep": [1, ["k": 2]]],
                "meta": ["count": 3, "list": [4, "5"]],
            ]
        case .shapes:
            [
                "shape": ["kind": "circle", "radius": 2], "shapes": [["kind": "square", "side": 1], ["kind": "blob"]],
                "plan": "pro", "levels": ["1": [true, false], "-2": []], "point": ["x": 1, "y": 2.5, "tags": ["a"]],
                "payload": #"{"login": "e", "age": "old"}"#, "seen": "23.01.2016", "seenAt": 1_453_573_800,
                "free": ["k": [nil, 0.10]], "price": "5 EUR", "codes": ["FF00"], "matrix": [[1, 2], [3]],
                "word": "x", "event": "login", "body": ["login": "f", "age": 5],
            ]
        case .numbers:
            [
                "tiny": 1, "small": 2, "medium": 3, "large": 4, "natural": 5, "huge": 170_141_183, "half": 1.5,
                "exact": 0.1, "ratio": 2.5, "flag": true, "letter": "a", "name": "n", "color": "#FF0000",
                "data": "QUJD", "id": "0F9B1C3E-6A5D-4F0B-8C1D-2E3F4A5B6C7D", "zone": "Europe/Paris", "locale": "de_DE",
                "nested": ["values": [1, "deep", 3]], "counts": [1, 2, 3], "names": ["a", "b"],
                "dates": ["2016-01-23T18:30:00Z"],
            ]
        }
    }

    func outcome(_ document: [UInt8], _ options: MappingOptions) -> String {
        switch self {
        case .repository: outcome(Repository.self, document, options)
        case .shapes: outcome(Shapes.self, document, options)
        case .numbers: outcome(Numbers.self, document, options)
        }
    }

    private func outcome<Model: MappedModel>(
        _ model: Model.Type, _ document: [UInt8], _ options: MappingOptions
    ) -> String {
        do throws(ModelError) {
            let (_, report) = try model.mapReporting(json: document, options: options)
            return report.entries.map { "\($0.kind) \($0.path) \($0.line ?? 0):\($0.column ?? 0) \($0)" }
                .joined(separator: "\n")
        } catch .invalidValues(let failures) {
            return failures.map { "\($0.path) \($0.line ?? 0):\($0.column ?? 0) \($0)" }.joined(separator: "\n")
        } catch {
            return "\(error)"
        }
    }
}

/// FNV-1a.
private struct Digest: CustomStringConvertible {
    private var state: UInt64 = 0xCBF2_9CE4_8422_2325

    mutating func add(_ text: String) {
        for byte in text.utf8 { add(byte) }
        add(0)
    }

    private mutating func add(_ byte: UInt8) { state = (state ^ UInt64(byte)) &* 0x100_0000_01B3 }

    var description: String { String(state, radix: 16) }
}

/// Documents made from one by random changes of its values and keys, and of its bytes; the same for the same seed.
private struct DocumentMutations {
    /// A value whose objects may have a key twice.
    private indirect enum Node {
        case leaf(String)
        case list([Node])
        case members([(key: String, value: Node)])
    }

    private var generator: SeededGenerator
    private let root: Node

    init(seed: UInt64, document: JSONValue) {
        generator = SeededGenerator(seed: seed)
        root = DocumentMutations.node(document)
    }

    private static func node(_ json: JSONValue) -> Node {
        switch json {
        case .array(let elements): .list(elements.map(node))
        case .object(let members): .members(members.sorted { $0.key < $1.key }.map { ($0.key, node($0.value)) })
        default: .leaf("\(json)")
        }
    }

    /// Replacements for any value.
    private static let leaves = [
        "null", "true", "false", "0", "1", "-1", "1.5", "1e400", "300", "-129", "70000", "5000000000", "1e3", "0.1",
        "123456789012345678901234567890", "\"\"", "\"x\"", "\"42\"", "\"true\"", "\"2016-02-30T18:30:00Z\"",
        "\"2016-01-23T18:30:00Z\"", "\"yesterday\"", "\"https://x.org/a b\"", "\"é\\n\\u0041\"", "\"#GGG\"", "\"QQ==\"",
        "\"circle\"", "\"triangle\"", "\"free\"", "[]", "[1]", "[null]", "[\"a\", 1, {}]", "{}", "{\"a\": 1}",
        "{\"login\": 1}", "\"{\\\"age\\\": [1]}\"", "1e-400",
        "\"a long text that is shown only in part because it has more than sixty characters\"",
    ]

    /// The next document.
    mutating func next() -> [UInt8] {
        var tree = root
        for _ in 0..<1 + below(4) { tree = changed(tree, 0) }
        var text = ""
        write(tree, to: &text)
        var bytes = Array(text.utf8)
        if below(12) == 0, !bytes.isEmpty { bytes[below(bytes.count)] = UInt8(below(128)) }
        if below(40) == 0 { bytes.removeLast(below(bytes.count)) }
        return bytes
    }

    private mutating func changed(_ node: Node, _ depth: Int) -> Node {
        switch node {
        case .leaf: return leaf
        case .list(var elements):
            guard !elements.isEmpty, below(6) > 0 else { return leaf }
            let index = below(elements.count)
            switch below(5) {
            case 0: elements.remove(at: index)
            case 1: elements.insert(elements[index], at: index)
            default: elements[index] = changed(elements[index], depth + 1)
            }
            return .list(elements)
        case .members(var members):
            guard !members.isEmpty, depth == 0 || below(6) > 0 else { return leaf }
            let index = below(members.count)
            switch below(9) {
            case 0: members.remove(at: index)
            case 1: members.append((members[index].key, leaf))
            case 2: members[index].key += "s"
            case 3: members.insert(("new", leaf), at: index)
            case 4: members.swapAt(index, below(members.count))
            default: members[index].value = changed(members[index].value, depth + 1)
            }
            return .members(members)
        }
    }

    private var leaf: Node {
        mutating get { .leaf(DocumentMutations.leaves[below(DocumentMutations.leaves.count)]) }
    }

    private mutating func write(_ node: Node, to text: inout String) {
        switch node {
        case .leaf(let leaf): text += leaf
        case .list(let elements):
            text += "["
            for (index, element) in elements.enumerated() {
                if index > 0 { text += "," }
                write(element, to: &text)
            }
            text += "]"
        case .members(let members):
            text += "{"
            for (index, member) in members.enumerated() {
                if index > 0 { text += ",\n" }
                text += "\"\(member.key)\": "
                write(member.value, to: &text)
            }
            text += "}"
        }
    }

    private mutating func below(_ limit: Int) -> Int { generator.below(max(limit, 1)) }
}

// MARK: The classes

private class User: AbstractModel {
    var login = ""
    var age = 0
    var siteAdmin: Bool?

    override class var keyStrategy: KeyStrategy { .snakeCase }
    override class var requiredProperties: Set<String> { ["login"] }
}

private struct Meta: Decodable {
    var count: Int
    var list: [JSONValue]
}

private class Repository: AbstractModel {
    var id = 0
    var fullName: String!
    var url: URL?
    var isPrivate = false
    var owner = User()
    var stars = 0.0
    var createdAt: Date?
    var topics: [String] = []
    var tags: Set<String> = []
    var users: [User] = []
    var files: [String: User] = [:]
    var description: String?
    var inner = 0
    var meta: Meta?

    override class var keyStrategy: KeyStrategy { .snakeCase }
    override class var propertyKeys: [String: PropertyKey] {
        ["isPrivate": ["private", "is_private"], "inner": .path("extra", "deep", 0)]
    }
    override class var requiredProperties: Set<String> { ["id", "createdAt"] }

    override func shouldFail(withInvalidValue value: Any?, forProperty property: String) -> Bool {
        property == "topics" && value != nil
    }
}

private class Shape: AbstractModel, DynamicTypeModel {
    class var typeNameProperty: String { "kind" }
    class var dynamicTypes: [String: AbstractModel.Type] { ["circle": Circle.self, "square": Square.self] }
}

private class Circle: Shape {
    var radius = 0
    override class var requiredProperties: Set<String> { ["radius"] }
}

private class Square: Shape {
    var side: Double?
}

private enum Plan: String, CaseIterable {
    case free, pro
}

private enum Level: Int {
    case low = 1, high
}

extension Converter where Self == AnyConverter<Level> {
    fileprivate static var event: Self {
        .converting(String.self, { $0 == "login" ? .low : nil }, back: { "\($0)" })
    }
}

private struct Point: Decodable {
    var x: Int
    var y: Double
    var tags: [String]
}

private struct Price: JSONConvertible {
    struct Unreadable: Error {}
    let cents: Int

    init(json: JSONValue) throws {
        guard let text = json.string else { throw ConversionError(expected: "a price") }
        guard let amount = Int(text.split(separator: " ").first ?? "") else { throw Unreadable() }
        cents = amount * 100
    }

    func json() throws -> JSONValue { .string("\(cents / 100) EUR") }
}

private class Shapes: AbstractModel {
    var shape: Shape?
    var shapes: [Shape] = []
    var plan = Plan.free
    var levels: [Int: [Bool]] = [:]
    var point: Point?
    var payload: User?
    var seen: Date?
    var seenAt: Date?
    var free: [String: Any] = [:]
    var price: Price?
    var codes: [Data] = []
    var matrix: [[Int]] = []
    var word: Character = "a"
    var event: Level?
    var body: User?

    override class var propertyConverters: [String: any Converter] {
        [
            "payload": .embeddedJSON, "seen": .any([.iso8601, .format("dd.MM.yyyy")]), "seenAt": .secondsSince1970,
            "codes": .hex, "event": AnyConverter<Level>.event,
        ]
    }

    override func didMap() throws {
        if matrix.count > 2 { throw Price.Unreadable() }
    }

    override func validateModel(_ validation: inout ModelValidation) {
        validation.require("codes", codes, .count(...2))
        if word == "x", matrix.isEmpty { validation.fail("matrix", expected: "rows for x") }
    }
}

private class Numbers: AbstractModel {
    var tiny: Int8 = 0
    var small: UInt8 = 0
    var medium: Int32 = 0
    var large: Int64 = 0
    var natural: UInt?
    var huge: Int128 = 0
    var half: Float = 0
    var exact = Decimal(0)
    var ratio = 0.0
    var flag = false
    var letter: Character?
    var name = ""
    var color: RGBAColor?
    var data = Data()
    var id: UUID?
    var zone: TimeZone?
    var locale: Locale?
    var deep = ""
    var counts: [Int16] = []
    var names: [String: String] = [:]
    var dates: [Date] = []

    override class var propertyKeys: [String: PropertyKey] { ["deep": .path("nested", "values", 1)] }
    override class var mappingOptions: MappingOptions {
        MappingOptions(requiresNonOptional: true, unknownKeys: .failures)
    }
}
