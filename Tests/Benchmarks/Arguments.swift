/// The command line of the program.
///
///     swift run -c release Benchmarks [--json] [--filter WORD] [--plot DIR]
///     swift run -c release Benchmarks COMMAND …
struct Arguments {
    /// An invalid command line, with a description for the user.
    struct Mistake: Error, CustomStringConvertible {
        let description: String
    }

    /// The options of the table.
    struct Table: Equatable {
        var isJSON = false
        /// Only rows whose names contain this text are measured; nil for all rows.
        var filter: String?
        /// The folder for the charts.
        var plots: String?
    }

    enum Action: Equatable {
        case table(Table)
        case memory(gists: Int)
        case profile(isRecording: Bool)
        case hostile(String?)
        case network(requests: Int, rounds: Int)
        case transports(requests: Int, rounds: Int)
        case stream(megabytes: Int)
        case soak(requests: Int)
        case line(requests: Int)
        /// The part of a command that runs in a child process.
        case child(String, [String])
    }

    let action: Action

    private static let commands =
        "memory [GISTS], profile [record], hostile [WORD], network [REQUESTS [ROUNDS]], transports [REQUESTS [ROUNDS]], "
        + "stream [MEGABYTES], soak [REQUESTS], line [REQUESTS]"

    private static let children: Set = [
        "row-child", "memory-child", "profile-child", "hostile-child", "hostile-count", "transport-child",
        "network-server", "transport-server", "stream-server", "soak-server", "line-exit",
    ]

    /// - Throws: ``Mistake`` for an unknown command, option or number.
    init(_ words: [String]) throws(Mistake) {
        guard let first = words.first, !first.hasPrefix("--") else {
            action = .table(try Arguments.table(words))
            return
        }
        let rest = Array(words.dropFirst())
        if Arguments.children.contains(first) {
            action = .child(first, rest)
            return
        }
        switch first {
        case "memory": action = .memory(gists: try Arguments.numbers(rest, [20_000], of: first)[0])
        case "profile":
            try Arguments.limit(rest, to: 1, of: first)
            if let word = rest.first, word != "record" {
                throw Mistake(description: "the only argument of profile is record, found \"\(word)\"")
            }
            action = .profile(isRecording: rest == ["record"])
        case "hostile":
            try Arguments.limit(rest, to: 1, of: first)
            action = .hostile(rest.first)
        case "network":
            let numbers = try Arguments.numbers(rest, [5000, 10], of: first)
            action = .network(requests: numbers[0], rounds: numbers[1])
        case "transports":
            let numbers = try Arguments.numbers(rest, [10_000, 5], of: first)
            action = .transports(requests: numbers[0], rounds: numbers[1])
        case "stream": action = .stream(megabytes: try Arguments.numbers(rest, [200], of: first)[0])
        case "soak": action = .soak(requests: max(try Arguments.numbers(rest, [20_000], of: first)[0], 4))
        case "line": action = .line(requests: try Arguments.numbers(rest, [3000], of: first)[0])
        default:
            throw Mistake(
                description: "\"\(first)\" is not a command; omit it for the table, or use one of "
                    + Arguments.commands)
        }
    }

    private static func table(_ words: [String]) throws(Mistake) -> Table {
        var table = Table()
        var rest = words[...]
        func value(of option: String, _ what: String) throws(Mistake) -> String {
            guard let value = rest.popFirst(), !value.hasPrefix("--") else {
                throw Mistake(description: "\(option) must be followed by \(what)")
            }
            return value
        }
        while let word = rest.popFirst() {
            switch word {
            case "--json": table.isJSON = true
            case "--filter": table.filter = try value(of: word, "part of a row's name")
            case "--plot": table.plots = try value(of: word, "a folder for the charts")
            default:
                throw Mistake(
                    description:
                        "\"\(word)\" is not an option; use --json, --filter WORD or --plot DIR, or begin with a command: "
                        + commands)
            }
        }
        return table
    }

    /// The numbers of a command, with defaults for those left out.
    private static func numbers(_ words: [String], _ defaults: [Int], of command: String) throws(Mistake) -> [Int] {
        try limit(words, to: defaults.count, of: command)
        var numbers = defaults
        for (index, word) in words.enumerated() {
            guard let number = Int(word), number > 0 else {
                throw Mistake(description: "\(command) expects a number from 1, found \"\(word)\"")
            }
            numbers[index] = number
        }
        return numbers
    }

    private static func limit(_ words: [String], to count: Int, of command: String) throws(Mistake) {
        guard words.count > count else { return }
        throw Mistake(
            description: "unexpected argument \"\(words[count])\" of \(command); the commands are \(commands)")
    }
}
