/// A plain second implementation of RFC 8259, one function for each rule: the reference for the reader in tests with random
/// input. It works on Unicode scalars, and the standard library validates UTF-8.
struct ReferenceGrammar {
    private var rest: ArraySlice<Unicode.Scalar>

    /// Whether the bytes are a JSON document that a strict reader accepts. Depth is not limited.
    static func accepts(_ bytes: [UInt8]) -> Bool {
        guard let text = String(validating: bytes, as: UTF8.self) else { return false }
        var grammar = ReferenceGrammar(rest: Array(text.unicodeScalars)[...])
        if grammar.rest.first == "\u{FEFF}" { grammar.rest.removeFirst() }
        grammar.space()
        guard grammar.value() else { return false }
        grammar.space()
        return grammar.rest.isEmpty
    }

    // Each function consumes its rule's text from the front and returns whether it is there.

    private mutating func value() -> Bool {
        switch rest.first {
        case "{": object()
        case "[": array()
        case "\"": string()
        default: take("null") || take("true") || take("false") || number()
        }
    }

    private mutating func object() -> Bool {
        guard take("{") else { return false }
        space()
        if take("}") { return true }
        repeat {
            space()
            guard string() else { return false }
            space()
            guard take(":") else { return false }
            space()
            guard value() else { return false }
            space()
        } while take(",")
        return take("}")
    }

    private mutating func array() -> Bool {
        guard take("[") else { return false }
        space()
        if take("]") { return true }
        repeat {
            space()
            guard value() else { return false }
            space()
        } while take(",")
        return take("]")
    }

    private mutating func number() -> Bool {
        _ = take("-")
        if !take("0") {
            guard let first = rest.first, ("1"..."9").contains(first) else { return false }
            _ = digits()
        }
        if take(".") { guard digits() else { return false } }
        if take("e") || take("E") {
            _ = take("+") || take("-")
            return digits()
        }
        return true
    }

    private mutating func digits() -> Bool {
        let count = rest.prefix { ("0"..."9").contains($0) }.count
        rest = rest.dropFirst(count)
        return count > 0
    }

    private mutating func string() -> Bool {
        guard take("\"") else { return false }
        while let character = rest.popFirst() {
            switch character {
            case "\"": return true
            case "\\":
                if take("u") {
                    guard unicodeEscape() else { return false }
                } else {
                    guard let kind = rest.popFirst(), "\"\\/bfnrt".unicodeScalars.contains(kind) else { return false }
                }
            default: if character.value < 0x20 { return false }
            }
        }
        return false
    }

    /// What follows `\u`: a character, or a high surrogate with the low one that belongs to it.
    private mutating func unicodeEscape() -> Bool {
        guard let unit = codeUnit() else { return false }
        if UTF16.isTrailSurrogate(unit) { return false }
        if !UTF16.isLeadSurrogate(unit) { return true }
        guard take("\\u"), let second = codeUnit() else { return false }
        return UTF16.isTrailSurrogate(second)
    }

    private mutating func codeUnit() -> UInt16? {
        let digits = String(String.UnicodeScalarView(rest.prefix(4)))
        rest = rest.dropFirst(4)
        // `UInt16.init(_:radix:)` would accept a sign.
        guard digits.unicodeScalars.count == 4, digits.allSatisfy(\.isHexDigit), digits.allSatisfy(\.isASCII) else {
            return nil
        }
        return UInt16(digits, radix: 16)
    }

    private mutating func space() { rest = rest.drop { $0 == " " || $0 == "\t" || $0 == "\n" || $0 == "\r" } }

    private mutating func take(_ text: String) -> Bool {
        guard rest.starts(with: text.unicodeScalars) else { return false }
        rest = rest.dropFirst(text.unicodeScalars.count)
        return true
    }
}
