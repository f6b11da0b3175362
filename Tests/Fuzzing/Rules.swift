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
    override class var propertyKeys: [String: PropertyKey] { ["deep": .path("path", "in", 1)] }
}

private enum Plan: String { case free, pro }

/// What must hold for any bytes.
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
            // What is read as a tree, written and read again is the same.
            let text = try value.jsonData()
            guard try JSONValue(json: text) == value else { return .broken("a tree reads back different") }
            // The same document as a value that nobody reads.
            let skipped = Array(#"{"unknown":"#.utf8) + withoutMark(document) + Array("}".utf8)
            _ = try Everything(json: skipped)
        } catch {
            return .broken("JSON that is read is refused elsewhere: \(error)")
        }
        return checkMapping(document)
    }

    /// A document that is no JSON is refused everywhere.
    private static func checkRefusal(_ document: [UInt8], _ error: ModelError) -> Verdict {
        guard case .invalidJSON(let fault) = error else { return .broken("a tree is refused otherwise: \(error)") }
        guard fault.offset >= 0, fault.offset <= document.count, fault.line >= 1, fault.column >= 1 else {
            return .broken("the fault lies outside of the document: \(error)")
        }
        if (try? Everything(json: document)) != nil { return .broken("a document that is no JSON maps") }
        return .refused
    }

    /// A document that is JSON maps, or fails with values; what maps is written, and reads back equal.
    private static func checkMapping(_ document: [UInt8]) -> Verdict {
        let object: Everything
        do throws(ModelError) {
            object = try Everything(json: document)
        } catch {
            guard case .invalidValues(let failures) = error, !failures.isEmpty else {
                return .broken("JSON fails otherwise than by its values: \(error)")
            }
            return .refused
        }
        do {
            let text = try object.jsonData()
            let again = try Everything(json: text, options: MappingOptions(strict: true))
            guard again.isEqual(to: object) else { return .broken("an object reads back different") }
            let before = try object.copy()
            guard (try? object.update(json: document)) != nil else { return .broken("its own document is no update") }
            guard object.isEqual(to: before) else { return .broken("an update by its own document changes an object") }
            guard try object.mergePatch(since: before) == [:] else { return .broken("equal objects have a difference") }
        } catch {
            return .broken("an object that was read is not written or read back: \(error)")
        }
        return .accepted
    }

    private static func withoutMark(_ document: [UInt8]) -> [UInt8] {
        document.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(document.dropFirst(3)) : document
    }
}
