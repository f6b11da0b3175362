import Foundation
import ModelMirror

/// A document that was named on the command line.
struct SourceDocument {
    /// The name, for messages.
    let name: String
    let bytes: [UInt8]

    /// Reads a file, an address, or standard input.
    ///
    /// A bare file name that is not in the current folder is looked up in the folder of the variable `MODELMIRROR_DATA`.
    ///
    /// - Parameter argument: A path, a URL, or `-`.
    static func read(_ argument: String, _ context: CommandContext) async throws(CommandError) -> SourceDocument {
        if argument == "-" {
            return SourceDocument(name: "standard input", bytes: [UInt8](context.standardInput()))
        }
        if argument.contains("://") { return try await fetch(argument, context) }
        switch context.file(argument) {
        case .bytes(let data): return SourceDocument(name: argument, bytes: [UInt8](data))
        case .unreadable(let reason): throw .unreadable("\(argument.quotedForMessage) cannot be read: \(reason).")
        case .missing: return try readBeside(argument, context)
        }
    }

    private static func readBeside(_ name: String, _ context: CommandContext) throws(CommandError) -> SourceDocument {
        let folder = context.variables["MODELMIRROR_DATA"] ?? ""
        guard !name.contains("/"), !folder.isEmpty else {
            throw .unreadable("\(name.quotedForMessage) cannot be read: there is no such file.")
        }
        let path = folder + (folder.hasSuffix("/") ? "" : "/") + name
        switch context.file(path) {
        case .bytes(let data): return SourceDocument(name: path, bytes: [UInt8](data))
        case .unreadable(let reason): throw .unreadable("\(path.quotedForMessage) cannot be read: \(reason).")
        case .missing:
            throw .unreadable(
                "\(name.quotedForMessage) cannot be read: there is no such file here, nor in \(folder), the folder of "
                    + "MODELMIRROR_DATA.")
        }
    }

    private static func fetch(_ text: String, _ context: CommandContext) async throws(CommandError) -> SourceDocument {
        guard let url = URL(string: text), let scheme = url.scheme?.lowercased() else {
            throw .unreadable("\(text.quotedForMessage) is no URL.")
        }
        if scheme == "file" {
            guard case .bytes(let data) = context.file(url.path) else {
                throw .unreadable("\(text.quotedForMessage) cannot be read: there is no such file.")
            }
            return SourceDocument(name: text, bytes: [UInt8](data))
        }
        guard scheme == "http" || scheme == "https" else {
            throw .unreadable("\(text.quotedForMessage) cannot be read: its scheme is none of http, https and file.")
        }
        guard let load = context.load else {
            throw .unreadable(
                "\(text.quotedForMessage) cannot be read: this program fetches no addresses; download it first, with "
                    + "curl -o document.json \(text)")
        }
        context.progress("fetching \(text)")
        defer { context.progress(nil) }
        do {
            return SourceDocument(name: text, bytes: [UInt8](try await load(url)))
        } catch {
            throw .unreadable("\(error)")
        }
    }

    /// The document as a value.
    ///
    /// - Throws: A sentence: it is YAML, or no JSON.
    func value() throws(CommandError) -> JSONValue {
        do {
            return try JSONValue(json: bytes)
        } catch {
            if isYAML { throw .document(yamlSentence) }
            throw .document("\(name): \(error)")
        }
    }

    /// Whether the document is YAML rather than JSON: by the name, or since its first line is `---`, `key: value` or `key:`.
    private var isYAML: Bool {
        let path = name.lowercased()
        if path.hasSuffix(".yaml") || path.hasSuffix(".yml") { return true }
        let start = String(decoding: bytes.prefix(4096), as: UTF8.self)
        let line = start.split(whereSeparator: \.isNewline).first { !$0.hasPrefix("#") } ?? ""
        if line.hasPrefix("---") || line.hasPrefix("%YAML") { return true }
        let word = line.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "$" }
        let rest = line.dropFirst(word.count)
        return !word.isEmpty && (rest == ":" || rest.hasPrefix(": "))
    }

    private var yamlSentence: String {
        let isFile = !name.contains("://") && name != "standard input"
        let source = isFile ? name : "document.yaml"
        let stem = source.split(separator: ".").dropLast().joined(separator: ".")
        let target = (stem.isEmpty ? source : stem) + ".json"
        return "\(name) is YAML, which is not read; convert it first: yq -o=json . \(source) > \(target)"
    }
}
