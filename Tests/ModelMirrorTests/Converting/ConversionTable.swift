import Testing

import ModelMirror

/// Checks which JSON values the properties of one type accept and reject, in every place where such a value can occur.
///
/// ```text
/// {"value": 7}            Value, Value?
/// {"value": [7]}          [Value], [Value]?, [Value?], ContiguousArray<Value>, Set<Value>
/// {"value": {"key": 7}}   [String: Value]
/// {"value": [[7]]}        [[Value]], and so on
/// ```
///
/// Each place is mapped leniently and strictly; value, report and failure are compared word for word.
struct ConversionTable<Value: Hashable & Sendable>: Sendable {
    /// The properties' declared default, which a rejected value leaves in place. No case may produce the same value.
    let start: Value
    /// The end of "expected …".
    let expected: String

    /// Checks that lenient and strict mapping accept a value and report nothing.
    func takes(_ json: String, as value: Value, at source: Testing.SourceLocation = #_sourceLocation) {
        check(json, .taken(value), "", source)
    }

    /// Checks that lenient mapping accepts a value and reports it as coerced, and that strict mapping rejects it.
    ///
    /// - Parameter found: The end of "found …", where it is not simply the JSON.
    func coerces(
        _ json: String, to value: Value, found: String? = nil, at source: Testing.SourceLocation = #_sourceLocation
    ) {
        check(json, .coerced(value), sentence(nil, found, json), source)
    }

    /// Checks that lenient mapping rejects a value and reports it, and that strict mapping fails.
    ///
    /// - Parameters:
    ///   - expected: The end of "expected …", if it is not the table's.
    ///   - found: The end of "found …", where it is not simply the JSON.
    func refuses(
        _ json: String, expected: String? = nil, found: String? = nil,
        at source: Testing.SourceLocation = #_sourceLocation
    ) {
        check(json, .refused, sentence(expected, found, json), source)
    }

    /// Checks that both kinds of mapping accept a value and report nothing, or reject it if it is to become nil.
    func converts(_ json: String, to value: Value?, at source: Testing.SourceLocation = #_sourceLocation) {
        if let value { takes(json, as: value, at: source) } else { refuses(json, at: source) }
    }

    // MARK: Places

    private enum Outcome {
        case taken(Value)
        case coerced(Value)
        case refused
    }

    private func check(_ json: String, _ outcome: Outcome, _ sentence: String, _ source: Testing.SourceLocation) {
        let values: [Value] =
            switch outcome {
            case .taken(let value), .coerced(let value): [value]
            case .refused: []
            }
        let isTaken = if case .taken = outcome { true } else { false }
        let isRefused = values.isEmpty
        func place<Property: Equatable & Sendable>(
            _ text: String, _ path: String, _ start: Property, _ result: Property, refusal: String = "skipped"
        ) {
            let check = PropertyCheck(
                json: text.replacing("•", with: json), offset: text.prefix { $0 != "•" }.utf8.count, path: path,
                start: start,
                result: result, sentence: sentence, source: source)
            check.leniently(isTaken ? nil : isRefused ? refusal : "coerced")
            check.strictly(succeeds: isTaken)
        }
        place("•", "", start, values.first ?? start, refusal: "fallback")
        place("•", "", Optional(start), values.first ?? start, refusal: "fallback")
        place("[•]", "[0]", [start], values)
        place("[•]", "[0]", Optional([start]), values)
        place("[ •]", "[0]", [Optional(start)], values)
        place("[•]", "[0]", ContiguousArray([start]), ContiguousArray(values))
        place("[•]", "[0]", Set([start]), Set(values))
        place(#"{"k": •}"#, ".k", ["k": start], values.first.map { ["k": $0] } ?? [:])
        place("[[], [•]]", "[1][0]", [[start]], [[], values])
        place(#"{"a b": [•]}"#, #"["a b"][0]"#, ["k": [start]], ["a b": values])
        place(#"[{"1": [[•]]}]"#, "[0][\"1\"][0][0]", [[2: [Set([start])]]], [[1: [Set(values)]]])
    }

    private func sentence(_ expected: String?, _ found: String?, _ json: String) -> String {
        "expected \(expected ?? self.expected), found \(found ?? foundText(json))."
    }

    /// A scalar as messages describe it.
    private func foundText(_ json: String) -> String {
        switch json.first {
        case "\"": "the string \(json)"
        case "[": "an array"
        case "{": "an object"
        case "t", "f", "n": json
        default: "the number \(json)"
        }
    }
}

/// One property and one document, in which one value is in question.
struct PropertyCheck<Property: Equatable & Sendable> {
    /// The property's JSON.
    let json: String
    /// How many bytes of it are before the value in question; they are ASCII.
    let offset: Int
    /// The path from the property to the value in question, as in a ``JSONPath``'s description.
    let path: String
    /// The property's declared default.
    let start: Property
    /// The property's value after the mapping.
    let result: Property
    /// The end of the message, from "expected" on.
    let sentence: String
    let source: Testing.SourceLocation

    private var document: String { #"{"value": \#(json)}"# }

    private var message: String {
        "\(plainName(PropertyHolder<Property>.self)).value at $.value\(path) (line 1, column \(11 + offset)): \(sentence)"
    }

    /// The message of a failure, which names the option that accepts the value.
    private var failureMessage: String {
        switch sentence {
        case _ where sentence.hasPrefix("expected a string, found the number "):
            "\(message.dropLast()); the option stringsFromNumbers accepts it."
        case _ where sentence.hasPrefix(#"expected a date in ISO 8601 or "y-MM-dd HH:mm:ssZ", found the number "#):
            "\(message.dropLast()); the option dates accepts numbers, as .secondsSince1970 or .millisecondsSince1970."
        default: message
        }
    }

    /// - Parameter kind: The kind of the report's entry for the value; nil if nothing is reported.
    func leniently(_ kind: String?) {
        #expect(throws: Never.self, sourceLocation: source) {
            let (holder, report) = try HolderStart.$current.withValue(start) {
                try PropertyHolder<Property>.mapReporting(json: document)
            }
            #expect(holder.value == result, sourceLocation: source)
            #expect(
                report.entries.map(\.description) == (kind.map { ["\($0): \(message)"] } ?? []), sourceLocation: source)
        }
    }

    func strictly(succeeds: Bool) {
        do {
            let (holder, report) = try HolderStart.$current.withValue(start) {
                try PropertyHolder<Property>.mapReporting(json: document, options: .strict)
            }
            #expect(succeeds, sourceLocation: source)
            #expect(holder.value == result, sourceLocation: source)
            #expect(report.entries.isEmpty, sourceLocation: source)
        } catch {
            #expect(!succeeds && "\(error)" == failureMessage, sourceLocation: source)
            let failures = (error as? ModelError)?.valueFailures
            #expect(failures?.map(\.offset) == [10 + offset], sourceLocation: source)
        }
    }
}

/// The default value of the next holder to be created.
private enum HolderStart {
    @TaskLocal static var current: (any Sendable)?
}

/// A model with one property of any type and any default.
final class PropertyHolder<Property: Sendable>: AbstractModel {
    var value: Property

    required init() {
        guard let start = HolderStart.current as? Property else { preconditionFailure("no start for \(Property.self)") }
        value = start
    }
}

/// A type's name as the library prints it. Optimized code prints a private type that it knows at compile time with the file it
/// is private to, `(Plan in _8B21C44A)`, which must not depend on how a test was compiled.
func plainName(_ type: Any.Type) -> String { "\(type)".replacing(/\((\w+) in _[0-9A-F]+\)/) { String($0.1) } }
