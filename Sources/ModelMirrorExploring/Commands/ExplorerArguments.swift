public import Foundation
import ModelMirror

/// The arguments that follow a command's name.
public struct ExplorerArguments: Sendable {
    /// The positional arguments, in order.
    public private(set) var values: [String] = []
    private var options: [String: String] = [:]
    private let context: CommandContext

    /// Whether an option was given, named without the hyphens.
    public func has(_ option: String) -> Bool { options[option] != nil }

    /// The value of an option, named without the hyphens; nil if it was not given. The last one counts.
    public subscript(option: String) -> String? { options[option] }

    /// Reads the document that an argument names, as the built-in commands do: a path, a URL, or `-` for standard input.
    ///
    /// - Throws: An error that says why it cannot be read; if uncaught, the program exits with code 2.
    public func document(_ argument: String) async throws -> Data {
        Data(try await SourceDocument.read(argument, context).bytes)
    }

    /// The result as text, or as JSON with `--json`.
    func output(_ text: @autoclosure () -> String, json: @autoclosure () -> JSONValue) -> String {
        guard has("json") else { return text() }
        let data = (try? json().jsonData(options: [.pretty, .sortedKeys])) ?? Data()
        return context.shown(String(decoding: data, as: UTF8.self))
    }

    /// Parses the words of a command line.
    ///
    /// Options begin with two hyphens and may occur anywhere before `--`. `-` is an argument: standard input.
    init(
        _ words: some Sequence<String>, of command: ExplorerCommand, _ context: CommandContext
    ) throws(ExplorerCommand.WrongUsage) {
        self.context = context
        var rest = Array(words)[...]
        while let word = rest.popFirst() {
            if word == "--" {
                values += rest
                break
            }
            guard word.hasPrefix("-"), word != "-" else {
                values.append(word)
                continue
            }
            let hyphens = word.hasPrefix("--") ? 2 : 1
            let parts = word.dropFirst(hyphens).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = parts.first.map(String.init) ?? ""
            guard hyphens == 2, let option = command.options.first(where: { $0.name == name }) else {
                let known = command.options.map { "--" + $0.name }
                throw .init(
                    "\(command.name) has no option \(word.quotedForMessage)\(("--" + name).suggestion(among: known))."
                )
            }
            if option.value == nil {
                guard parts.count == 1 else { throw .init("--\(name) takes no value, found \(word.quotedForMessage).") }
                options[name] = ""
            } else if parts.count == 2 {
                options[name] = String(parts[1])
            } else if let value = rest.popFirst() {
                options[name] = value
            } else {
                throw .init("--\(name) needs a value: \(option.usage).")
            }
        }
        guard command.count.contains(values.count) else {
            let expected = command.usage.isEmpty ? "no arguments" : command.usage
            throw .init("\(command.name) takes \(expected), found \(values.count.of("argument")).")
        }
    }
}
