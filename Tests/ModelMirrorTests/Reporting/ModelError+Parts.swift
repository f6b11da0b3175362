import ModelMirror

/// The parts of an error that tests check; empty or nil if the error is of another case.
extension ModelError {
    /// The failures of `.invalidValues`.
    var valueFailures: [PropertyFailure] { if case .invalidValues(let failures) = self { failures } else { [] } }

    /// The error of `.invalidModel`.
    var modelFault: InvalidModel? { if case .invalidModel(let fault) = self { fault } else { nil } }

    /// The error of `.invalidJSON`.
    var syntaxError: JSONSyntaxError? { if case .invalidJSON(let error) = self { error } else { nil } }

    /// One line for each problem.
    var lines: [String] { description.split(separator: "\n").map(String.init) }
}

extension DecodingError {
    /// The context of `.dataCorrupted`.
    var corruption: Context? { if case .dataCorrupted(let context) = self { context } else { nil } }

    /// The key of `.keyNotFound`.
    var missingKey: String? { if case .keyNotFound(let key, _) = self { key.stringValue } else { nil } }
}

extension EncodingError {
    /// The value of `.invalidValue` and its context.
    var rejection: (value: Any, context: Context)? {
        if case .invalidValue(let value, let context) = self { (value, context) } else { nil }
    }
}

extension MappingReport {
    /// One line for each entry.
    var lines: [String] { entries.map(\.description) }

    /// Kind, path, expected and found of each entry: `coerced $.id: an integer, the string "7"`.
    var outlines: [String] { entries.map(\.outline) }

    /// Counts the entries of several reports.
    static func merging(_ reports: some Sequence<MappingReport>) -> MappingSummary {
        reports.reduce(into: MappingSummary()) { $0 += $1 }
    }
}

extension MappingReport.Entry {
    /// Kind, path, expected and found: `coerced $.id: an integer, the string "7"`.
    var outline: String { "\(kind) \(self.path): \(self.expected), \(self.found)" }
}
