import Foundation
import ModelMirror
import Testing

private struct Whim: Error, CustomStringConvertible {
    let description: String
}

private struct Refusing: Converter {
    let error: any Error
    func value(from json: JSONValue) throws -> Int { 0 }
    func json(from value: Int) throws -> JSONValue {
        if value < 0 { throw error }
        return .number(JSONNumber(value))
    }
}

private struct Mute: Converter {
    func value(from json: JSONValue) throws -> String { "" }
    func json(from value: String) throws -> JSONValue { throw ConversionError(expected: "nothing") }
}

private class Texts: AbstractModel {
    var text = ""

    override class var propertyConverters: [String: any Converter] { ["text": Mute()] }
}

private struct Stubborn: JSONConvertible {
    let text: String
    init(json: JSONValue) throws { text = json.string ?? "" }
    init(_ text: String) { self.text = text }
    func json() throws -> JSONValue { throw Whim(description: "not today") }
}

/// A type that can be read, but not written.
private struct OneWay: InitializableWithDictionary {
    init(dictionary: [String: Any]) throws {}
}

private struct Unencodable: Decodable { var x = 1 }

/// A type without a conversion.
private struct Alien { var x = 1 }

private class Numbers: AbstractModel {
    var double = 1.0
    var float: Float = 1
    var decimal: Decimal? = 1
    var optional: Double? = 1
    var list: [Double] = [1]
    var set: Set<Float> = [1]
    var table: [String: [Double]] = ["a": [1]]
    var nested: Numbers?
    var anything: Any = 1
    var embedded: [Double] = [1]
    var date = Date(timeIntervalSince1970: 0)
    var seconds = Date(timeIntervalSince1970: 0)
    var deep: Double? = 1

    override class var propertyConverters: [String: any Converter] {
        ["seconds": .secondsSince1970, "embedded": .embeddedJSON]
    }
    override class var propertyKeys: [String: PropertyKey] { ["deep": .path("a", 0, "b c")] }
}

private class Converted: AbstractModel {
    var mine: Int = -1
    var known = [-1, 2, -3]
    var stubborn: Stubborn?

    override class var propertyConverters: [String: any Converter] {
        [
            "mine": Refusing(error: Whim(description: "negative")),
            "known": Refusing(error: ConversionError(expected: "a count")),
        ]
    }
}

private class Wrong: AbstractModel {
    var oneWay: OneWay?
    var decodable: Unencodable? = Unencodable()
    var alien: Alien? = Alien()
    var plain = 1

    override func assign(undefinedValue value: Any?, forProperty property: String) throws {}
}

private class Faulty: AbstractModel {
    var id = 0
    override class var requiredProperties: Set<String> { ["ident"] }
}

private class FaultyHolder: AbstractModel {
    var name = "n"
    var infinite = Double.infinity
    var faulty: Faulty?
}

/// Can be part of a cycle through every kind of container.
private class Node: AbstractModel, ModelHashable {
    var id = 0
    var next: Node?
    var list: [Node?] = []
    var table: [String: [Node]] = [:]
    var set: Set<Node> = []
    var embedded: Node?
    var contiguous: ContiguousArray<Node> = []

    override class var propertyConverters: [String: any Converter] { ["embedded": .embeddedJSON] }
}

private class Relative: AbstractModel {}

private class Parent: Relative {
    var list: [Relative] = []
    var table: [String: Relative] = [:]
}

private class Child: Relative { var share = 1.0 }

@Suite("Writing errors")
struct WritingErrorsTests {
    private func lines(_ object: AbstractModel, _ options: WritingOptions = []) throws -> [String] {
        try #require(throws: ModelError.self) { try object.jsonData(options: options) }.lines
    }

    // MARK: Numbers and dates

    @Test("Infinities and NaN fail to be written, each with its path")
    func numbers() throws {
        let numbers = Numbers()
        numbers.double = .infinity
        numbers.float = -.infinity
        numbers.decimal = .nan
        numbers.optional = .nan
        numbers.list = [1, .nan, 2, .infinity]
        numbers.set = [.infinity]
        numbers.table = ["x y": [], "k": [-.infinity]]
        numbers.deep = .nan
        numbers.nested = Numbers()
        numbers.nested?.list = [.infinity]
        #expect(
            try lines(numbers) == [
                "Numbers.double at $.double: expected a finite number, found inf.",
                "Numbers.float at $.float: expected a finite number, found -inf.",
                "Numbers.decimal at $.decimal: expected a finite number, found NaN.",
                "Numbers.optional at $.optional: expected a finite number, found nan.",
                "Numbers.list at $.list[1]: expected a finite number, found nan.",
                "Numbers.list at $.list[3]: expected a finite number, found inf.",
                "Numbers.set at $.set[0]: expected a finite number, found inf.",
                "Numbers.table at $.table.k[0]: expected a finite number, found -inf.",
                "Numbers.list at $.nested.list[0]: expected a finite number, found inf.",
                #"Numbers.deep at $.a[0]["b c"]: expected a finite number, found nan."#,
            ])
        // The order of the text changes, but the paths do not.
        let sorted = try lines(numbers, [.sortedKeys, .pretty])
        #expect(try Set(sorted) == Set(lines(numbers)))
        #expect(sorted.first == #"Numbers.deep at $.a[0]["b c"]: expected a finite number, found nan."#)
        #expect(numbers.double == .infinity && numbers.list[0] == 1)
    }

    @Test("Non-finite numbers fail in plain Swift values, embedded JSON and dates")
    func numbersInside() throws {
        let numbers = Numbers()
        numbers.anything = ["k": [1, Double.nan]]
        numbers.embedded = [1, .infinity]
        numbers.date = Date(timeIntervalSince1970: .infinity)
        numbers.seconds = Date(timeIntervalSince1970: .nan)
        #expect(
            try lines(numbers) == [
                "Numbers.anything at $.anything: expected a value that JSON can hold, found a value of type "
                    + "Dictionary<String, Array<Double>>: JSON at $.k[1]: expected a finite number, found nan of type "
                    + "Double.",
                "Numbers.embedded at $.embedded: expected a string that holds JSON for an array, found a value of type "
                    + "Array<Double>: JSON at $[1]: expected a finite number, found inf.",
                "Numbers.date at $.date: expected a date between the years 0 and 9999, found the date inf seconds since "
                    + "1970.",
                "Numbers.seconds at $.seconds: expected a date between the years 0 and 9999, found the date nan seconds "
                    + "since 1970.",
            ])
    }

    @Test("The path of a set element has its index in the written text")
    func sets() throws {
        let node = Node()
        let bad = Node()
        bad.id = 2
        bad.next = node
        let good = Node()
        good.id = 1
        node.set = [bad, good]
        node.list = [good]
        let lines = try lines(node, .pretty)
        #expect(
            lines == [
                "Node.next at $.set[1].next: expected an object that does not contain itself, found Node in a reference cycle."
            ])
    }

    // MARK: Converters and types

    @Test("An error thrown by a converter or a type's own conversion is the underlying error")
    func converters() throws {
        let converted = Converted()
        converted.stubborn = Stubborn("s")
        #expect(
            try lines(converted) == [
                "Converted.mine at $.mine: expected a value with a JSON form, found -1: negative.",
                "Converted.known at $.known[0]: expected a count, found -1.",
                "Converted.known at $.known[2]: expected a count, found -3.",
                #"Converted.stubborn at $.stubborn: expected a value with a JSON form, found a value of type "#
                    + "Stubborn: not today.",
            ])
        let error = try #require(throws: ModelError.self) { try converted.jsonData() }
        #expect(
            error.valueFailures.map { ($0.underlying as? Whim)?.description } == ["negative", nil, nil, "not today"])
        #expect(error.valueFailures.map(\.path) == [["mine"], ["known", 0], ["known", 2], ["stubborn"]])
    }

    @Test("The found value of a writing failure is shortened")
    func shortened() throws {
        let texts = Texts()
        texts.text = String(repeating: "x", count: 61)
        #expect(
            try lines(texts) == [
                "Texts.text at $.text: expected nothing, found \"\(String(repeating: "x", count: 60))\"…."
            ])
    }

    @Test("Values of types that cannot be written are failures unless they are nil")
    func types() throws {
        let wrong = Wrong()
        wrong.oneWay = try OneWay(dictionary: [:])
        #expect(
            try lines(wrong) == [
                "Wrong.oneWay at $.oneWay: expected a type that is JSONConvertible or Encodable, to be written, found a value "
                    + "of type OneWay.",
                "Wrong.decodable at $.decodable: expected a type that is JSONConvertible or Encodable, to be written, found a "
                    + "value of type Unencodable.",
                "Wrong.alien at $.alien: expected a type that has a JSON form, a converter, or a place in readOnlyProperties, "
                    + "found a value of type Alien?.",
            ])
        wrong.oneWay = nil
        wrong.decodable = nil
        wrong.alien = nil
        #expect(try wrong.jsonString() == #"{"plain":1}"#)
    }

    @Test("Writing an invalid nested class throws invalidModel instead of value failures")
    func invalidClass() throws {
        let holder = FaultyHolder()
        holder.faulty = Faulty()
        let error = try #require(throws: ModelError.self) { try holder.jsonData() }
        #expect(
            error.description
                == #"Faulty cannot be mapped: requiredProperties names "ident", which is not a stored property of Faulty."#
        )
        #expect(error.modelFault?.property == "ident")
        let writes: [() throws -> Any] = [
            { try Faulty().jsonValue() }, { try [Faulty()].jsonData() }, { try ["": Faulty()].jsonData() },
            { try Faulty().jsonDictionary() }, { try Faulty().jsonString() },
        ]
        for (number, write) in writes.enumerated() {
            let error = #expect(throws: ModelError.self, "\(number)") { try write() }
            #expect(error?.modelFault?.model == "Faulty", "\(number)")
        }
    }

    @Test("Failures in arrays and dictionaries of models have the paths of their elements")
    func collections() throws {
        let bad = Numbers()
        bad.double = .nan
        #expect(
            try #require(throws: ModelError.self) { try [Numbers(), bad, bad].jsonData() }.lines == [
                "Numbers.double at $[1].double: expected a finite number, found nan.",
                "Numbers.double at $[2].double: expected a finite number, found nan.",
            ])
        #expect(
            try #require(throws: ModelError.self) { try ["b/": bad, "a": bad].jsonData(options: .pretty) }.lines == [
                "Numbers.double at $.a.double: expected a finite number, found nan.",
                #"Numbers.double at $["b/"].double: expected a finite number, found nan."#,
            ])
    }

    @Test("At most 100 writing failures are reported")
    func limit() throws {
        let numbers = Numbers()
        numbers.list = Array(repeating: .nan, count: 500)
        let error = try #require(throws: ModelError.self) { try numbers.jsonData() }
        #expect(error.valueFailures.count == 100)
        #expect(error.valueFailures.last?.path == ["list", 99])
    }

    // MARK: Cycles

    private static let ways = ["next", "list", "table", "set", "contiguous"]

    /// Puts an object into the property of another, and returns the path from one to the other.
    private func put(_ inner: Node, into outer: Node, by way: String) -> String {
        switch way {
        case "next": outer.next = inner
        case "list":
            outer.list = [nil, inner]
            return ".list[1]"
        case "table":
            outer.table = ["a b": [inner]]
            return #".table["a b"][0]"#
        case "contiguous":
            outer.contiguous = [inner]
            return ".contiguous[0]"
        default:
            outer.set = [inner]
            return ".set[0]"
        }
        return ".next"
    }

    @Test(
        "An object that contains itself, alone or by another, is a failure in every kind of container", arguments: ways)
    func cycle(way: String) throws {
        func line(_ path: String) -> String {
            "Node.\(way) at \(path): expected an object that does not contain itself, found Node in a reference cycle."
        }
        let node = Node()
        let path = put(node, into: node, by: way)
        #expect(try lines(node) == [line("$" + path)])
        let (one, two) = (Node(), Node())
        (one.id, two.id, one.next) = (1, 2, two)
        let longPath = put(one, into: two, by: way)
        #expect(try lines(one) == [line("$.next" + longPath)])
        #expect(one.next === two && one.id == 1)
    }

    @Test("A failure has the name of its own property, whatever objects follow it")
    func failureBeforeObject() throws {
        let parent = Parent()
        parent.list = [parent, Child()]
        parent.table = ["a": parent, "b": Child()]
        let words = "expected an object that does not contain itself, found Parent in a reference cycle."
        #expect(try lines(parent) == ["Parent.list at $.list[0]: \(words)", "Parent.table at $.table.a: \(words)"])
    }

    @Test("A reference cycle through embedded JSON is a failure")
    func embeddedCycle() throws {
        let node = Node()
        let inner = Node()
        node.embedded = inner
        inner.next = node
        #expect(
            try lines(node) == [
                "Node.embedded at $.embedded: expected a string that holds JSON for an object for Node, found a value of type "
                    + "Node: Node.next at $.next: expected an object that does not contain itself, found Node in a reference "
                    + "cycle."
            ])
    }

    @Test("A shared object outside a cycle is written once per reference")
    func shared() throws {
        let shared = Node()
        let node = Node()
        node.id = 1
        node.next = shared
        node.list = [shared, shared]
        let empty = #"{"id":0,"list":[],"table":{},"set":[],"contiguous":[]}"#
        #expect(
            try node.jsonString()
                == #"{"id":1,"next":\#(empty),"list":[\#(empty),\#(empty)],"table":{},"set":[],"contiguous":[]}"#)
    }

    // MARK: Depth

    /// A chain of objects, each inside the one before by the property named `way`.
    private func chain(_ count: Int, _ way: String) -> Node {
        var node = Node()
        for id in 1..<max(count, 1) {
            let outer = Node()
            outer.id = id
            _ = put(node, into: outer, by: way)
            node = outer
        }
        return node
    }

    @Test(
        "Objects nested up to the maximum depth are written and read back",
        arguments: [("next", 1024 - 1), ("list", 512 - 1), ("set", 512 - 1), ("table", 341)])
    func deepest(way: String, count: Int) throws {
        // Each object has empty containers, one level deeper than itself.
        let data = try chain(count, way).jsonData()
        let options = MappingOptions(depth: MappingOptions.maximumDepth)
        #expect(try Node(json: data, options: options).id == count - 1)
        #expect(try chain(count, way).jsonValue().object?["id"] == .number(JSONNumber(count - 1)))
    }

    @Test(
        "Objects nested beyond the maximum depth are a failure",
        arguments: [("next", 1), ("list", 2), ("set", 2), ("table", 3)])
    func tooDeep(way: String, containers: Int) throws {
        for count in [1024 / containers + 1, 3000] {
            let node = chain(count, way)
            let last = failures { try node.jsonData() }.last
            #expect(last?.expected == "no deeper nesting")
            #expect(last?.found.hasSuffix(" at depth 1025") == true)
            #expect(last?.model == "Node")
            #expect(failures { try [node].jsonData() }.isEmpty == false)
        }
    }

    /// The failures of a call, extracted outside `#expect`, which is slow to print expressions with such long paths.
    private func failures(_ body: () throws -> Data) -> [PropertyFailure] {
        do {
            _ = try body()
            return []
        } catch {
            return (error as? ModelError)?.valueFailures ?? []
        }
    }

    @Test("A JSONValue is written up to the maximum depth and fails beyond it")
    func deepValues() throws {
        func nested(_ depth: Int) -> JSONValue {
            (1..<depth).reduce(JSONValue.array([])) { value, _ in .array([value]) }
        }
        let text = try nested(1024).jsonData()
        #expect(text.count == 2048)
        let isReadBack = try JSONValue(json: text, options: MappingOptions(depth: 1024)) == nested(1024)
        #expect(isReadBack)
        for depth in [1025, 5000] {
            let error = try #require(throws: ModelError.self) { try nested(depth).jsonData() }
            #expect(error.valueFailures.count == 1)
            #expect(error.valueFailures[0].path.steps.count == 1024)
            #expect(error.description.hasPrefix("JSON at $[0][0][0]"))
            #expect(error.description.hasSuffix(": expected no deeper nesting, found an array at depth 1025."))
        }
    }

    @Test("The depth of a JSON value within an object includes the object's depth")
    func deepMembers() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        let options = MappingOptions(depth: 1024)
        let json = #"{"value":\#(nested(1023))}"#
        #expect(try Free(json: json, options: options).jsonString() == json)
        #expect(try Loose(json: json, options: options).jsonString() == json)
        let free = Free()
        free.value = try JSONValue(json: nested(1024), options: options)
        let loose = Loose()
        loose.value = free.value
        for object in [free, loose] {
            let error = try #require(throws: ModelError.self) { try object.jsonData() }
            #expect(error.description.hasSuffix(": expected no deeper nesting, found an array at depth 1025."))
        }
    }
}

private class Free: AbstractModel {
    var value: JSONValue = nil
}

private class Loose: AbstractModel {
    var value: Any = 1
}
