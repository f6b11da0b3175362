/// What the program is told to do.
///
///     swift run -c release Benchmarks [--json] [--filter WORD] [--plot DIR]
///     swift run -c release Benchmarks COMMAND …
struct Arguments {
    /// A refused command line, with a sentence for whoever typed it.
    struct Mistake: Error, CustomStringConvertible {
        let description: String
    }

    /// What the table is to be.
    struct Table: Equatable {
        var isJSON = false
        /// A part of the names of the rows to measure; nil for all.
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
        /// What one of the commands runs in a process of its own.
        case child(String, [String])
    }

    let action: Action

    private static let commands =
        "memory [GISTS], profile [record], hostile [WORD], network [REQUESTS [ROUNDS]], transports [REQUESTS [ROUNDS]], "
        + "stream [MEGABYTES], soak [REQUESTS]"

    private static let children: Set = [
        "memory-child", "profile-child", "hostile-child", "hostile-count", "transport-child", "network-server",
        "transport-server", "stream-server", "soak-server",
    ]

    /// - Throws: ``Mistake`` for a word that means nothing.
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
                throw Mistake(description: "profile takes only the word record, not \"\(word)\"")
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
        default:
            throw Mistake(
                description: "\"\(first)\" is no command; without one the table is printed, and known are "
                    + Arguments.commands)
        }
    }

    private static func table(_ words: [String]) throws(Mistake) -> Table {
        var table = Table()
        var rest = words[...]
        func value(of option: String, _ what: String) throws(Mistake) -> String {
            guard let value = rest.popFirst(), !value.hasPrefix("--") else {
                throw Mistake(description: "\(option) needs \(what) behind it")
            }
            return value
        }
        while let word = rest.popFirst() {
            switch word {
            case "--json": table.isJSON = true
            case "--filter": table.filter = try value(of: word, "a part of a row's name")
            case "--plot": table.plots = try value(of: word, "a folder for the charts")
            default:
                throw Mistake(
                    description:
                        "\"\(word)\" is no option; known are --json, --filter WORD and --plot DIR, or a command first: "
                        + commands)
            }
        }
        return table
    }

    /// The numbers of a command, with defaults for those that are not there.
    private static func numbers(_ words: [String], _ defaults: [Int], of command: String) throws(Mistake) -> [Int] {
        try limit(words, to: defaults.count, of: command)
        var numbers = defaults
        for (index, word) in words.enumerated() {
            guard let number = Int(word), number > 0 else {
                throw Mistake(description: "\(command) takes numbers from 1, not \"\(word)\"")
            }
            numbers[index] = number
        }
        return numbers
    }

    private static func limit(_ words: [String], to count: Int, of command: String) throws(Mistake) {
        guard words.count > count else { return }
        throw Mistake(
            description: "\(command) takes nothing more, but \"\(words[count])\" follows it; known are \(commands)")
    }
}
