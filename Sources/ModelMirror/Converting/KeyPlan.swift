#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// How the keys of one dictionary type are read from JSON keys and written to them.
///
/// `@unchecked Sendable` for the same reason as ``TypePlan``: the closures capture only metatypes and other plans.
struct KeyPlan<Key>: @unchecked Sendable {
    /// The expected key, as in "a key that is …".
    let expected: Expectation
    /// The value of a key; nil if it does not fit.
    let value: (String) -> Key?
    let text: (Key) -> String

    /// The plan for `Key`, or nil if it is neither a string, an integer, a UUID, nor raw-representable as one of these.
    static func make() -> KeyPlan? {
        if let known = Key.self as? any DictionaryKeyType.Type { return erased(known) }
        if let raw = Key.self as? any RawRepresentable.Type { return erasedRaw(raw) }
        return nil
    }

    private static func erasedRaw(_ type: (some RawRepresentable).Type) -> KeyPlan? {
        type.rawKeyPlan() as? KeyPlan
    }

    private static func erased(_ type: (some DictionaryKeyType).Type) -> KeyPlan? {
        type.keyPlan as? KeyPlan
    }
}

/// A type whose values have one canonical text as a JSON key.
protocol DictionaryKeyType: SendableMetatype {
    static var keyPlan: KeyPlan<Self> { get }
}

extension String: DictionaryKeyType {
    static var keyPlan: KeyPlan<String> {
        KeyPlan(expected: .kind(.string), value: { $0 }, text: { $0 })
    }
}

extension UUID: DictionaryKeyType {
    static var keyPlan: KeyPlan<UUID> {
        KeyPlan(expected: .format(.uuid), value: { UUID(uuidString: $0) }, text: \.uuidString)
    }
}

extension DictionaryKeyType where Self: FixedWidthInteger {
    static var keyPlan: KeyPlan<Self> {
        KeyPlan(expected: .kind(.integer), value: { Self($0) }, text: { String($0) })
    }
}

extension RawRepresentable {
    fileprivate static func rawKeyPlan() -> KeyPlan<Self>? {
        guard let raw = KeyPlan<RawValue>.make() else { return nil }
        return KeyPlan(
            expected: .rawKey(of: Self.self), value: { raw.value($0).flatMap(Self.init(rawValue:)) },
            text: { raw.text($0.rawValue) })
    }
}
