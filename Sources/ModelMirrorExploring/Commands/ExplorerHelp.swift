/// The texts of `--help`.
struct ExplorerHelp {
    let program: String
    let commands: [ExplorerCommand]
    let style: TextStyle

    /// All commands, how documents are named, and the exit codes.
    var overview: String {
        let lines = commands.map { ["\($0.name) \($0.usage)", $0.summary] }
        return """
            \(style.strong("USAGE"))
              \(program) COMMAND [ARGUMENTS] [OPTIONS]

            \(style.strong("COMMANDS"))
            \(indented(lines))

            \(program) COMMAND --help shows a command's options and examples.

            \(documents)

            \(exitCodes)
            """
    }

    /// The help of one command.
    func text(of command: ExplorerCommand) -> String {
        var parts = ["\(style.strong("USAGE"))\n  \(program) \(line(of: command))"]
        parts.append(command.details.isEmpty ? command.summary : command.details)
        if !command.options.isEmpty {
            parts.append(style.strong("OPTIONS") + "\n" + indented(command.options.map { [$0.usage, $0.summary] }))
        }
        if !command.examples.isEmpty {
            parts.append(
                style.strong("EXAMPLES") + "\n"
                    + command.examples.map { "  \(program) \($0)" }.joined(separator: "\n"))
        }
        if command.readsDocuments { parts.append(documents) }
        parts.append(exitCodes)
        return parts.joined(separator: "\n\n")
    }

    private func line(of command: ExplorerCommand) -> String {
        let options = command.options.map { $0.isRequired ? $0.usage : "[\($0.usage)]" }
        return ([command.name] + (command.usage.isEmpty ? [] : [command.usage]) + options).joined(separator: " ")
    }

    /// Rows as two columns.
    private func indented(_ rows: [[String]]) -> String {
        let width = rows.map { $0[0].displayWidth }.max() ?? 0
        return rows.map { row in
            "  \(row[0])" + String(repeating: " ", count: width - row[0].displayWidth + 2) + row[1]
        }.joined(separator: "\n")
    }

    private var documents: String {
        """
        \(style.strong("DOCUMENTS"))
          A path, a URL, or - for standard input. A bare file name that is not in the current folder is looked up in
          the folder of the environment variable MODELMIRROR_DATA.
        """
    }

    private var exitCodes: String {
        """
        \(style.strong("EXIT CODES"))
          0  done
          1  failures, lost values or drift, or a document that cannot be used
          2  a wrong command line, or a file that cannot be read or written

        Output is colored only on a terminal, and not if NO_COLOR is set.
        """
    }
}

extension ExplorerCommand {
    /// Whether the names of documents are arguments.
    fileprivate var readsDocuments: Bool { ["FILE", "URL", "OLD"].contains { usage.contains($0) } }
}
