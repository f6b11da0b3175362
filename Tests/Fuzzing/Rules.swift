import Foundation
import ModelMirror

/// A class with a property for every kind of conversion.
private class Everything: AbstractModel {
    var text = ""
    var count = 0
    var ratio = 0.0
    var flag = false
    var tags: [String] = []
    var child: Everything?
    var children: [Everything] = []
    var table: [String: [Int]] = [:]
    var date: Date?
    var url: URL?
    var data = Data()
    var free: JSONValue = nil
    var price = Decimal()
    var plan = Plan.free
    var id: UUID?
    var big: Int128 = 0
    var deep: String?
    var slice: Substring = ""
    var numbers: [Int: [Bool]] = [:]
    var double: Int??
    @Stored var stored = 0.5
    @Clamped var share = 50
    override class var propertyKeys: [String: PropertyKey] { ["deep": .path("path", "in", 1)] }
}

/// Values whose types depend on the JSON.
private class FreeForm: AbstractModel {
    var any: Any?
    var freeForm: [String: Any] = [:]
}

private enum Plan: String { case free, pro }

/// A wrapper with a stored value followed by other bytes.
@propertyWrapper private struct Stored<Value> {
    var wrappedValue: Value
    private let tail: UInt8 = 0x5A
    init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
}

/// A wrapper that computes its value.
@propertyWrapper private struct Clamped: MappableWrapper {
    private var number: Int8 = 0
    var wrappedValue: Int {
        get { Int(number) }
        set { number = Int8(min(max(newValue, 0), 100)) }
    }
    init(wrappedValue: Int) { self.wrappedValue = wrappedValue }
}

/// The rules that must hold for any bytes.
enum Rules {
    typealias Verdict = FuzzTarget.Verdict

    @Sendable static func check(_ document: [UInt8]) -> Verdict {
        let value: JSONValue
        do throws(ModelError) {
            value = try JSONValue(json: document)
        } catch {
            return checkRefusal(document, error)
        }
        do {
            // A tree survives writing and reading.
            let text = try value.jsonData()
            guard try JSONValue(json: text) == value else { return .broken("a tree differs when read back") }
            // The same document as the value of an unknown key.
            let skipped = Array(#"{"unknown":"#.utf8) + withoutMark(document) + Array("}".utf8)
            _ = try Everything(json: skipped)
        } catch {
            return .broken("valid JSON is rejected elsewhere: \(error)")
        }
        if case .broken(let rule) = checkFreeForm(document, value) { return .broken(rule) }
        return checkMapping(document, value)
    }

    /// A document that is not JSON is rejected everywhere.
    private static func checkRefusal(_ document: [UInt8], _ error: ModelError) -> Verdict {
        guard case .invalidJSON(let fault) = error else {
            return .broken("a tree is rejected with another error: \(error)")
        }
        guard fault.offset >= 0, fault.offset <= document.count, fault.line >= 1, fault.column >= 1 else {
            return .broken("the error's position is outside the document: \(error)")
        }
        if (try? Everything(json: document)) != nil { return .broken("a document that is not JSON maps") }
        return .refused
    }

    /// A JSON document maps or fails because of its values; a mapped object is written and equal when read back.
    private static func checkMapping(_ document: [UInt8], _ value: JSONValue) -> Verdict {
        let object: Everything
        do throws(ModelError) {
            object = try Everything(json: document)
        } catch {
            guard case .invalidValues(let failures) = error, !failures.isEmpty else {
                return .broken("JSON fails with another error than invalid values: \(error)")
            }
            return .refused
        }
        if let text = value["slice"]?.string, object.slice != text { return .broken("the slice is \(object.slice)") }
        if let share = value["share"]?.int, object.share != min(max(share, 0), 100) {
            return .broken("the share is \(object.share)")
        }
        if case .number(let number)? = value["stored"], let wrapped = number.double, wrapped != object.stored {
            return .broken("the wrapped number is \(object.stored)")
        }
        do {
            let text = try object.jsonData()
            let again = try Everything(json: text, options: MappingOptions(strict: true))
            guard again.isEqual(to: object) else { return .broken("an object differs when read back") }
            let before = try object.copy()
            guard (try? object.update(json: document)) != nil else {
                return .broken("an update by its own document fails")
            }
            guard object.isEqual(to: before) else { return .broken("an update by its own document changes an object") }
            guard try object.mergePatch(since: before) == [:] else {
                return .broken("the merge patch of equal objects is not empty")
            }
        } catch {
            return .broken("a mapped object cannot be written or read back: \(error)")
        }
        return .accepted
    }

    /// Values of `Any` are written as they were read, but are not equal when read back: `1.0` is written as `1`, which is an `Int`.
    private static func checkFreeForm(_ document: [UInt8], _ value: JSONValue) -> Verdict {
        guard let object = try? FreeForm(json: document) else { return .refused }
        do {
            let text = try object.jsonData()
            for key in ["any", "freeForm"] {
                guard let tree = value[key], tree != nil, let written = try JSONValue(json: text)[key] else { continue }
                guard written == rounded(tree) else { return .broken("\(tree) is written as \(written)") }
            }
            let again = try FreeForm(json: text, options: MappingOptions(strict: true))
            guard try again.jsonValue() == object.jsonValue() else {
                return .broken("free-form values differ when written again")
            }
            guard try FreeForm(json: text).isEqual(to: again) else {
                return .broken("free-form values of the same text are not equal")
            }
            guard try object.copy().isEqual(to: object) else { return .broken("a copy of free-form values differs") }
        } catch {
            return .broken("mapped free-form values cannot be written or read back: \(error)")
        }
        return .accepted
    }

    /// The value with its numbers as `Any` stores them.
    private static func rounded(_ value: JSONValue) -> JSONValue {
        switch value {
        case .number(let number):
            .number(number.int == nil ? number.double.flatMap { JSONNumber($0) } ?? number : number)
        case .array(let elements): .array(elements.map(rounded))
        case .object(let members): .object(members.mapValues(rounded))
        default: value
        }
    }

    private static func withoutMark(_ document: [UInt8]) -> [UInt8] {
        document.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(document.dropFirst(3)) : document
    }
}
