import ModelMirror

// Here and not beside the type, so that each is a comparison where it is used.

extension JSONTape.Kind {
    var isObject: Bool { if case .object = self { true } else { false } }
    var isArray: Bool { if case .array = self { true } else { false } }
    var isKey: Bool { if case .key = self { true } else { false } }
    var isString: Bool { if case .string = self { true } else { false } }
    var isInteger: Bool { if case .integer = self { true } else { false } }
    var isContainer: Bool { isObject || isArray }
    /// Whether a container ends.
    var isEnd: Bool {
        switch self {
        case .objectEnd, .arrayEnd: true
        default: false
        }
    }
}

extension JSONTape.Token {
    /// The bytes.
    var range: Range<Int> { Int(start)..<Int(end) }
}

extension Span<JSONTape.Token> {
    /// The number of the token after a value, which begins with a token.
    func next(after token: Int) -> Int { (self[token].kind.isContainer ? Int(self[token].end) : token) + 1 }
}
