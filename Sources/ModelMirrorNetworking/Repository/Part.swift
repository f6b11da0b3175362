public import Foundation

/// One part of a `multipart/form-data` body, RFC 7578: a field of a form, or a file.
///
/// ```swift
/// let parameters: RequestParameters = .multipart([
///     Part(name: "title", text: "A cat"),
///     Part(type: .png, name: "image", filename: "cat.png", data: data),
///     Part(type: .csv, name: "table", file: url),
/// ])
/// ```
public struct Part: Sendable {
    /// Where the bytes come from.
    enum Content: Sendable {
        case data(Data)
        case file(URL)
    }

    /// The name of the field.
    public let name: String
    /// The name of the file that the receiver is told; nil for a field that is no file.
    public let filename: String?
    /// What the bytes are; nil says nothing, which means text.
    public let type: MIMEType?
    let content: Content

    /// A field with text, sent as UTF-8.
    public init(name: String, text: String) {
        (self.name, filename, type, content) = (name, nil, nil, .data(Data(text.utf8)))
    }

    /// Bytes in memory.
    public init(type: MIMEType = .octets, name: String, filename: String? = nil, data: Data) {
        (self.name, self.filename, self.type, content) = (name, filename, type, .data(data))
    }

    /// A file, read while it is sent. Without a `filename`, its own name is told.
    public init(type: MIMEType = .octets, name: String, filename: String? = nil, file: URL) {
        (self.name, self.filename, self.type) = (name, filename ?? file.lastPathComponent, type)
        content = .file(file)
    }

    /// The lines before the bytes, without the boundary.
    ///
    /// Names are escaped as the WHATWG HTML standard says (section 4.10.21.8): quotes and line breaks by `%`.
    var head: String {
        var head = "Content-Disposition: form-data; name=\"\(Part.escaped(name))\""
        if let filename { head += "; filename=\"\(Part.escaped(filename))\"" }
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
