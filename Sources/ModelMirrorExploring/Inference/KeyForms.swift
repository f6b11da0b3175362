/// Tells keys apart that are two in JSON and equal to `String`, such as `é` as one scalar and as two: all forms but one get a mark.
struct KeyForms {
    /// A scalar for private use, which is in no name. It is left out where keys are written as source.
    private static let mark: Unicode.Scalar = "\u{10FFFD}"

    private var forms: [String: [ExactText]] = [:]

    /// Documents with marked keys; most have none.
    static func marked(_ documents: [Sample]) -> [Sample] {
        var forms = KeyForms()
        for document in documents { forms.collect(document) }
        var marked: [ExactText: String] = [:]
        for several in forms.forms.values where several.count > 1 {
            // The form that compilers keep in a name.
            let plain = several.first { !KeyPlan.isDecomposed($0.text) } ?? several[0]
            for (index, form) in several.filter({ $0 != plain }).enumerated() {
                marked[form] = String(repeating: "\(mark)", count: index + 1) + form.text
            }
        }
        return marked.isEmpty
            ? documents : documents.map { document in document.withKeys { marked[ExactText($0)] ?? $0 } }
    }

    /// A document in which such keys are one: the last value counts, at the position of the first.
    static func merged(_ document: Sample) -> Sample {
        var forms = KeyForms()
        forms.collect(document)
        return forms.forms.values.contains { $0.count > 1 } ? document.withKeys { $0 } : document
    }

    /// A key without its mark.
    static func unmarked(_ key: String) -> String {
        key.unicodeScalars.first == mark ? String(key.unicodeScalars.drop { $0 == mark }) : key
    }

    private mutating func collect(_ value: Sample) {
        for element in value.elements ?? [] { collect(element) }
        for member in value.members ?? [] {
            collect(member.value)
            guard member.key.utf8.contains(where: { $0 >= 0x80 }) else { continue }
            let key = ExactText(member.key)
            if forms[member.key]?.contains(key) != true { forms[member.key, default: []].append(key) }
        }
    }
}

extension Sample {
    /// The same with other keys; members whose keys are equal become one.
    fileprivate func withKeys(_ key: (String) -> String) -> Sample {
        switch self {
        case .array(let elements): return .array(elements.map { $0.withKeys(key) })
        case .object(let members):
            var places: [String: Int] = [:]
            var list: [Member] = []
            for member in members {
                let new = Member(key: key(member.key), value: member.value.withKeys(key))
                if let place = places[new.key] {
                    list[place].value = new.value
                } else {
                    places[new.key] = list.count
                    list.append(new)
                }
            }
            return .object(list)
        default: return self
        }
    }
}
