import Foundation
import ModelMirror
import Synchronization

/// Decides what a model's hooks do and records their calls. It is the context of a mapping, so that
/// the calls of an object that fails are kept too.
final class HookProbe: Sendable {
    /// What `shouldFail` does.
    enum Answer: String, Sendable, CaseIterable {
        /// Returns false.
        case goesOn = "false"
        /// Returns true.
        case fails = "true"
        /// Assigns a value of its own and returns false.
        case assigns = "assigns and false"
    }

    let answer: Answer
    private let log = Mutex<[String]>([])

    init(_ answer: Answer = .goesOn) { self.answer = answer }

    /// The probe of the current mapping.
    static var current: HookProbe? { MappingContext.current as? HookProbe }

    /// All calls so far, in order.
    var calls: [String] { log.withLock { $0 } }

    /// Records a call.
    func note(_ call: String) { log.withLock { $0.append(call) } }

    /// Records a call of `shouldFail`.
    func note(_ value: Any?, _ property: String) { note("\(property) = \(HookProbe.text(value))") }

    /// Options that carry the probe.
    func options(strict: Bool? = nil) -> MappingOptions {
        MappingOptions(strict: strict, reportsMissingOptionals: true, context: self)
    }

    /// A text of the hook's value, with the exact type of each part.
    static func text(_ value: Any?) -> String {
        guard let value else { return "nil" }
        let type = type(of: value)
        switch value {
        case let json as JSONValue: return "JSONValue \(json == .null ? "null" : "\(json)")"
        case let text as String where type == String.self: return "String \"\(text)\""
        case let list as [Any]: return "[" + list.map { text($0) }.joined(separator: ", ") + "]"
        case let members as [String: Any]:
            let texts = members.sorted { $0.key < $1.key }.map { "\($0.key): \(text($0.value))" }
            return "{" + texts.joined(separator: ", ") + "}"
        default: return "\(type) \(value)"
        }
    }
}
