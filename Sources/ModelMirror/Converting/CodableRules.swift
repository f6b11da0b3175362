import ModelMirrorFoundation
import Synchronization

/// How `Codable` values are read and written inside a class: by the class's rules, or by the user's own coders.
final class CodableRules: Sendable {
    /// The rules of the class.
    let ofClass: TableRules
    /// The encoder's key for the rules of the call.
    static let callKey = CodingUserInfoKey(rawValue: "ModelMirror.MappingOptions")
    private let encoder: JSONEncoder
    /// The keys that the strategy has made so far, at most ``keyLimit``: one per property of the types that were decoded, and names
    /// from the documents, where a type asks for all keys of an object.
    let keys = Mutex<[String: String]>([:])
    static let keyLimit = 1000
    /// The type of the keys that dictionaries are encoded by.
    private static let dictionaryKey = type(of: "".codingKey)

    init(_ rules: TableRules) {
        ofClass = rules
        encoder = rules.encoder ?? CodableRules.makeEncoder(rules)
    }

    /// Decodes a value.
    func decode<Value: Decodable>(_ type: Value.Type, from json: JSONValue) throws -> Value {
        if let decoder = ofClass.decoder { return try decoder.decode(type, from: json.jsonData()) }
        return try JSONValueDecoder(value: json, rules: self).decode(type)
    }

    /// The JSON of a value whose type can encode itself.
    ///
    /// - Throws: Errors of the encoder; for a type that is not `Encodable`, an error that says how to fix it.
    func json(_ value: some Any) throws -> JSONValue {
        guard let encodable = value as? any Encodable else { throw ConversionError(.writable(.encodable)) }
        return try JSONValue(json: encoder.encode(encodable), options: .deepest)
    }

    /// The key that the strategy makes.
    func jsonKey(forProperty name: String) -> String {
        if let known = keys.withLock({ $0[name] }) { return known }
        // Outside the lock, because it may be user code.
        let key = (ofClass.keyStrategy ?? .exact).jsonKey(forProperty: name)
        keys.withLock { if $0.count < CodableRules.keyLimit { $0[name] = key } }
        return key
    }

    private static func makeEncoder(_ rules: TableRules) -> JSONEncoder {
        let encoder = JSONEncoder()
        if rules.ofCall.shared != nil, let callKey { encoder.userInfo[callKey] = rules.ofCall }
        let (dates, strategy) = (rules.dates?.plan ?? Date.plan, rules.keyStrategy ?? .exact)
        encoder.dateEncodingStrategy = .custom { date, encoder in try dates.json(of: date).encode(to: encoder) }
        if let strings = rules.nonFiniteNumbers {
            encoder.nonConformingFloatEncodingStrategy = .convertToString(
                positiveInfinity: strings.infinity, negativeInfinity: strings.negativeInfinity, nan: strings.nan)
        }
        if !strategy.keepsNames {
            encoder.keyEncodingStrategy = .custom { path in
                let last = path.last ?? AnyCodingKey(stringValue: "")
                guard last.intValue == nil, type(of: last) != dictionaryKey else { return last }
                return AnyCodingKey(stringValue: strategy.jsonKey(forProperty: last.stringValue))
            }
        }
        return encoder
    }
}
