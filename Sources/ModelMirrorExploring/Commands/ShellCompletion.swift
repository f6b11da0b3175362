import ModelMirror

extension ExplorerCommand {
    /// Its result is made by `Explorer`, which knows all commands.
    static let completions = ExplorerCommand(
        "completions", usage: "SHELL", summary: "print the completions of commands for bash, zsh or fish",
        details: "SHELL is bash, zsh or fish. The script completes commands, options and classes.", options: [],
        count: 1...1,
        examples: [
            "completions bash > ~/.local/share/bash-completion/completions/NAME", "completions zsh > ~/.zfunc/_NAME",
            "completions fish > ~/.config/fish/completions/NAME.fish",
        ]
    ) { _, _, _ in CommandResult(output: "") }
}

/// The script that completes a program's command lines, made from the declarations of its commands.
struct ShellCompletion {
    private enum Shell: String, CaseIterable { case bash, zsh, fish }

    /// The name of the executable: the last word of `swift run Playground`.
    private let name: String
    private let commands: [ExplorerCommand]
    private let classes: [String]

    init(program: String, commands: [ExplorerCommand], classes: [AbstractModel.Type]) {
        name = program.split(separator: " ").last.map(String.init) ?? program
        self.commands = commands
        self.classes = classes.map { "\($0)" }
    }

    /// - Throws: `WrongUsage` for another shell.
    func result(_ arguments: ExplorerArguments) throws(ExplorerCommand.WrongUsage) -> CommandResult {
        guard let shell = Shell(rawValue: arguments.values[0]) else {
            throw .init("There is no shell", arguments.values[0], among: Shell.allCases.map(\.rawValue))
        }
        let script =
            switch shell {
            case .bash: bash
            case .zsh: "#compdef \(name)\nautoload -U +X bashcompinit && bashcompinit\n" + bash
            case .fish: fish
            }
        return CommandResult(output: arguments.output(script, json: ["script": .string(script)]))
    }

    /// The function's name: letters, digits and underscores.
    private var function: String {
        "_" + String(name.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
    }

    // Zsh reads it too, with the functions of `bashcompinit`.
    private var bash: String {
        let cases = commands.map { command in
            let words = command.options.map { "--\($0.name)" } + ["--help"] + (command.takesClass ? classes : [])
            return "    \(command.name)) words=\(words.joined(separator: " ").quotedForShell) ;;"
        }
        let names = commands.map(\.name) + ["help", "--help", "--version"]
        return """
            \(function)() {
                local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} words
                if [ "$COMP_CWORD" -eq 1 ]; then words=\(names.joined(separator: " ").quotedForShell)
                else case ${COMP_WORDS[1]} in
            \(cases.joined(separator: "\n"))
                esac; fi
                if [ "$before" = --against ]; then words=\(classes.joined(separator: " ").quotedForShell); fi
                COMPREPLY=($(compgen -W "$words" -- "$word"))
            }
            complete -o default -F \(function) \(name)
            """
    }

    private var fish: String {
        let begin = "complete -c \(name)"
        var lines = commands.map {
            "\(begin) -n __fish_use_subcommand -a \($0.name) -d \($0.summary.quotedForShell)"
        }
        lines.append("\(begin) -n __fish_use_subcommand -l version -d 'print the version'")
        lines.append("\(begin) -l help -d 'show help'")
        for command in commands {
            let after = "\(begin) -n '__fish_seen_subcommand_from \(command.name)'"
            if command.takesClass { lines.append("\(after) -a \(classes.joined(separator: " ").quotedForShell)") }
            lines += command.options.map { option in
                let values = option.value == "CLASS" ? " -a \(classes.joined(separator: " ").quotedForShell)" : ""
                return "\(after) -l \(option.name)\(option.value == nil ? "" : " -r")\(values) -d "
                    + option.summary.quotedForShell
            }
        }
        return lines.joined(separator: "\n")
    }
}

extension ExplorerCommand {
    /// Whether the name of a class is an argument.
    fileprivate var takesClass: Bool { usage.contains("CLASS") }
}
