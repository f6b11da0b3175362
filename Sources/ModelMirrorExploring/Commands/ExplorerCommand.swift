import ModelMirror

/// A command of an ``Explorer``, with its help.
///
/// ```swift
/// let tour = ExplorerCommand(
///     "tour", usage: "[STEP]", summary: "the guided tour", options: [.flag("list", "list the steps")]
/// ) { arguments in
///     print(arguments.values, arguments.has("list"))
/// }
/// await Explorer.main([Gist.self], commands: [tour])
/// ```
public struct ExplorerCommand: Sendable {
    /// An option, such as `--strict` or `--name NAME`.
    public struct Option: Sendable {
        /// The name, without the hyphens.
        let name: String
        /// The placeholder of the value in help; nil for an option without a value.
        let value: String?
        let summary: String
        /// Whether the command needs the option.
        private(set) var isRequired = false

        /// An option without a value.
        public static func flag(_ name: String, _ summary: String) -> Option {
            Option(name: name, value: nil, summary: summary)
        }

        /// An option with a value, written `--name VALUE` or `--name=VALUE`.
        public static func value(_ name: String, _ value: String, _ summary: String) -> Option {
            Option(name: name, value: value, summary: summary)
        }

        /// The option of a command that needs it.
        var required: Option {
            var option = self
            option.isRequired = true
            return option
        }

        /// The option as written: `--name NAME`.
        var usage: String { "--\(name)" + (value.map { " \($0)" } ?? "") }
    }

    let name: String
    let usage: String
    let summary: String
    /// What the command does, in sentences.
    let details: String
    private(set) var options: [Option]
    /// Command lines without the program's name.
    let examples: [String]
    /// The number of positional arguments the command takes.
    let count: ClosedRange<Int>
    let run: @Sendable @MainActor (ExplorerArguments, CommandContext, ModelClasses) async throws -> CommandResult

    /// A command of the program. It prints its own output; a thrown error is printed on standard error, and the exit code is 1,
    /// or 2 for an ``ExplorerCommand/WrongUsage``.
    ///
    /// - Parameters:
    ///   - name: The name of the command.
    ///   - usage: The arguments, as help shows them.
    ///   - summary: What the command does, in a few words, without a capital letter or full stop.
    ///   - details: What its help shows instead of the summary, in sentences.
    ///   - options: The options, in the order of help.
    ///   - count: The number of positional arguments. Defaults to any number.
    ///   - examples: Command lines without the program's name.
    ///   - run: Runs the command, on the main actor.
    public init(
        _ name: String, usage: String = "", summary: String, details: String = "", options: [Option] = [],
        count: ClosedRange<Int> = 0...Int.max, examples: [String] = [],
        run: @escaping @Sendable @MainActor (_ arguments: ExplorerArguments) async throws -> Void
    ) {
        self.init(
            name, usage: usage, summary: summary, details: details, options: options, count: count, examples: examples
        ) { arguments, _, _ in
            try await run(arguments)
            return CommandResult(output: "")
        }
    }

    init(
        _ name: String, usage: String, summary: String, details: String, options: [Option], count: ClosedRange<Int>,
        examples: [String],
        result:
            @escaping @Sendable @MainActor (ExplorerArguments, CommandContext, ModelClasses) async throws ->
            CommandResult
    ) {
        self.name = name
        self.usage = usage
        self.summary = summary
        self.details = details
        self.options = options
        self.count = count
        self.examples = examples
        run = result
    }

    /// The command with an option that prints its result for programs.
    var withJSON: ExplorerCommand {
        var command = self
        command.options.append(.flag("json", "print the result as JSON"))
        return command
    }
}

extension ExplorerCommand {
    /// A usage error: one sentence on standard error, and exit code 2.
    public struct WrongUsage: Error, Equatable, CustomStringConvertible {
        /// The sentence.
        public let description: String

        /// An error with a sentence.
        public init(_ sentence: String) { description = sentence }

        /// An error for an unknown name, with the nearest known one, and all: `There is no step "ned" (did you mean "end"?); there are
        /// start, end.`
        ///
        /// - Parameters:
        ///   - beginning: `There is no step`.
        ///   - name: The unknown name.
        ///   - names: The known names.
        public init(_ beginning: String, _ name: String, among names: [String]) {
            let list = names.isEmpty ? "there is none" : "there are " + names.joined(separator: ", ")
            description = "\(beginning) \(name.quotedForMessage)\(name.suggestion(among: names)); \(list)."
        }
    }
}

/// The classes of a program and those of their properties, found by name.
struct ModelClasses: Sendable {
    let types: [AbstractModel.Type]

    /// The class with a name.
    ///
    /// - Throws: A usage error that suggests the nearest name, and lists all.
    func named(_ name: String) throws(ExplorerCommand.WrongUsage) -> any MappedModel.Type {
        var known = types
        var next = 0
        while next < known.count {
            if "\(known[next])" == name { return known[next] }
            for type in known[next].propertyClasses where !known.contains(where: { $0 == type }) { known.append(type) }
            next += 1
        }
        throw .init("There is no class", name, among: known.map { "\($0)" })
    }
}

extension AbstractModel {
    /// The classes of the properties, also inside Optionals, lists and dictionaries.
    fileprivate static var propertyClasses: [AbstractModel.Type] {
        sequence(first: Mirror(reflecting: self.init())) { $0.superclassMirror }.flatMap(\.children).compactMap {
            var type: Any.Type = Swift.type(of: $0.value)
            while let container = type as? any Container.Type { type = container.content }
            return type as? AbstractModel.Type
        }
    }
}

/// A type of values that hold others.
private protocol Container {
    static var content: Any.Type { get }
}

extension Optional: Container { fileprivate static var content: Any.Type { Wrapped.self } }
extension Array: Container { fileprivate static var content: Any.Type { Element.self } }
extension Dictionary: Container { fileprivate static var content: Any.Type { Value.self } }
