/// Looks for the end of one element in chunks, without regard to whether it is JSON: brackets that close, a string that
/// ends, or a word that is followed by something else.
enum ElementScan: Sendable {
    /// An object, an array or a string.
    case value(depth: Int = 0, isString: Bool = false, isEscaped: Bool = false)
    /// A number, `true`, `false` or `null`, or what was meant for one.
    case word

    /// Goes on in a chunk.
    ///
    /// - Returns: Where the element or the chunk ends, and whether it is the element.
    mutating func end(in chunk: [UInt8], from start: Int) -> (end: Int, isWhole: Bool) {
        guard case .value(var depth, var isString, var isEscaped) = self else {
            let end = chunk[start...].firstIndex { !$0.isOfWord }
            return (end ?? chunk.count, end != nil)
        }
        for index in start..<chunk.count {
            let byte = chunk[index]
            if isString {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isString = false
                    if depth == 0 { return (index + 1, true) }
                }
            } else if byte == UInt8(ascii: "\"") {
                isString = true
            } else if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") {
                depth += 1
            } else if byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") {
                depth -= 1
                if depth == 0 { return (index + 1, true) }
            }
        }
        self = .value(depth: depth, isString: isString, isEscaped: isEscaped)
        return (chunk.count, false)
    }
}

extension UInt8 {
    /// Whether the byte can be part of a number, `true`, `false` or `null`, or was meant to.
    var isOfWord: Bool {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
            true
        default: false
        }
    }
}
