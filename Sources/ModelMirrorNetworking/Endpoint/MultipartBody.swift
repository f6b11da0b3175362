public import ModelMirrorFoundation

/// A `multipart/form-data` body (RFC 7578): parts between boundaries, streamed from memory and files.
///
///     --boundary⏎ head of part 1⏎⏎ bytes⏎ --boundary⏎ … ⏎--boundary--⏎
extension HTTPBody {
    /// A body of parts; its length is known before it is sent.
    ///
    /// - Throws: ``RequestError/invalidRequest(_:)`` for an unreadable file, a part whose type contains a control character,
    ///   and a total length that overflows.
    static func multipart(_ parts: [FormPart], boundary: String) throws(RequestError) -> HTTPBody {
        var segments: [HTTPBody] = []
        for part in parts {
            if let type = part.type, type.description.unicodeScalars.contains(where: { $0.value < 0x20 }) {
                throw .invalidRequest(
                    "the type of the part \(part.name.debugDescription) contains a line break or control character")
            }
            segments.append(.data(Data("--\(boundary)\r\n\(part.head)".utf8)))
            // Not the measured content, which is no file if the file is empty: it may grow before it is sent.
            segments.append(HTTPBody(content: part.content.content, length: try part.content.measured().length))
            segments.append(.data(Data("\r\n".utf8)))
        }
        segments.append(.data(Data("--\(boundary)--\r\n".utf8)))
        guard let length = Int(exactly: segments.reduce(0 as Int128) { $0 + Int128($1.length ?? 0) }) else {
            throw .invalidRequest("the parts of the body have more bytes than can be counted")
        }
        return .chunks(length: length) { [segments] in reading(segments) }
    }

    /// Reads segments one after the other, with at most one chunk of a file in memory.
    private static func reading(_ segments: [HTTPBody]) -> ChunkProducer {
        var rest = segments[...]
        var chunks: Chunks?
        return {
            while let segment = rest.first {
                if chunks == nil { chunks = Chunks(segment) }
                if let chunk = try await chunks?.next() { return chunk }
                (chunks, rest) = (nil, rest.dropFirst())
            }
            return nil
        }
    }
}

extension ParameterList {
    /// The parameters as text fields of a form: arrays and objects become several, by the default ``ParameterStyle``.
    func textParts(_ style: ParameterStyle) throws(RequestError) -> [FormPart] {
        // Parses the encoder's output, so that nested names are built in one place.
        try ParameterEncoder.text(self, style: style, isForm: false).split(separator: "&").map { pair in
            let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                .map { PercentEscaping.unescaped($0) ?? String($0) }
            return FormPart(name: halves[0], text: halves[1])
        }
    }
}

/// One part of a `multipart/form-data` body, RFC 7578: a field of a form, or a file.
///
/// ```swift
/// let parameters: RequestParameters = .multipart([
///     FormPart(name: "title", text: "A cat"),
///     FormPart(type: .png, name: "image", filename: "cat.png", data: data),
///     FormPart(type: .csv, name: "table", file: url),
/// ])
/// ```
public struct FormPart: Sendable {
    let name: String
    /// The file name to send; nil for a field that is not a file.
    let filename: String?
    /// The media type; nil sends none, which means `text/plain`.
    let type: MIMEType?
    let content: HTTPBody

    /// A field with text, sent as UTF-8.
    public init(name: String, text: String) {
        (self.name, filename, type, content) = (name, nil, nil, .data(Data(text.utf8)))
    }

    /// Bytes in memory.
    public init(type: MIMEType = .octets, name: String, filename: String? = nil, data: Data) {
        (self.name, self.filename, self.type, content) = (name, filename, type, .data(data))
    }

    /// A file, read while it is sent. `filename` defaults to the file's name.
    public init(type: MIMEType = .octets, name: String, filename: String? = nil, file: URL) {
        (self.name, self.filename, self.type, content) = (name, filename ?? file.lastPathComponent, type, .file(file))
    }

    /// The lines before the bytes, without the boundary.
    ///
    /// Names are escaped by the WHATWG HTML standard (section 4.10.21.8): quotes and line breaks with `%`.
    var head: String {
        var head = "Content-Disposition: form-data; name=\"\(FormPart.escaped(name))\""
        if let filename { head += "; filename=\"\(FormPart.escaped(filename))\"" }
        head += "\r\n"
        if let type { head += "Content-Type: \(type)\r\n" }
        return head + "\r\n"
    }

    private static func escaped(_ name: String) -> String {
        PercentEscaping.escaped(name) { !"\"\r\n".utf8.contains($0) }
    }
}
