import ModelMirror

extension DocumentDrift {
    /// The changes for programs.
    var json: JSONValue {
        .array(
            changes.map {
                ["kind": .string($0.kind.rawValue), "path": .string($0.path), "change": .string($0.text)]
            })
    }

    /// The changes, one per line with its kind, and a summary as the last line.
    func text(_ style: TextStyle) -> String {
        guard !changes.isEmpty else { return style.success(summary) }
        let width = changes.map(\.kind.word.count).max() ?? 0
        let lines = changes.map { change in
            let word = change.kind.word + String(repeating: " ", count: width - change.kind.word.count)
            return "\(change.kind.colored(word, style))  \(change)"
        }
        return lines.joined(separator: "\n") + "\n\n" + summary
    }

    /// `3 changes: 1 appeared, 2 changed type`
    var summary: String {
        guard !changes.isEmpty else { return "no drift" }
        let counts = Change.Kind.allCases.compactMap { kind in
            let count = changes.count { $0.kind == kind }
            return count == 0 ? nil : "\(count) \(kind.word)"
        }
        return "\(changes.count.of("change")): " + counts.joined(separator: ", ")
    }
}

extension DocumentDrift.Change.Kind {
    var word: String {
        switch self {
        case .appeared: "appeared"
        case .disappeared: "disappeared"
        case .type: "changed type"
        case .null: "became null"
        case .missing: "became absent"
        case .value: "new value"
        }
    }

    fileprivate func colored(_ text: String, _ style: TextStyle) -> String {
        switch self {
        case .appeared: style.success(text)
        case .disappeared, .type: style.failure(text)
        case .null, .missing, .value: style.warning(text)
        }
    }
}
