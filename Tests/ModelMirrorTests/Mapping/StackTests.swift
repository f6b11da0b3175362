#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif
import Foundation
@testable import ModelMirror
import Testing

/// Runs a closure on a thread with a stack of the given size, waits for it, and returns its result.
///
/// The stack is memory of its own above a page that cannot be touched: the system may give a thread the stack of an ended one, which
/// is up to four times as large as asked for.
func onStack<Result>(of kilobytes: Int, _ body: @escaping () -> Result) -> Result {
    var result: Result?
    let start = Unmanaged.passRetained(ThreadStart { result = body() }).toOpaque()
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    let guardSize = Int(getpagesize())
    let size = guardSize + (kilobytes << 10)
    guard
        let stack = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0), stack != MAP_FAILED,
        mprotect(stack, guardSize, PROT_NONE) == 0,
        pthread_attr_setstack(&attributes, stack + guardSize, kilobytes << 10) == 0
    else { fatalError("no memory for a stack") }
    defer { munmap(stack, size) }
    #if canImport(Darwin)
    var thread: pthread_t?
    pthread_create(&thread, &attributes, { ThreadStart.run($0) }, start)
    if let thread { pthread_join(thread, nil) }
    #else
    var thread = pthread_t()
    pthread_create(&thread, &attributes, { ThreadStart.run($0) }, start)
    pthread_join(thread, nil)
    #endif
    guard let result else { fatalError("the thread did not run") }
    return result
}

private final class ThreadStart {
    private let body: () -> Void
    init(_ body: @escaping () -> Void) { self.body = body }

    static func run(_ start: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        if let start { Unmanaged<ThreadStart>.fromOpaque(start).takeRetainedValue().body() }
        return nil
    }
}

private class Nest: AbstractModel {
    var name = ""
    var nest: Nest?
    var nests: [Nest] = []
    var members: [String: Nest] = [:]
    var any: Any?
    var json: JSONValue?

    override class var mappingOptions: MappingOptions { MappingOptions(depth: 1024) }

    /// A chain of the given number of objects, each inside the one before.
    static func chain(_ count: Int) -> Nest {
        let outermost = Nest()
        var innermost = outermost
        for _ in 1..<count {
            let next = Nest()
            innermost.nest = next
            innermost = next
        }
        return outermost
    }

    /// Releases a chain without recursion.
    static func release(_ chain: Nest) {
        var next: Nest? = chain
        while let nest = next { (next, nest.nest) = (nest.nest, nil) }
    }
}

/// Maps a document inside a string by a call of its own, for which the library's level count starts again.
private class OwnNest: AbstractModel {
    var data: OwnNest?

    override class var propertyConverters: [String: any Converter] {
        ["data": .converting(Data.self, { try OwnNest(json: $0) }, back: { _ in Data() }).optional]
    }
    override class var mappingOptions: MappingOptions { MappingOptions(strict: true) }
}

private class Embedded: AbstractModel {
    var text: Embedded?
    var nest: Embedded?

    override class var propertyConverters: [String: any Converter] { ["text": .embeddedJSON] }
    override class var mappingOptions: MappingOptions { MappingOptions(strict: true) }
}

/// Uses the given number of kilobytes of stack in its hook and its converter.
private class Greedy: AbstractModel {
    var kilobytes = 0
    var nest: Greedy?

    override class var propertyConverters: [String: any Converter] {
        ["kilobytes": .converting(Int.self, use, back: use)]
    }
    override func didMap() { kilobytes = Self.use(kilobytes) }

    private static func use(_ kilobytes: Int) -> Int {
        var mark: UInt8 = 0
        withUnsafeMutablePointer(to: &mark) { use(kilobytes, from: UInt(bitPattern: $0)) }
        return kilobytes
    }

    @inline(never)
    private static func use(_ kilobytes: Int, from start: UInt) {
        var mark: UInt8 = 0
        withUnsafeMutablePointer(to: &mark) {
            if start - UInt(bitPattern: $0) < kilobytes << 10 { use(kilobytes, from: start) }
            $0.pointee = 1
        }
    }
}

/// Sixty-four classes, each of which leads to all others. (Generic classes nested in each other would not work: the
/// runtime needs a kilobyte of stack for each level of a type's name.)
private class Link<Low: Digit, High: Digit, Use>: AbstractModel {
    var next: Link<Low.Next, High, Use>?
    var up: Link<Low, High.Next, Use>?

    /// A document with an object of each class, each inside the one before.
    static var document: String {
        let keys = (1..<64).map { $0.isMultiple(of: 8) ? "up" : "next" }
        return keys.map { #"{"\#($0)":"# }.joined() + "{}" + String(repeating: "}", count: keys.count)
    }
}
private protocol Digit { associatedtype Next: Digit }
private enum D0: Digit { typealias Next = D1 }
private enum D1: Digit { typealias Next = D2 }
private enum D2: Digit { typealias Next = D3 }
private enum D3: Digit { typealias Next = D4 }
private enum D4: Digit { typealias Next = D5 }
private enum D5: Digit { typealias Next = D6 }
private enum D6: Digit { typealias Next = D7 }
private enum D7: Digit { typealias Next = D0 }
private enum ForSchemas {}
private enum ForTables {}

private struct Tree: Codable {
    var next: [Tree]?
}

private class TreeHolder: AbstractModel {
    var tree: Tree?
}

@Suite("Deep nesting on small stacks")
struct StackTests {
    static let sizes = [64, 128, 512, 8192]

    /// A document of the given number of levels around an innermost value.
    private static func nested(_ open: String, _ close: String, _ count: Int, _ inner: String = "{}") -> String {
        String(repeating: open, count: count) + inner + String(repeating: close, count: count)
    }

    /// "value" if the call succeeds, "stack" if it fails for lack of stack, else the text of its error.
    private static func outcome(_ body: () throws -> Void) -> String {
        do {
            try body()
            return "value"
        } catch {
            let text = "\(error)"
            return text.contains("the thread's stack is too small") ? "stack" : text
        }
    }

    @Test(
        "Reading a deep document on a small stack fails with an error",
        arguments: sizes,
        [(#"{"nest":"#, "}"), (#"{"nests":["#, "]}"), (#"{"members":{"a":"#, "}}")])
    func reading(_ size: Int, _ level: (String, String)) {
        // Unoptimized, making the property table needs more stack than reading two levels; see `tables`.
        #expect(onStack(of: 8192) { Self.outcome { _ = try Nest(json: "{}") } } == "value")
        let json = Self.nested(level.0, level.1, 1023 / (level.0.count > 9 ? 2 : 1))
        let outcome = onStack(of: size) { Self.outcome { _ = try Nest(json: json) } }
        #expect(size < 8192 ? outcome == "stack" : ["stack", "value"].contains(outcome), "\(outcome)")
        let few = Self.nested(level.0, level.1, 2)
        #expect(onStack(of: size) { Self.outcome { _ = try Nest(json: few) } } == "value")
    }

    @Test("A document of 500 levels is read on a stack of 8 MB")
    func usual() {
        let json = Self.nested(#"{"nest":"#, "}", 500)
        #expect(onStack(of: 8192) { Self.outcome { _ = try Nest(json: json) } } == "value")
    }

    @Test("The stack error has the position of the object that does not fit")
    func place() throws {
        let json = Self.nested(#"{"nest":"#, "}", 1000)
        let error = onStack(of: 64) { () -> ModelError? in
            do throws(ModelError) { _ = try Nest(json: json) } catch { return error }
            return nil
        }
        guard case .invalidJSON(let fault)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(fault.expected == "no deeper nesting (the thread's stack is too small for it)")
        #expect(fault.code == .stack && fault.parameters == [:])
        #expect(fault.offset % 8 == 0 && fault.offset > 0 && fault.column == fault.offset + 1 && fault.found == "'{'")
    }

    @Test("Updating and merging a deep model on a small stack fail with an error", arguments: sizes, [false, true])
    func updating(_ size: Int, _ isInPlace: Bool) {
        let json = Self.nested(#"{"nest":"#, "}", 1023)
        let outcome = onStack(of: size) {
            let nest = Nest.chain(1024)
            defer { Nest.release(nest) }
            return [
                Self.outcome { try nest.update(json: json, options: MappingOptions(updatesNestedInPlace: isInPlace)) },
                Self.outcome { try nest.merge(patch: json) },
            ]
        }
        for one in outcome { #expect(size < 8192 ? one == "stack" : ["stack", "value"].contains(one), "\(one)") }
    }

    @Test("Writing a deep model on a small stack fails with an error", arguments: sizes)
    func writing(_ size: Int) {
        let outcome = onStack(of: size) {
            let nest = Nest.chain(1000)
            defer { Nest.release(nest) }
            return Self.outcome { _ = try nest.jsonData() }
        }
        #expect(size < 8192 ? outcome == "stack" : ["stack", "value"].contains(outcome), "\(outcome)")
    }

    @Test("Copying a deep model on a small stack fails with an error", arguments: sizes, [1000, 20_000])
    func copying(_ size: Int, _ count: Int) {
        let outcome = onStack(of: size) {
            let nest = Nest.chain(count)
            defer { Nest.release(nest) }
            return Self.outcome { Nest.release(try nest.copy()) }
        }
        #expect(size < 8192 || count > 1000 ? outcome == "stack" : ["stack", "value"].contains(outcome), "\(outcome)")
        #expect(onStack(of: size) { Self.outcome { _ = try Nest.chain(3).copy() } } == "value")
    }

    @Test("Chains of 20,000 objects are compared on any stack", arguments: sizes)
    func comparing(_ size: Int) {
        let results = onStack(of: size) {
            let (one, same, other) = (Nest.chain(20_000), Nest.chain(20_000), Nest.chain(20_001))
            defer { for nest in [one, same, other] { Nest.release(nest) } }
            return [one.isEqual(to: same), one.isEqual(to: other)]
        }
        #expect(results == [true, false])
    }

    @Test("Describing a deep model ends with an ellipsis on any stack", arguments: sizes)
    func describing(_ size: Int) {
        let text = onStack(of: size) {
            let nest = Nest.chain(12_000)
            defer { Nest.release(nest) }
            return "\(nest)"
        }
        #expect(text.contains("nest: Nest(…)"))
    }

    @Test(
        "The deepest free-form value that can be read can be described",
        arguments: sizes, [("[", "]"), (#"{"a":"#, "}")])
    func describingValues(_ size: Int, _ level: (String, String)) {
        let text = onStack(of: size) {
            for depth in stride(from: 1000, to: 0, by: -4) {
                if let nest = try? Nest(json: #"{"any":\#(Self.nested(level.0, level.1, depth))}"#) { return "\(nest)" }
            }
            return "none was read"
        }
        #expect(text.hasPrefix("Nest("))
    }

    @Test(
        "Reading deep free-form JSON on a small stack fails with an error",
        arguments: sizes, [("[", "]"), (#"{"a":"#, "}")])
    func values(_ size: Int, _ level: (String, String)) {
        let json = Self.nested(level.0, level.1, 1023)
        // The first use of a class examines its properties, for which a stack of 64 KB has too little room in debug builds.
        _ = try? Nest(json: "{}")
        let outcomes = onStack(of: size) {
            let deep = MappingOptions(depth: 1024)
            func use(_ value: JSONValue) throws {
                guard value == (try JSONValue(json: json, options: deep)), "\(value)" == json else {
                    throw POSIXError(.EIO)
                }
                _ = Set([value, value])
                let plain = value.any
                _ = value.merging(patch: value)
                _ = JSONValue.mergePatch(from: value, to: [1])
                _ = JSONValue.mergePatch(from: [:], to: value)
                _ = try value.jsonData()
                _ = try JSONValue(any: plain)
                _ = try? JSONEncoder().encode(value)
            }
            return [
                Self.outcome { try use(try JSONValue(json: json, options: deep)) },
                Self.outcome { _ = try Nest(json: #"{"any":\#(json.dropFirst(level.0.count).dropLast())}"#) },
                Self.outcome { _ = try Nest(json: #"{"json":\#(json.dropFirst(level.0.count).dropLast())}"#) },
                Self.outcome { _ = try Nest(json: #"{"nest":\#(json.dropFirst(level.0.count).dropLast())}"#) },
            ]
        }
        // A member that no property takes is skipped without recursion.
        let isSkipped = level.0 != "["
        for outcome in isSkipped ? outcomes.dropLast() : outcomes {
            #expect(size < 512 ? outcome == "stack" : ["stack", "value"].contains(outcome), "\(outcome)")
        }
        if isSkipped { #expect(outcomes[3] == "value") }
    }

    @Test("A deep JSONValue from another thread is compared, hashed and described on a small stack", arguments: sizes)
    func moved(_ size: Int) throws {
        let json = Self.nested("[", "]", 1000)
        let value = try JSONValue(json: json, options: MappingOptions(depth: 1024))
        let results = onStack(of: size) { [value == value, "\(value)" == json, Set([value, value]).count == 1] }
        #expect(results == [true, true, true])
        // Optimized frames of a hundred bytes may fit into 128 KB.
        let outcome = onStack(of: size) { Self.outcome { _ = try value.jsonData() } }
        let known = size < 128 ? "stack" : size == 8192 ? "value" : nil
        #expect(known.map { outcome == $0 } ?? ["stack", "value"].contains(outcome), "\(outcome)")
    }

    @Test("A value built from parts counts their depth")
    func parts() {
        let text = Array(Self.nested("[", "]", 1000).utf8)
        let isMade = onStack(of: 64) {
            text.withUnsafeBufferPointer { bytes -> Bool in
                guard let start = bytes.baseAddress else { return true }
                var values = PlainValues()
                var reader = JSONReader(start, count: bytes.count, depth: .max)
                // From the innermost array outward, seven levels at a time.
                return stride(from: 994, through: 0, by: -7).allSatisfy { level in
                    reader.offset = level
                    return (try? values.value(&reader)) != nil
                }
            }
        }
        #expect(!isMade)
    }

    @Test("Decoding deep Decodable values on a small stack fails with an error", arguments: sizes)
    func decoding(_ size: Int) {
        let json = #"{"tree":"# + Self.nested(#"{"next":["#, "]}", 250) + "}"
        let outcome = onStack(of: size) {
            Self.outcome { _ = try TreeHolder(json: json, options: MappingOptions(strict: true)) }
        }
        let isStack = outcome.contains("the thread's stack is too small") || outcome == "stack"
        #expect(size < 512 ? isStack : size == 8192 ? outcome == "value" : isStack || outcome == "value", "\(outcome)")
    }

    @Test("Embedded documents share one depth limit with the document around them")
    func embedded() {
        // Ten nested documents of 60 levels each are 600 levels.
        func document(_ count: Int) throws -> String {
            let inner =
                count > 1
                ? #"{"text":"# + String(decoding: try JSONEncoder().encode(document(count - 1)), as: UTF8.self) + "}"
                : "{}"
            return Self.nested(#"{"nest":"#, "}", 59, inner)
        }
        for (count, fits) in [(3, true), (10, false)] {
            let outcome = onStack(of: 65536) { Self.outcome { _ = try Embedded(json: document(count)) } }
            #expect(fits ? outcome == "value" : outcome.contains("MappingOptions.depth"), "\(outcome)")
        }
        let outcome = onStack(of: 512) { Self.outcome { _ = try Embedded(json: document(8)) } }
        #expect(outcome == "stack")
    }

    @Test("Nested mapping calls by converters on a small stack fail with an error", arguments: sizes)
    func ownCalls(_ size: Int) throws {
        var json = Data("{}".utf8)
        for _ in 0..<30 { json = Data((#"{"data":""# + json.base64EncodedString() + #""}"#).utf8) }
        let document = json
        let outcome = onStack(of: size) {
            Self.outcome { _ = try OwnNest(json: document) }
        }
        #expect(["stack", "value"].contains(outcome), "\(outcome)")
        if size == 64 { #expect(outcome == "stack") }
    }

    @Test("A stack margin remains for hooks and converters", arguments: [(64, 20), (128, 20), (512, 60)])
    func margin(_ size: Int, _ margin: Int) {
        let outcomes = onStack(of: size) { () -> (read: [String], written: [String]) in
            var (read, written): ([String], [String]) = ([], [])
            while read.last != "stack", read.count < 512 {
                let json = Self.nested(#"{"kilobytes":\#(margin),"nest":"#, "}", read.count)
                read.append(Self.outcome { _ = try Greedy(json: json) })
            }
            let outermost = Greedy()
            outermost.kilobytes = margin
            var innermost = outermost
            while written.last != "stack", written.count < 2000 {
                written.append(Self.outcome { _ = try outermost.jsonData() })
                let next = Greedy()
                next.kilobytes = margin
                innermost.nest = next
                innermost = next
            }
            return (read, written)
        }
        #expect(outcomes.read.count > 3 && outcomes.read.last == "stack")
        #expect(outcomes.read.dropLast().allSatisfy { $0 == "value" })
        #expect(outcomes.written.count > 3 && outcomes.written.last == "stack")
        #expect(outcomes.written.dropLast().allSatisfy { $0 == "value" })
    }

    @Test("Making a schema of deeply nested classes on a small stack fails with an error")
    func schemas() {
        func outcome(_ size: Int) -> String {
            onStack(of: size) { Self.outcome { _ = try Link<D0, D0, ForSchemas>.jsonSchema() } }
        }
        // Makes the property tables too.
        #expect(outcome(8192) == "value")
        let deep = outcome(64)
        #expect(deep.hasPrefix("Link<D"))
        #expect(
            deep.hasSuffix(
                "ForSchemas> cannot be mapped: its schema is nested too deep for the thread's stack."))
    }

    @Test("Reflecting deeply nested classes fails on a small stack and then succeeds on a large one")
    func tables() {
        func outcome(_ size: Int) -> String {
            let json = Link<D0, D0, ForTables>.document
            return onStack(of: size) { Self.outcome { _ = try Link<D0, D0, ForTables>(json: json) } }
        }
        #expect(outcome(64) == "stack")
        // The failure is not permanent.
        #expect(outcome(8192) == "value")
    }
}
