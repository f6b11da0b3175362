import Foundation
import ModelMirror

// What the program of all inferred classes checks: each document is mapped strictly, without unknown keys, and written back equal.

/// Everything that is wrong with a document is a failure.
let strict = MappingOptions(strict: true, unknownKeys: .failures)

/// A document, or an element of a list whose elements differ.
struct Part {
    let index: Int?
    let value: Any
}

nonisolated(unsafe) private var failures = 0
nonisolated(unsafe) private var total = Count()

struct Count {
    var typed = 0
    var free = 0
    var named = 0
    var properties = 0

    static func += (left: inout Count, right: Count) {
        left.typed += right.typed
        left.free += right.free
        left.named += right.named
        left.properties += right.properties
    }
}

func check(_ name: String, _ path: String, _ read: (Data) throws -> [Part]) throws {
    let data = try Data(contentsOf: URL(fileURLWithPath: path))
    do {
        let document = try JSONValue(json: data)
        let parts = try read(data)
        var count = Count()
        var labels: [String: Bool] = [:]
        for part in parts {
            let expected = part.index.flatMap { document[$0] } ?? document
            if let difference = difference(expected, try json(part.value), "$") { fail(name, difference) }
            countLeaves(part.value, &count, &labels)
        }
        count.properties = labels.count
        count.named = labels.values.count { $0 }
        total += count
        if count.free * 100 > 3 * (count.typed + count.free) {
            fail(name, "\(count.free) of \(count.typed + count.free) values are in JSONValue")
        }
    } catch {
        fail(name, "\(error)")
    }
}

/// Checks the classes of a schema: valid documents map and are written back equal, invalid ones fail.
func checkSchema(_ name: String, _ path: String, _ read: (Data) throws -> [Part]) throws {
    let file = try JSONValue(json: try Data(contentsOf: URL(fileURLWithPath: path)))
    for (index, document) in (file["valid"]?.array ?? []).enumerated() {
        do {
            for part in try read(try document.jsonData()) {
                if let difference = difference(document, try json(part.value), "$") {
                    fail(name, "valid[\(index)]: \(difference)")
                }
            }
        } catch {
            fail(name, "valid[\(index)]: \(error)")
        }
    }
    for (index, document) in (file["invalid"]?.array ?? []).enumerated() {
        if (try? read(try document.jsonData())) != nil { fail(name, "invalid[\(index)] is mapped: \(document)") }
    }
}

func finish() {
    let leaves = total.typed + total.free
    print(
        "\(leaves) values, \(total.free) of them in JSONValue; \(total.named) of \(total.properties) properties bear their key's name"
    )
    if total.named * 10 < total.properties * 9 { fail("all", "too few properties bear their key's name") }
    exit(failures == 0 ? 0 : 1)
}

private func fail(_ name: String, _ what: String) {
    failures += 1
    print("FAILED \(name): \(what)")
}

// MARK: Writing

private func json(_ value: Any) throws -> JSONValue {
    switch value {
    case let model as AbstractModel: try model.jsonValue()
    case let value as any JSONConvertible: try value.json()
    case let list as [Any]: .array(try list.map(json))
    case let members as [String: Any]: .object(try members.mapValues(json))
    default:
        if case Optional<Any>.some(let inner) = value as Any?,
            "\(Mirror(reflecting: value).displayStyle as Any)".contains("optional")
        {
            try Mirror(reflecting: inner).children.first.map { try json($0.value) } ?? .null
        } else {
            try JSONValue(any: value)
        }
    }
}

// MARK: Comparing

/// What differs; nil if nothing does. A null may be absent; dates, UUIDs and URLs may be spelled in another way.
private func difference(_ document: JSONValue, _ written: JSONValue, _ path: String) -> String? {
    switch (document, written) {
    case (.null, .null): return nil
    case (.bool(let left), .bool(let right)) where left == right: return nil
    case (.number(let left), .number(let right)):
        if left == right || left.double != nil && left.double == right.double && left.text.count <= 24 { return nil }
    case (.string(let left), .string(let right)):
        if left == right || isSpeltAnew(left, right) { return nil }
    case (.array(let left), .array(let right)) where left.count == right.count:
        for (index, pair) in zip(left, right).enumerated() {
            if let found = difference(pair.0, pair.1, "\(path)[\(index)]") { return found }
        }
        return nil
    case (.object(let left), .object(let right)):
        for (key, value) in left {
            guard let other = right[key] else {
                if value.isNull { continue }
                return "\(path).\(key) is not written"
            }
            if let found = difference(value, other, "\(path).\(key)") { return found }
        }
        return right.keys.first { left[$0] == nil }.map { "\(path).\($0) is written, but not in the document" }
    default: break
    }
    return "\(path): \(document) is written as \(written)"
}

private func isSpeltAnew(_ left: String, _ right: String) -> Bool {
    if left.lowercased() == right.lowercased(), UUID(uuidString: left) != nil { return true }
    if right.contains("://"), let plain = left.removingPercentEncoding, plain == right.removingPercentEncoding {
        return true
    }
    guard right.contains("T"), let date = try? AnyConverter<Date>.iso8601.value(from: .string(right)) else {
        return false
    }
    let forms: [AnyConverter<Date>] = [.iso8601, .format("EEE MMM dd HH:mm:ss Z yyyy"), .format("y-MM-dd HH:mm:ssZ")]
    return forms.contains { (try? $0.value(from: .string(left))) == date }
}

// MARK: Counting

/// Counts the values in properties, apart from those in `JSONValue`, and collects the properties that have a value: whether an object
/// of theirs was written with a key of that name.
private func countLeaves(_ value: Any, _ count: inout Count, _ labels: inout [String: Bool]) {
    switch value {
    case let value as JSONValue: count.free += leaves(value)
    case let model as AbstractModel:
        let keys = Set(((try? model.jsonValue())?.object ?? [:]).keys.map(folded))
        var mirror: Mirror? = Mirror(reflecting: model)
        while let level = mirror {
            for (label, child) in level.children {
                if let label, !isNil(child) {
                    let name = "\(level.subjectType).\(label)"
                    labels[name] = labels[name] == true || keys.contains(folded(label))
                }
                countLeaves(child, &count, &labels)
            }
            mirror = level.superclassMirror
        }
    case let list as [Any]: for element in list { countLeaves(element, &count, &labels) }
    case let members as [String: Any]: for element in members.values { countLeaves(element, &count, &labels) }
    default:
        let mirror = Mirror(reflecting: value)
        switch mirror.displayStyle {
        case .optional?,
            .enum? where value is any JSONConvertible:
            for child in mirror.children { countLeaves(child.value, &count, &labels) }
        default: count.typed += 1
        }
    }
}

private func isNil(_ value: Any) -> Bool {
    let mirror = Mirror(reflecting: value)
    return mirror.displayStyle == .optional && mirror.children.isEmpty
}

private func leaves(_ value: JSONValue) -> Int {
    switch value {
    case .null: 0
    case .array(let elements): elements.reduce(0) { $0 + leaves($1) }
    case .object(let members): members.values.reduce(0) { $0 + leaves($1) }
    default: 1
    }
}

/// A name without case and separators.
private func folded(_ name: String) -> String { name.lowercased().filter { $0.isLetter || $0.isNumber } }
