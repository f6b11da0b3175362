import ModelMirror
import Synchronization
import Testing

/// The parts of a mapping that saw the context.
private final class Sightings: Sendable {
    let name: String
    private let list = Mutex<[String]>([])

    init(_ name: String) { self.name = name }

    var all: [String] { list.withLock { $0 } }

    static func add(_ place: String) {
        (MappingContext.current as? Sightings)?.list.withLock { $0.append(place) }
    }
}

private struct Watching: Converter {
    func value(from json: JSONValue) throws -> Int {
        Sightings.add("converter")
        return json.int ?? 0
    }
    func json(from value: Int) throws -> JSONValue { .null }
}

private struct OwnType: JSONConvertible {
    var number = 0

    init(json: JSONValue) throws { Sightings.add("JSONConvertible") }
    init() {}
    func json() throws -> JSONValue { .null }
}

private class Watched: AbstractModel {
    var converted = 0
    var own = OwnType()
    var undefined = (0, 0)
    var missing = 0

    override class var propertyConverters: [String: any Converter] { ["converted": Watching()] }
    override func assign(undefinedValue value: Any?, forProperty property: String) throws { Sightings.add("assign") }
    override func shouldFail(withInvalidValue value: Any?, forProperty property: String) -> Bool {
        Sightings.add("shouldFail")
        return false
    }
    override func didMap() throws { Sightings.add("didMap") }
    override func validateModel(_ validation: inout ModelValidation) { Sightings.add("validateModel") }
}

/// Keeps the context that it saw in a property that is not mapped.
private class Remembering: AbstractModel {
    var id = 0
    var seen = "nothing"
    var plain: Remembering?
    var own: WithContext?

    override class var ignoredProperties: Set<String> { ["seen"] }
    override func didMap() throws { seen = MappingContext.current as? String ?? "nil" }
}

private class WithContext: Remembering {
    override class var mappingOptions: MappingOptions { MappingOptions(context: "the class's") }
}

private class WithContextBelow: WithContext {
    override class var mappingOptions: MappingOptions { MappingOptions(strict: true) }
}

@Suite("MappingContext.current")
struct MappingContextTests {
    private static let document = #"{"converted": 1, "own": 1, "undefined": 1}"#

    @Test("MappingContext.current is the call's context in converters and hooks, and nil elsewhere")
    func everywhere() throws {
        let sightings = Sightings("call")
        _ = try Watched(json: Self.document, options: MappingOptions(context: sightings))
        #expect(
            sightings.all == ["converter", "JSONConvertible", "assign", "shouldFail", "didMap", "validateModel"])
        #expect(MappingContext.current == nil)
        #expect(try Remembering(json: "{}").seen == "nil")
    }

    @Test("The call's context overrides the class's, which subclasses inherit")
    func precedence() throws {
        #expect(try WithContext(json: "{}").seen == "the class's")
        #expect(try WithContext(json: "{}", options: MappingOptions(context: "the call's")).seen == "the call's")
        #expect(try WithContextBelow(json: "{}").seen == "the class's")
        #expect(try [WithContext](json: "[{}, {}]").map(\.seen) == ["the class's", "the class's"])
        #expect(try WithContext(dictionary: [:]).seen == "the class's")
    }

    @Test("A nested model sees only the context of its own class")
    func nested() throws {
        let object = try WithContext(json: #"{"plain": {"own": {}}, "own": {}}"#)
        #expect((object.seen, object.own?.seen) == ("the class's", "the class's"))
        #expect((object.plain?.own?.seen, object.plain?.seen) == ("the class's", "nil"))
    }

    @Test("Every nested model sees the call's context")
    func callForAll() throws {
        let object = try Remembering(
            json: #"{"plain": {"own": {}}, "own": {}}"#, options: MappingOptions(context: "the call's"))
        #expect(
            [object.seen, object.own?.seen, object.plain?.seen, object.plain?.own?.seen]
                == Array(repeating: "the call's", count: 4))
    }

    @Test("Concurrent tasks see their own contexts")
    func tasks() async throws {
        try await withThrowingTaskGroup(of: (Int, [String]).self) { group in
            for number in 0..<8 {
                group.addTask {
                    let seen = try (0..<50).map { _ in
                        try Remembering(json: #"{"plain": {}}"#, options: MappingOptions(context: "\(number)")).plain?
                            .seen ?? ""
                    }
                    return (number, seen)
                }
            }
            for try await (number, seen) in group {
                #expect(seen == Array(repeating: "\(number)", count: 50))
            }
        }
    }
}
