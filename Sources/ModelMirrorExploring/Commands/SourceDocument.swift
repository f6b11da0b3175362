import Foundation
import ModelMirror

/// A document named on the command line.
struct SourceDocument {
    /// The name, for messages.
    let name: String
    let bytes: [UInt8]

    /// What the names of files and URLs begin with in common, without folders and endings; empty for standard input.
    private static func commonName(of documents: [SourceDocument]) -> String {
        let stems = documents.map { document in
            if document.name == "standard input" { return "" }
            let path = document.name.contains("://") ? URL(string: document.name)?.path ?? "" : document.name
            return String(path.split(separator: "/").last?.prefix { $0 != "." } ?? "")
        }
        return stems.dropFirst().reduce(stems.first ?? "") { $0.commonPrefix(with: $1) }
    }

    /// The names of classes for documents. Several of one source are a list, as in NDJSON.
    static func naming(of documents: [SourceDocument], root: String? = nil, prefix: String = "") -> ClassNaming {
        let isOfList = documents.count > 1 && documents.allSatisfy { $0.name == documents[0].name }
        return ClassNaming(root: root, document: commonName(of: documents), isOfList: isOfList, prefix: prefix)
    }

    /// Reads a file, a URL, or standard input, whole.
    static func read(_ argument: String, _ context: CommandContext) async throws(CommandError) -> SourceDocument {
        let (name, source) = try await open(argument, context)
        do throws(ByteSource.Failure) {
            return SourceDocument(name: name, bytes: try source.rest())
        } catch {
            throw unreadable(name, error)
        }
    }

    /// Opens a file, a URL, or standard input.
    ///
    /// A bare file name that is not in the current folder is looked up in the folder of the environment variable
    /// `MODELMIRROR_DATA`.
    ///
    /// - Parameter argument: A path, a URL, or `-`.
    static func open(
        _ argument: String, _ context: CommandContext
    ) async throws(CommandError) -> (name: String, source: ByteSource) {
        if argument == "-" { return ("standard input", context.standardInput()) }
        if argument.contains("://") { return try await fetch(argument, context) }
        if let source = try content(of: argument, as: argument, context) { return (argument, source) }
        let folder = context.variables["MODELMIRROR_DATA"] ?? ""
        guard !argument.contains("/"), !folder.isEmpty else { throw missing(argument) }
        let path = folder + (folder.hasSuffix("/") ? "" : "/") + argument
        if let source = try content(of: path, as: path, context) { return (path, source) }
        throw missing(argument, " here, nor in \(folder), the folder of MODELMIRROR_DATA")
    }

    /// The path of a file that is named by its path or URL; other arguments as they are.
    static func path(of argument: String) -> String {
        guard argument.contains("://"), let url = URL(string: argument), url.isFileURL else { return argument }
        return url.path
    }

    /// Opens a file; nil if there is none.
    private static func content(
        of path: String, as name: String, _ context: CommandContext
    ) throws(CommandError) -> ByteSource? {
        switch context.file(path) {
        case .source(let source): return source
        case .unreadable(let reason): throw unreadable(name, .init(reason))
        case .missing: return nil
        }
    }

    /// The error for a document that cannot be read.
    static func unreadable(_ name: String, _ failure: ByteSource.Failure) -> CommandError {
        .unreadable("\(name.quotedForMessage) cannot be read: \(failure.reason).")
    }

    private static func missing(_ name: String, _ place: String = "") -> CommandError {
        unreadable(name, .init("there is no such file\(place)"))
    }

    private static func fetch(
        _ text: String, _ context: CommandContext
    ) async throws(CommandError) -> (name: String, source: ByteSource) {
        guard let url = URL(string: text), let scheme = url.scheme?.lowercased() else {
            throw .unreadable("\(text.quotedForMessage) is not a URL.")
        }
        if scheme == "file" {
            guard let source = try content(of: url.path, as: text, context) else { throw missing(text) }
            return (text, source)
        }
        let name = url.withoutUserInfo?.absoluteString ?? text
        guard scheme == "http" || scheme == "https" else {
            throw unreadable(name, .init("its scheme is not http, https or file"))
        }
        guard let load = context.load else {
            throw .unreadable(
                "\(name.quotedForMessage) cannot be read: this program cannot fetch URLs; download it first: "
                    + "curl -o document.json \(name.quotedForShell)")
        }
        context.progress("fetching \(name)")
        defer { context.progress(nil) }
        do {
            return (name, ByteSource([UInt8](try await load(url))))
        } catch {
            throw .unreadable("\(error)")
        }
    }

    /// The document as a value.
    ///
    /// - Throws: An error if it is not JSON, which says how to convert YAML.
    func value() throws(CommandError) -> JSONValue {
        do {
            return try JSONValue(json: bytes)
        } catch {
            if let yaml { throw yaml }
            throw .document("\(name): \(error)")
        }
    }

    /// The error for a document that looks like YAML; nil for any other.
    var yaml: CommandError? {
        let stem = [".yaml", ".yml"].first(where: name.lowercased().hasSuffix).map { name.dropLast($0.count) }
        guard stem != nil || isYAML else { return nil }
        let isFile = !name.contains("://") && name != "standard input"
        let (source, target) = isFile ? (name, "\(stem ?? name[...]).json") : ("document.yaml", "document.json")
        return .document(
            "\(name) is YAML, which is not read; convert it first: "
                + "yq -o=json . \(source.quotedForShell) > \(target.quotedForShell)")
    }

    /// Whether the document begins like YAML: with `---`, with `%YAML`, or with `key:` and a second `key:` or a `- ` item,
    /// ignoring comments.
    ///
    /// A single such line may be a message, such as the `Error: not found` of a proxy.
    private var isYAML: Bool {
        let start = String(decoding: bytes.prefix(4096), as: UTF8.self)
        let lines = start.split(whereSeparator: \.isNewline).filter { !$0.hasPrefix("#") }
        guard let first = lines.first else { return false }
        if first.hasPrefix("---") || first.hasPrefix("%YAML") { return true }
        guard let second = lines.dropFirst().first else { return false }
        let item = second.drop { $0 == " " }
        return first.isYAMLMember && (item.isYAMLMember || item.hasPrefix("- "))
    }
}

extension URL {
    /// The URL without its user and password, which no message and no page shows; nil if it has none.
    fileprivate var withoutUserInfo: URL? {
        guard user != nil || password != nil, var parts = URLComponents(url: self, resolvingAgainstBaseURL: true) else {
            return nil
        }
        (parts.user, parts.password) = (nil, nil)
        return parts.url
    }
}

extension Substring {
    /// Whether the line is `key: value` or `key:`.
    fileprivate var isYAMLMember: Bool {
        let rest = drop { $0.isLetter || $0.isNumber || "_$-".contains($0) }
        return rest.startIndex != startIndex && (rest == ":" || rest.hasPrefix(": "))
    }
}

extension String {
    /// The text quoted as one word for a shell. By scalars, since a combining mark may follow a quote.
    var quotedForShell: String {
        let isPlain = !isEmpty && allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "_./:-".contains($0)) }
        return isPlain ? self : "'\(unicodeScalars.replacing("'".unicodeScalars, with: "'\\''".unicodeScalars))'"
    }
}
