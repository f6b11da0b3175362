#if os(Linux)
/// Parses the lines of a response's head by RFC 9112: skips informational heads, unfolds folded lines, ignores trailers, and
/// reads values that are not UTF-8 as Latin-1 and a carriage return within a line as a space. Refuses fields that give the end of the
/// body if libcurl reads them differently.
package struct HeadParser {
    /// The result of a line.
    package enum Step {
        /// More lines follow.
        case next
        /// This was the last line of the head.
        case head(TransferHead)
        /// The head is invalid: the reason as a clause.
        case refused(String)
    }

    /// The most bytes of all heads and trailers of a response together. Less than libcurl's own limit, which not all versions
    /// have.
    static let byteLimit = 1 << 18

    private var status: Int?
    private var fields: [HTTPHeaders.Field] = []
    private var count = 0
    private(set) var isComplete = false
    /// Whether a line has come.
    var hasBegun: Bool { count > 0 }
    /// Where the next line is: `after the status line`, `after the field "Server"`; empty before the first line. Values of fields
    /// may be secret.
    var place: String {
        if let field = fields.last { return "after the field \(field.name.description.quotation)" }
        return status == nil ? "" : "after the status line"
    }

    package init() {}

    /// Takes a line, with or without its line break.
    package mutating func take(_ line: UnsafeRawBufferPointer) -> Step {
        count += line.count
        guard count <= HeadParser.byteLimit else {
            return .refused("the head is larger than \(HeadParser.byteLimit) bytes")
        }
        // What follows the head are trailers.
        guard !isComplete else { return .next }
        var bytes = line[...]
        while let last = bytes.last, last == 0x0A || last == 0x0D { bytes.removeLast() }
        guard let first = bytes.first else { return endOfHead() }
        if bytes.starts(with: "HTTP/".utf8) { return takeStatus(bytes) }
        guard status != nil else { return .next }
        if first == 0x20 || first == 0x09 || first == 0x0D {
            // RFC 9112 section 5.2: a folded line continues the previous value. A carriage return counts as a space.
            if !fields.isEmpty, !bytes.trimmed.isEmpty {
                // In place, since a head may be one field in very many lines.
                let last = fields.count - 1
                if HeadParser.framing.contains(fields[last].name) { return unseen(fields[last].name) }
                if !fields[last].value.isEmpty { fields[last].value += " " }
                fields[last].value += text(bytes.trimmed)
            }
            return .next
        }
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else { return .next }
        let name = bytes[..<colon].trimmed
        guard !name.isEmpty else { return .next }
        let value = bytes[bytes.index(after: colon)...]
        let field = HTTPHeaders.Field(name: HeaderName(text(name)), value: text(value.trimmed))
        let isOdd = name.endIndex != colon || value.contains(0x0D)
        if isOdd, HeadParser.framing.contains(field.name) { return unseen(field.name) }
        fields.append(field)
        return .next
    }

    /// The fields by which libcurl finds the end of the body.
    private static let framing: Set<HeaderName> = [.contentLength, .transferEncoding]

    /// The step of a field in a form that libcurl does not recognize; without it, other bytes would be the body.
    private func unseen(_ name: HeaderName) -> Step {
        .refused("its field \(name.description.quotation) is folded, or has a stray space or carriage return")
    }

    /// Takes `HTTP/1.1 200 OK`, where the reason may be missing.
    private mutating func takeStatus(_ line: Slice<UnsafeRawBufferPointer>) -> Step {
        fields = []
        let code = line.drop { $0 != 0x20 }.drop { $0 == 0x20 }.prefix { $0 != 0x20 }
        status = code.allSatisfy(\.isDigit) ? Int(text(code)) : nil
        guard code.count == 3, let status, status >= 100 else {
            return .refused("its status line is \(text(line[...]).quotation)")
        }
        return .next
    }

    private mutating func endOfHead() -> Step {
        guard let status else { return .next }
        // 101 is final here: no request asks for another protocol.
        guard status >= 200 || status == 101 else {
            self.status = nil
            return .next
        }
        // RFC 9112 section 6.3: a list of the same length counts as that length.
        let values = fields.lazy.filter { $0.name == .contentLength }.map(\.value)
        let lengths = Set(values.flatMap { $0.split(separator: ",") }.map(\.withoutOuterSpaces))
        guard lengths.count <= 1 else {
            let some = lengths.sorted().prefix(3).map(\.quotation)
            return .refused("it announces the lengths \(some.joined(separator: " and "))")
        }
        // libcurl would read until the connection closes.
        if let length = lengths.first, !length.utf8.allSatisfy(\.isDigit) || Int64(length) == nil {
            return .refused("it announces the length \(length.quotation), which is not a number of bytes")
        }
        // libcurl would leave another coding in the body, or take it for none.
        let codings = fields.lazy.filter { $0.name == .transferEncoding }.flatMap { $0.value.split(separator: ",") }
            .map { String($0.trimming { $0 == " " || $0 == "\t" }) }
        if let coding = codings.first(where: { !["", "chunked", "identity"].contains($0.lowercased()) }) {
            return .refused("its transfer coding \(coding.quotation) is not supported")
        }
        isComplete = true
        return .head(TransferHead(status: status, headers: HTTPHeaders(fields)))
    }

    private func text(_ bytes: Slice<UnsafeRawBufferPointer>) -> String {
        // RFC 9112 section 2.2: a carriage return that ends no line is a space, or makes the line invalid.
        guard bytes.contains(0x0D) else { return decoded(bytes) }
        return decoded(bytes.map { $0 == 0x0D ? 0x20 : $0 })
    }

    private func decoded(_ bytes: some Collection<UInt8>) -> String {
        String(validating: bytes, as: UTF8.self)
            ?? String(String.UnicodeScalarView(bytes.lazy.map { Unicode.Scalar($0) }))
    }
}

extension Slice<UnsafeRawBufferPointer> {
    /// Without surrounding spaces, tabs and carriage returns.
    fileprivate var trimmed: Self { trimming { $0.isBlank || $0 == 0x0D } }
}
#endif
