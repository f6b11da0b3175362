public import ModelMirror

/// Checks that converters read what they write.
///
/// ```swift
/// @Test func cents() {
///     #expect(ConverterCheck.check(CentsConverter(), values: [0, 199, -5], samples: [1.5, 2], rejects: ["x", nil]) == [])
/// }
/// ```
public enum ConverterCheck {
    /// The problems of a converter, as sentences; empty if there are none.
    ///
    /// - Parameters:
    ///   - converter: The converter.
    ///   - values: Values that must be written and read back equal.
    ///   - samples: JSON that must be read; the result must be written and read back equal.
    ///   - rejects: JSON that must be rejected with an error.
    public static func check<Value>(
        _ converter: some Converter<Value>, values: [Value] = [], samples: [JSONValue] = [], rejects: [JSONValue] = []
    ) -> [String] {
        if let fault = converter.ownFault { return ["The converter has a fault: \(fault)."] }
        var found: [String] = []
        for value in values { found += roundTrip(converter, value, of: shown(value)) }
        for sample in samples {
            do {
                found += try roundTrip(converter, converter.value(from: sample), of: "what \(sample) becomes")
            } catch {
                found.append("\(sample) is not read: \(text(error)).")
            }
        }
        for sample in rejects {
            if let value = try? converter.value(from: sample) {
                found.append("\(sample) is read as \(shown(value)), and should be rejected.")
            }
        }
        return found
    }

    private static func roundTrip<Value>(
        _ converter: some Converter<Value>, _ value: Value, of name: String
    ) -> [String] {
        let written: JSONValue
        do {
            written = try converter.json(from: value)
        } catch {
            return ["\(name) is not written: \(text(error))."]
        }
        do {
            // Through text, as in a document, where only JSON values survive.
            let read = try converter.value(from: try JSONValue(json: written.description))
            let again = try converter.json(from: read)
            let isEqual = Comparison.equality(value, read) ?? (again == written)
            if !isEqual {
                return ["\(name) is written as \(written), which is read as \(shown(read))."]
            }
            return again == written
                ? [] : ["\(name) is written as \(written), and once it was read as \(again)."]
        } catch {
            return ["\(name) is written as \(written), which is not read: \(text(error))."]
        }
    }

    /// A plain value as in other messages; any other by its own description, which a test may run.
    private static func shown(_ value: Any) -> String {
        value is String || FoundValue.plainText(value) != nil ? FoundValue.text(value) : "\(value)"
    }

    private static func text(_ error: any Error) -> String {
        let text = "\(error)"
        return text.hasSuffix(".") ? String(text.dropLast()) : text
    }
}
