public import ModelMirrorFoundation

/// A `multipart/form-data` body (RFC 7578): parts between boundaries, streamed from memory and files.
///
///     --boundary⏎ head of part 1⏎⏎ bytes⏎ --boundary⏎ … ⏎--boundary--⏎
struct MultipartBody {
    /// The body; its length is known before it is sent.
    let body: HTTPBody
    let contentType: String

    /// A body of parts. The boundary has 128 random bits, so that no part contains it.
    ///
    /// - Throws: ``RequestError/invalidRequest(_:)`` for an unreadable file, a part whose type contains a control character,
    ///   and a total length that overflows.
    init(_ parts: [FormPart], boundary: String = MultipartBody.newBoundary()) throws(RequestError) {
        contentType = "multipart/form-data; boundary=\(boundary)"
        var segments: [Segment] = []
        for part in parts {
            if let type = part.type, type.description.unicodeScalars.contains(where: { $0.value < 0x20 }) {
                throw .invalidRequest(
                    "the type of the part \"\(part.name)\" contains a line break or control character")
            }
            segments.append(.data(Data("--\(boundary)\r\n\(part.head)".utf8)))
            switch part.content {
            case .data(let data): segments.append(.data(data))
            case .file(let url): segments.append(.file(url, length: try HTTPBody.file(url).measured().length ?? 0))
            }
            segments.append(.data(Data("\r\n".utf8)))
        }
        segments.append(.data(Data("--\(boundary)--\r\n".utf8)))
        let all = segments
        var length = 0
        for segment in all {
            let (sum, isOver) = length.addingReportingOverflow(segment.length)
            if isOver { throw .invalidRequest("the parts of the body have more bytes than can be counted") }
            length = sum
        }
        body = .chunks(length: length) {
            var reader = SegmentReader(all)
            return { try reader.next() }
        }
    }

    private static func newBoundary() -> String {
        "Boundary-" + (0..<2).map { _ in String(UInt64.random(in: .min ... .max), radix: 36) }.joined(separator: "-")
    }
}

private enum Segment: Sendable {
    case data(Data)
    case file(URL, length: Int)

    var length: Int {
        switch self {
        case .data(let data): data.count
        case .file(_, let length): length
        }
    }
}

/// Reads segments chunk by chunk, with at most one chunk of a file in memory.
private struct SegmentReader {
    private var segments: ArraySlice<Segment>
    private var file: (content: OpenFile, left: Int, url: URL)?
    private static let chunkSize = 1 << 16

    init(_ segments: [Segment]) { self.segments = segments[...] }

    mutating func next() throws -> Data? {
        while true {
            if let open = file {
                if let chunk = try open.content.read(upToCount: Self.chunkSize) {
                    guard chunk.count <= open.left else { throw Self.changed(open.url) }
                    file?.left -= chunk.count
                    return chunk
                }
                guard open.left == 0 else { throw Self.changed(open.url) }
                file = nil
            }
            guard let segment = segments.popFirst() else { return nil }
            switch segment {
            case .data(let data) where data.isEmpty: continue
            case .data(let data): return data
            case .file(let url, let length): file = (try OpenFile.reading(url), length, url)
            }
        }
    }

    private static func changed(_ url: URL) -> RequestError {
        .invalidRequest("the file \(url.path) changed its length while it was sent")
    }
}

extension ParameterList {
    /// The parameters as text fields of a form: arrays and objects become several, by the default ``ParameterStyle``.
    func textParts(_ style: ParameterStyle) throws(RequestError) -> [FormPart] {
        // Parses the encoder's output, so that nested names are built in one place.
        try ParameterEncoder.text(self, style: style, escaping: .query).split(separator: "&").map { pair in
            let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return FormPart(
                name: PercentEscaping.unescaped(halves[0]) ?? String(halves[0]),
                text: PercentEscaping.unescaped(halves[1]) ?? String(halves[1]))
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
    enum Content: Sendable {
        case data(Data)
        case file(URL)
    }

    let name: String
    /// The file name to send; nil for a field that is not a file.
    let filename: String?
    /// The media type; nil sends none, which means `text/plain`.
    let type: MIMEType?
    let content: Content

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
        (self.name, self.filename, self.type) = (name, filename ?? file.lastPathComponent, type)
        content = .file(file)
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
        // By scalars: CR and LF together are one Character.
        name.unicodeScalars.reduce(into: "") { text, scalar in
            switch scalar {
            case "\"": text += "%22"
            case "\r": text += "%0D"
            case "\n": text += "%0A"
            default: text.unicodeScalars.append(scalar)
            }
        }
    }
}
