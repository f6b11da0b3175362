import Foundation
import ModelMirror
import ModelMirrorExploring
import ModelMirrorNetworking

extension ExplorerCommand {
    static let tour = ExplorerCommand(
        "tour", usage: "[STEP…]", summary: "the guided tour, also without a command",
        details: "Runs and shows all steps, or those that are named.",
        options: [.flag("list", "list the steps")], examples: ["", "tour routes", "tour --list"]
    ) { arguments in
        if arguments.has("list") { return print(Tour.guided.list) }
        try await Tour.guided.run(arguments.values)
    }

    static let twitter = ExplorerCommand(
        "twitter", usage: "FILE|URL|-", summary: "map a document of tweets, count the objects, and time it",
        details:
            "The document is a search result of Twitter's API 1.1. Times are of a release build: swift run -c release.",
        count: 1...1, examples: ["twitter twitter.json"]
    ) { arguments in
        let json = try await arguments.document(arguments.values[0])
        print(try TwitterSummary(name: arguments.values[0], json: json).text())
    }

    static let gists = ExplorerCommand(
        "gists", usage: "USER", summary: "fetch a user's gists from a server that speaks GitHub's format",
        options: [.value("url", "BASE", "the server; defaults to https://api.github.com")], count: 1...1,
        examples: ["gists octocat", "gists octocat --url http://127.0.0.1:8080"]
    ) { arguments in
        let base = arguments["url"] ?? "https://api.github.com"
        guard let url = URL(string: base), ["http", "https"].contains(url.scheme), url.host != nil else {
            throw WrongUsage(
                "\(base.debugDescription) is not the URL of a server; write it like https://api.github.com.")
        }
        let gists: [Gist] = try await APIClient(baseURL: url).value(.get("users/\(arguments.values[0])/gists"))
        print(gists.isEmpty ? "\(arguments.values[0]) has no gists" : Listing.gists(gists))
    }
}
