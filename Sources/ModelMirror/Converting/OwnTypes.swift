#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The codecs of users' own types that are not models.

extension JSONConvertible {
    static func convertibleCodec() -> ValueCodec<Self> {
        .throwing(expected: "a value for \(self)") { json in try Self(json: json) }
    }
}

extension InitializableWithDictionary {
    static func dictionaryCodec() -> ValueCodec<Self> {
        .throwing(expected: "an object for \(self)") { json in
            guard let dictionary = json.any as? [String: Any] else { throw ConversionError(expected: "an object") }
            return try Self(dictionary: dictionary)
        }
    }
}

extension ValueCodec {
    /// A codec that reads a whole value and hands it to a function that throws.
    static func throwing(expected: String, _ make: @escaping (JSONValue) throws -> Value) -> ValueCodec {
        ValueCodec(expected: expected) { reader, session, store throws(Interruption) in
            let offset = reader.offset
            let json = try JSONValue(&reader)
            do {
                store(try make(json))
                return true
            } catch let error as ConversionError {
                return session.refused(at: offset, error.expected)
            } catch {
                return session.refused(at: offset, expected, underlying: error)
            }
        }
    }
}

extension RawRepresentable {
    /// Reads the raw value, then the case; a raw value that has no case becomes the ``UnknownCase/unknownCase``, if there is
    /// one.
    static func rawCodec(_ raw: ValueCodec<RawValue>) -> ValueCodec<Self> {
        let unknown = (Self.self as? any UnknownCase.Type).flatMap { $0.unknownCase as? Self }
        let expected = rawExpectation(raw.expected)
        return ValueCodec(expected: expected, acceptsNull: raw.acceptsNull) { reader, session, store throws(Interruption) in
            let offset = reader.offset
            var value: Self?
            guard try raw.read(&reader, session, { value = Self(rawValue: $0) }) else { return false }
            if value == nil, unknown != nil { session.coerced(at: offset, expected) }
            guard let known = value ?? unknown else { return session.refused(at: offset, expected) }
            store(known)
            return true
        }
    }

    /// The raw values, where the type can list them and they are few; else its name.
    private static func rawExpectation(_ raw: String) -> String {
        guard let listed = (Self.self as? any CaseIterable.Type)?.rawTexts, (1...12).contains(listed.count) else {
            return "\(raw) that is a raw value of \(self)"
        }
        return listed.count == 1 ? listed[0] : "one of " + listed.joined(separator: ", ")
    }
}

extension CaseIterable {
    /// The raw values of all cases as they stand in JSON.
    fileprivate static var rawTexts: [String] {
        allCases.compactMap { ($0 as? any RawRepresentable)?.rawText }
    }
}

extension RawRepresentable {
    fileprivate var rawText: String { (rawValue as? String)?.quotedForMessage ?? "\(rawValue)" }
}

extension Decodable {
    /// Hands the value's bytes to Foundation's decoder with its default strategies.
    static func decodableCodec() -> ValueCodec<Self> {
        let expected = "a value that \(self) can decode"
        return ValueCodec(expected: expected) { reader, session, store throws(Interruption) in
            let offset = reader.offset
            try reader.skipValue()
            do {
                store(try JSONDecoder().decode(Self.self, from: Data(reader.bytes(from: offset))))
                return true
            } catch {
                return session.refused(at: offset, expected, underlying: error)
            }
        }
    }
}

extension JSONReader {
    /// The bytes from an offset up to the cursor.
    func bytes(from offset: Int) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(start: start + offset, count: cursor - start - offset)
    }
}
