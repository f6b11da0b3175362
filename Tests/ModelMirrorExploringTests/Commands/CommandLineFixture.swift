import Foundation
import ModelMirror
import ModelMirrorExploring

/// A command line with files in memory and five classes.
struct CommandLineFixture {
    var files: [String: String] = [:]
    var variables: [String: String] = [:]
    var input = ""
    var isTerminal = false
    var width = 100
    var load: Explorer.Loader?
    var commands: [ExplorerCommand] = []
    var write: @Sendable (_ path: String, _ text: String) -> String? = { _, _ in nil }

    /// Runs the command line with the given arguments.
    @MainActor func run(_ words: String...) async -> CommandResult { await run(words) }

    /// Runs the command line with the given arguments; the path `/folder` is a folder.
    @MainActor func run(_ words: [String]) async -> CommandResult {
        var context = CommandContext(program: "tool")
        context.variables = variables
        context.isTerminal = isTerminal
        context.width = width
        context.load = load
        let (files, input) = (files, input)
        context.file = { path in
            if path == "/folder" { return .unreadable("it is a folder") }
            return files[path].map { .source(ByteSource(Array($0.utf8))) } ?? .missing
        }
        context.write = write
        context.standardInput = { ByteSource(Array(input.utf8)) }
        return await Explorer.result(
            of: words, [Shop.self, Item.self, City.self, Misnamed.self, Bank.self], commands: commands, context: context
        )
    }
}

final class Shop: AbstractModel {
    var id = ""
    var openedAt: Date?
    var items: [Item]?
    var note = ""

    override class var keyStrategy: KeyStrategy { .snakeCase }
    override class var requiredProperties: Set<String> { ["id"] }
    override class var ignoredProperties: Set<String> { ["note"] }
}

final class Item: AbstractModel {
    let token = 1
    var name = ""
    var count = 0
    var seen: Date?
    var tags: [String: [Int]] = [:]
    var extra: [String: JSONValue] = [:]

    override class var propertyKeys: [String: PropertyKey] { ["name": ["name", .path("info", "title")]] }
    override class var propertyConverters: [String: any Converter] { ["seen": .secondsSince1970] }
    override class var readOnlyProperties: Set<String> { ["count"] }
    override class var unknownKeysProperty: String? { "extra" }
}

/// A class with nested objects that may fail.
final class City: AbstractModel {
    var shops: [Shop] = []
    var main: Shop?
    var name = ""

    override class var propertyKeys: [String: PropertyKey] { ["name": ["name", "title"]] }
}

/// A class that cannot be mapped.
final class Misnamed: AbstractModel {
    var id = 0
    override class var requiredProperties: Set<String> { ["ID"] }
}

/// A class whose properties hold classes in containers of each kind.
class Base: AbstractModel {
    var shops: [String: [Shop?]] = [:]
}

final class Fleet: Base {
    var fleet: Fleet?
}

/// A class whose nested objects have values that are never shown.
final class Bank: AbstractModel {
    var clients: [BankClient] = []
    var count = 0
}

final class BankClient: AbstractModel {
    var age = 0
    var password = ""

    override class var redactedProperties: Set<String> { ["password"] }
}
