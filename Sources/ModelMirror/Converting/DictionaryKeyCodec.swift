#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// How the keys of one dictionary type are read from JSON keys and written to them.
///
/// `@unchecked Sendable` for the same reason as ``ValueCodec``: the closures capture only metatypes and other codecs.
struct DictionaryKeyCodec<Key>: @unchecked Sendable {
    /// The expected key, as in "a key that is …".
    let expected: Expectation
    /// The value of a key; nil if it does not fit.
    let value: (String) -> Key?
    let text: (Key) -> String

    /// The codec for `Key`, or nil if it is neither a string, an integer, a UUID, nor raw-representable as one of these.
    static func make() -> DictionaryKeyCodec? {
        if let known = Key.self as? any DictionaryKeyType.Type { return erased(known) }
        if let raw = Key.self as? any RawRepresentable.Type { return erasedRaw(raw) }
        return nil
    }

    private static func erasedRaw(_ type: (some RawRepresentable).Type) -> DictionaryKeyCodec? {
        type.rawKeyCodec() as? DictionaryKeyCodec
    }

    private static func erased(_ type: (some DictionaryKeyType).Type) -> DictionaryKeyCodec? {
        type.keyCodec as? DictionaryKeyCodec
    }
}

/// A type whose values have one canonical text as a JSON key.
protocol DictionaryKeyType: SendableMetatype {
    static var keyCodec: DictionaryKeyCodec<Self> { get }
}

extension String: DictionaryKeyType {
    static var keyCodec: DictionaryKeyCodec<String> {
        DictionaryKeyCodec(expected: .kind(.string), value: { $0 }, text: { $0 })
    }
}

extension UUID: DictionaryKeyType {
    static var keyCodec: DictionaryKeyCodec<UUID> {
        DictionaryKeyCodec(expected: .format(.uuid), value: { UUID(uuidString: $0) }, text: \.uuidString)
    }
}

extension DictionaryKeyType where Self: FixedWidthInteger {
    static var keyCodec: DictionaryKeyCodec<Self> {
        DictionaryKeyCodec(
            expected: .kind(.integer), value: { IntegerReading.integer(digits: $0) }, text: { String($0) })
    }
}

extension RawRepresentable {
    fileprivate static func rawKeyCodec() -> DictionaryKeyCodec<Self>? {
        guard let raw = DictionaryKeyCodec<RawValue>.make() else { return nil }
        return DictionaryKeyCodec(
            expected: .rawKey(of: Self.self), value: { raw.value($0).flatMap(Self.init(rawValue:)) },
            text: { raw.text($0.rawValue) })
    }
}
