/// What the program was asked to do.
enum Command {
    /// Nothing was typed: the guided tour.
    case tour
    /// `twitter PATH`: map a file of tweets.
    case twitter(path: String)
    /// `gists USER --url BASE`: fetch a user's gists from a server that speaks GitHub's format.
    case gists(user: String, base: String)
    /// `--help`.
    case help

    static let usage = """
        USAGE
          swift run Playground                             the guided tour
          swift run -c release Playground twitter PATH     map a file of tweets, and time it
          swift run Playground gists USER --url BASE       fetch gists, for example from https://api.github.com
          swift run Playground --help                      print this
        """

    /// The command that was typed, without the program's name; nil if there is no such command.
    init?(arguments: some Collection<String>) {
        switch Array(arguments) {
        case []: self = .tour
        case ["--help"], ["-h"]: self = .help
        case let words where words.count == 2 && words[0] == "twitter": self = .twitter(path: words[1])
        case let words where words.count == 4 && words[0] == "gists" && words[2] == "--url":
            self = .gists(user: words[1], base: words[3])
        default: return nil
        }
    }

    @MainActor func run() async throws {
        switch self {
        case .tour: try await Tour.guided.run()
        case .twitter(let path): try TwitterExplorer(path: path).run()
        case .gists(let user, let base): try await GistsExplorer(user: user, base: base).run()
        case .help: print(Self.usage)
        }
    }
}
