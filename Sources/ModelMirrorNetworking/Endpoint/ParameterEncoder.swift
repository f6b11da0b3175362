import ModelMirror
import ModelMirrorFoundation

/// Writes parameters as `name=value` pairs joined by `&`.
struct ParameterEncoder {
    private let style: ParameterStyle
    /// Whether all but letters, digits and `*-._` are escaped (WHATWG URL, application/x-www-form-urlencoded) and a space is `+`; otherwise
    /// all but the unreserved characters of RFC 3986 section 2.3 are, and a space is `%20`.
    private let isForm: Bool
    private var text = ""

    /// The parameters as ASCII text; empty if none are written.
    ///
    /// - Throws: ``RequestError/invalidRequest(_:)`` for an element that commas cannot join, and for values nested too deep.
    static func text(_ list: ParameterList, style: ParameterStyle, isForm: Bool) throws(RequestError) -> String {
        var encoder = ParameterEncoder(style: style, isForm: isForm)
        for parameter in try list.sendable() {
            try encoder.add(parameter.value, named: encoder.escaped(parameter.name), depth: 0)
        }
        return encoder.text
    }

    /// Appends the pairs of a value whose name is already escaped.
    private mutating func add(_ value: JSONValue, named name: String, depth: Int) throws(RequestError) {
        // The same as for JSON.
        guard depth <= MappingOptions.maximumDepth else {
            throw .invalidRequest("a parameter is nested deeper than \(MappingOptions.maximumDepth) levels")
        }
        switch value {
        case .array(let elements) where style.arrays == .commas:
            if elements.contains(where: { $0.array != nil || $0.object != nil }) {
                throw .invalidRequest(
                    "the parameter \(URL.name(ofItem: name[...]).debugDescription) is an array of arrays or objects, which "
                        + "commas cannot join")
            }
            let texts = elements.compactMap(scalar)
            if !texts.isEmpty { addPair(name, texts.joined(separator: ",")) }
        case .array(let elements):
            for (index, element) in elements.enumerated() {
                let suffix =
                    switch style.arrays {
                    case .brackets: escaped("[]")
                    case .indices: escaped("[\(index)]")
                    case .repeated, .commas: ""
                    }
                try add(element, named: name + suffix, depth: depth + 1)
            }
        case .object(let members):
            for (key, value) in members.sortedByScalars {
                let suffix = style.objects == .brackets ? escaped("[\(key)]") : "." + escaped(key)
                try add(value, named: name + suffix, depth: depth + 1)
            }
        default: if let scalar = scalar(value) { addPair(name, scalar) }
        }
    }

    private mutating func addPair(_ name: String, _ value: String) {
        text += "\(text.isEmpty ? "" : "&")\(name)=\(value)"
    }

    /// The value as escaped text; nil if it is omitted or not a scalar.
    private func scalar(_ value: JSONValue) -> String? {
        switch value {
        case .null: style.nulls == .empty ? "" : nil
        case .bool(let value): style.booleans == .words ? "\(value)" : value ? "1" : "0"
        case .number(let number): escaped(number.text)
        case .string(let string): escaped(string)
        case .array, .object: nil
        }
    }

    private func escaped(_ text: String) -> String {
        PercentEscaping.escaped(text, spaceAsPlus: isForm) { byte in
            switch byte {
            case UInt8(ascii: "~"): !isForm
            case UInt8(ascii: "*"): isForm
            default: PercentEscaping.isUnreserved(byte)
            }
        }
    }
}
