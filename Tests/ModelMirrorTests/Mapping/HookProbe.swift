import Foundation
import ModelMirror
import Synchronization

/// What a model's hooks are to do, and what they were called for: handed to models as the context of a mapping, so that
/// it outlives an object that fails.
final class HookProbe: Sendable {
    /// What `shouldFail` does.
    enum Answer: String, Sendable, CaseIterable {
        /// Says false.
        case goesOn = "false"
        /// Says true.
        case fails = "true"
        /// Assigns a value of its own and says false.
        case assigns = "assigns and false"
    }

    let answer: Answer
    private let log = Mutex<[String]>([])

    init(_ answer: Answer = .goesOn) { self.answer = answer }

    /// The probe of the mapping that runs.
    static var current: HookProbe? { MappingContext.current as? HookProbe }

    /// All calls so far, in order.
    var calls: [String] { log.withLock { $0 } }

    /// Writes a call down.
    func note(_ call: String) { log.withLock { $0.append(call) } }

    /// Writes down what `shouldFail` was asked.
    func note(_ value: Any?, _ property: String) { note("\(property) = \(HookProbe.text(value))") }

    /// Options that carry the probe.
    func options(strict: Bool? = nil) -> MappingOptions {
        MappingOptions(strict: strict, reportsMissingOptionals: true, context: self)
    }

    /// A hook's value with the exact types of everything in it.
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
