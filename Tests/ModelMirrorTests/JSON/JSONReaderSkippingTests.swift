import Foundation
import Testing

@testable import ModelMirror

/// Why and where reading stopped.
private struct Stop: Equatable {
    let fault: SyntaxFault
    let offset: Int

    /// Where `body` stops in a document that should end after the value that it reads or skips; nil if it does not stop.
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

    @Test("Reading and skipping a value agree with each other and with the reference grammar", arguments: UInt64(1)...4)
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
        // Neither verdict is rare, or the test would prove little.
        #expect((Self.count / 40...Self.count / 8).contains(accepted), "\(accepted)")
    }

    @Test("Reading a value as any type gives the same syntax error as skipping it", arguments: UInt64(5)...8)
    func everyType(seed: UInt64) {
        var documents = MutatedDocuments(seed: seed)
        var wrong: [[UInt8]] = []
        for _ in 0..<Self.count / 20 {
            let bytes = documents.next()
            let document = ExactBytes(Array(#"{"value": "#.utf8) + bytes + Array(#", "kept": 1}"#.utf8))
            var kept = 0
            let skipped = syntaxError { () throws(ModelError) in kept = try Passing(json: document).kept }
            let read = [
                memberError(JSONValue.self, document), memberError(JSONNumber.self, document),
                memberError(String.self, document), memberError(Int.self, document), memberError(UInt8.self, document),
                memberError(Double.self, document), memberError(Float.self, document),
                memberError(Decimal.self, document), memberError(Bool.self, document), memberError(Date.self, document),
                memberError([Int].self, document), memberError([[Double]].self, document),
                memberError([String: Bool].self, document), memberError(Any.self, document),
                memberError(Inner.self, document), memberError([Inner].self, document),
            ]
            if read.contains(where: { $0 != skipped }) || (kept == 1) != (skipped == nil) { wrong.append(bytes) }
        }
        #expect(wrong.map { String(decoding: $0, as: UTF8.self) } == [])
    }

    @Test("Nested containers are skipped at every depth, and mismatched brackets are rejected")
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

    // MARK: Comparison with Foundation

    @Test("Reading agrees with JSONSerialization except for known differences")
    func foundation() {
        var differences: [Difference: Set<String>] = [:]
        for seed in UInt64(9)...12 {
            var documents = MutatedDocuments(seed: seed)
            for _ in 0..<Self.count / 4 {
                let bytes = documents.next()
                guard let difference = Difference(in: bytes) else { continue }
                differences[difference, default: []].insert(String(decoding: bytes, as: UTF8.self))
            }
        }
        #if os(Linux) && compiler(>=6.3) && compiler(<6.4)
        #expect(differences == Difference.known)
        #else
        // Foundation's readers differ between platforms and releases: new differences are reported, but do not fail the test.
        withKnownIssue("Foundation differs", isIntermittent: true) { #expect(differences[.unexplained] == nil) }
        #endif
    }
}

/// Why `JSONSerialization` reads a document differently.
private enum Difference {
    /// It rejects a number beyond Double's range, which a `JSONNumber` holds.
    case beyondDouble
    /// It accepts a comma before a closing bracket and ignores it.
    case trailingComma
    /// It guesses from zero bytes that a document is UTF-16 or UTF-32; RFC 8259 allows UTF-8 alone.
    case otherEncoding
    case unexplained

    /// Nil if both reject the document, or read the same value.
    init?(in bytes: [UInt8]) {
        let theirs = try? JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)
        var ours: JSONValue?
        let error = syntaxError { () throws(ModelError) in ours = try JSONValue(json: bytes) }
        switch (ours, theirs) {
        case (nil, nil): return nil
        case (let ours?, let theirs?):
            if ours.matches(theirs) { return nil }
            self = .unexplained
        case (let ours?, nil): self = ours.hasNumberBeyondDouble ? .beyondDouble : .unexplained
        case (nil, let theirs?):
            let encodings: [String.Encoding] = [
                .utf16LittleEndian, .utf16BigEndian, .utf32LittleEndian, .utf32BigEndian,
            ]
            let texts = encodings.compactMap { String(data: Data(bytes), encoding: $0) }
            if let error, let comma = bytes[..<error.offset].lastIndex(where: { !" \t\r\n".utf8.contains($0) }),
                bytes[comma] == UInt8(ascii: ","), ["']'", "'}'"].contains(error.found),
                (try? JSONValue(json: bytes[..<comma] + bytes[(comma + 1)...]))?.matches(theirs) == true
            {
                self = .trailingComma
            } else if texts.contains(where: { (try? JSONValue(json: $0))?.matches(theirs) == true }) {
                self = .otherEncoding
            } else {
                self = .unexplained
            }
        }
    }

    /// All differences of the test's documents with the Foundation of Swift 6.3 on Linux.
    static let known: [Difference: Set<String>] = [
        .beyondDouble: [
            "-1.53e+1010", "-1.5e+1010", "-1.5e+1100", "-1.5e310", "-1.5e410", "-1.5e610", "-1.5e714", "-1.5e810",
            "-1.5e912", "-5.5e+510", "1.5e+1100", "[0.1,190E57890,-0,1e-5,10.25,123456789012345678901]",
            "[0.1,1E5,-0,0.25,12345678901.1,1E52345678901]", "[0.1,1E5,-0,1e-5,10.25,1234561e789012345678901]",
            "[0.1,1E5,-0,1e-5,10.25,1234567890123456780.1,1E901]", "[0.1,1E5,-0,1e-5,10.25,123456789012345678E901]",
            "[0.1,1E5,-0,1e-5,10.25,123e456789012345678901]",
        ],
        .trailingComma: [
            " [ 1 , ] ", " [ 1 ,] ", " [ 1, ] ", #" ["a",] "#, "[0.1,1E5,-0,1e-5,10.25,123456789012345678901e-5,]",
            "[1,2,13,]", "[1,2,3,]", "[1,2,\n]", "[1,2,]", "[1,]", "[2,]", #"[true,false,null,"/",]"#,
            #"[true,false,null,"",\#t]"#, #"[true,false,null,"",]"#, "[true,false,null,]", #"{"a":{"b":[{}],}}"#,
        ],
        .otherEncoding: [
            "0\u{0}", "9\u{0}]", "[\u{0}]\u{0}]", "\u{0}0", "\u{0}30",
        ],
    ]
}

extension JSONValue {
    /// Whether an object of `JSONSerialization` is the same value, as far as it can hold it.
    fileprivate func matches(_ object: Any) -> Bool {
        switch self {
        case .null: object is NSNull
        case .bool(let value): (object as? NSNumber)?.boolValue == value
        case .number(let value):
            // It reads more than 17 characters before the exponent through Decimal, and is off by up to four units of the last
            // place in the documents of this test.
            if let other = (object as? NSNumber)?.doubleValue, let own = value.double {
                own == other
                    || value.text.prefix { $0 != "e" }.utf8.count > 17 && abs(own - other) <= 4 * own.ulp
            } else {
                false
            }
        case .string(let value): (object as? String)?.unicodeScalars.elementsEqual(value.unicodeScalars) ?? false
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
