import Foundation
import Testing

@testable import ModelMirror

/// Why and where reading stopped.
private struct Stop: Equatable {
    let fault: SyntaxFault
    let offset: Int

    /// Where `body` stops in a document that should end behind the value that it reads or skips; nil if nowhere.
    init?(in document: ExactBytes, _ body: (inout JSONReader) throws(Interruption) -> Void) {
        let interruption = document.reading { bytes, count -> Interruption? in
            var reader = JSONReader(bytes, count: count, depth: 512)
            do throws(Interruption) {
                reader.skipWhitespace()
                try body(&reader)
                try reader.finish()
                return nil
            } catch {
                return error
            }
        }
        guard case .some(.some(let interruption)) = interruption else { return nil }
        (fault, offset) = (interruption.fault, interruption.offset)
    }
}

private final class Passing: AbstractModel {
    var kept = 0
}

/// Reads the same member as something else than `Passing`, which skips it.
private final class Box<Value>: AbstractModel {
    var value: Value?
}

private final class Inner: AbstractModel {
    var id = 0
    var name = ""
    var tags: [String] = []
    var on: Bool?
    var a: Inner?
}

@Suite("Skipping values")
struct JSONReaderSkippingTests {
    private static let count = 20_000

    @Test("Reading and skipping agree with each other and with the grammar", arguments: UInt64(1)...4)
    func agreement(seed: UInt64) {
        var documents = MutatedDocuments(seed: seed)
        var accepted = 0
        var wrong: [[UInt8]] = []
        for _ in 0..<Self.count / 4 {
            let bytes = documents.next()
            let document = ExactBytes(bytes)
            let read = Stop(in: document) { reader throws(Interruption) in _ = try JSONValue(&reader) }
            let skipped = Stop(in: document) { reader throws(Interruption) in try reader.skipValue() }
            let isJSON = ReferenceGrammar.accepts(bytes)
            if read != skipped || (read == nil) != isJSON { wrong.append(bytes) }
            if isJSON { accepted += 1 }
        }
        #expect(wrong.map { String(decoding: $0, as: UTF8.self) } == [])
        // Neither verdict is rare, or the test would say little.
        #expect((Self.count / 40...Self.count / 8).contains(accepted), "\(accepted)")
    }

    @Test("Whatever type a value is read as, its syntax errors are those of skipping it", arguments: UInt64(5)...8)
    func everyType(seed: UInt64) {
        var documents = MutatedDocuments(seed: seed)
        var wrong: [[UInt8]] = []
        for _ in 0..<Self.count / 20 {
            let bytes = documents.next()
            let document = ExactBytes(Array(#"{"value": "#.utf8) + bytes + Array(#", "kept": 1}"#.utf8))
            var kept = 0
            let skipped = syntaxError { () throws(ModelError) in kept = try Passing(json: document).kept }
            let read = [
                syntaxError { () throws(ModelError) in try Box<JSONValue>(json: document) },
                syntaxError { () throws(ModelError) in try Box<JSONNumber>(json: document) },
                syntaxError { () throws(ModelError) in try Box<String>(json: document) },
                syntaxError { () throws(ModelError) in try Box<Int>(json: document) },
                syntaxError { () throws(ModelError) in try Box<UInt8>(json: document) },
                syntaxError { () throws(ModelError) in try Box<Double>(json: document) },
                syntaxError { () throws(ModelError) in try Box<Float>(json: document) },
                syntaxError { () throws(ModelError) in try Box<Decimal>(json: document) },
                syntaxError { () throws(ModelError) in try Box<Bool>(json: document) },
                syntaxError { () throws(ModelError) in try Box<Date>(json: document) },
                syntaxError { () throws(ModelError) in try Box<[Int]>(json: document) },
                syntaxError { () throws(ModelError) in try Box<[[Double]]>(json: document) },
                syntaxError { () throws(ModelError) in try Box<[String: Bool]>(json: document) },
                syntaxError { () throws(ModelError) in try Box<Any>(json: document) },
                syntaxError { () throws(ModelError) in try Box<Inner>(json: document) },
                syntaxError { () throws(ModelError) in try Box<[Inner]>(json: document) },
            ]
            if read.contains(where: { $0 != skipped }) || (kept == 1) != (skipped == nil) { wrong.append(bytes) }
        }
        #expect(wrong.map { String(decoding: $0, as: UTF8.self) } == [])
    }

    @Test("Containers of either kind are passed however deep, across the words of the stack")
    func depth() throws {
        // 1 + 62...66 and 1 + 126...130 levels: a word holds 64.
        for count in Array(60...68) + Array(124...132) + [511] {
            for seed in UInt64(0)..<4 {
                var generator = SeededGenerator(seed: seed)
                let kinds = (0..<count).map { _ in generator.below(2) == 0 }
                let opening = kinds.map { $0 ? #"{"k":"# : "[" }.joined()
                let closing = kinds.reversed().map { $0 ? "}" : "]" }
                let document = #"{"skipped":"# + opening + "0" + closing.joined() + #","kept":1}"#
                #expect(try Passing(json: ExactBytes(document)).kept == 1)
                // One closing bracket of the wrong kind, at each level.
                for level in stride(from: 0, to: count, by: 7) {
                    var wrong = closing
                    wrong[level] = closing[level] == "}" ? "]" : "}"
                    let document = #"{"skipped":"# + opening + "0" + wrong.joined() + #","kept":1}"#
                    let error = syntaxError { () throws(ModelError) in try Passing(json: ExactBytes(document)) }
                    #expect(error?.offset == 11 + opening.utf8.count + 1 + level)
                }
            }
        }
    }

    // MARK: Another judge

    @Test("Foundation's reader agrees, but for what is known of it", arguments: UInt64(9)...12)
    func foundation(seed: UInt64) throws {
        var documents = MutatedDocuments(seed: seed)
        var agreed = 0
        var unexplained: [String] = []
        for _ in 0..<Self.count / 4 {
            let bytes = documents.next()
            let theirs = try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)
            var ours: JSONValue?
            let error = syntaxError { () throws(ModelError) in ours = try JSONValue(json: bytes) }
            switch (ours, theirs) {
            case (nil, nil): agreed += 1
            case (let ours?, let theirs?) where ours.matches(theirs): agreed += 1
            // Foundation refuses numbers beyond Double's range, takes [1,] and {"a":1,}, and guesses UTF-16 and UTF-32.
            case (let ours?, nil) where ours.hasNumberBeyondDouble: break
            case (nil, _?) where ["']'", "'}'"].contains(error?.found) && bytes.contains(UInt8(ascii: ",")): break
            case (nil, _?) where bytes.contains(0): break
            default: unexplained.append(String(decoding: bytes, as: UTF8.self))
            }
        }
        #expect(agreed > Self.count / 4 * 95 / 100)
        // Foundation's readers differ between platforms and releases: what is new of them is told, and fails nothing.
        withKnownIssue("Foundation differs", isIntermittent: true) { #expect(unexplained == []) }
    }
}

extension JSONValue {
    /// Whether an object of `JSONSerialization` is the same value, as far as it can hold it.
    fileprivate func matches(_ object: Any) -> Bool {
        switch self {
        case .null: object is NSNull
        case .bool(let value): (object as? NSNumber)?.boolValue == value
        case .number(let value):
            // It reads long numbers through Decimal, and is off by a few units of the last place then.
            if let other = (object as? NSNumber)?.doubleValue, let own = value.double {
                abs(own - other) <= 16 * own.ulp
            } else {
                false
            }
        case .string(let value): object as? String == value
        case .array(let elements):
            if let others = object as? [Any] {
                elements.count == others.count && zip(elements, others).allSatisfy { $0.matches($1) }
            } else {
                false
            }
        case .object(let members):
            if let others = object as? [String: Any] {
                members.count == others.count
                    && members.allSatisfy { key, value in others[key].map { value.matches($0) } ?? false }
            } else {
                false
            }
        }
    }

    fileprivate var hasNumberBeyondDouble: Bool {
        switch self {
        case .number(let value): value.double == nil
        case .array(let elements): elements.contains(where: \.hasNumberBeyondDouble)
        case .object(let members): members.values.contains(where: \.hasNumberBeyondDouble)
        default: false
        }
    }
}
