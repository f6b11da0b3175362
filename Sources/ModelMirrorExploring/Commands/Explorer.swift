public import Foundation
public import ModelMirror

/// A command line for inspecting classes and documents, for any executable that passes its classes.
///
/// ```swift
/// @main struct Tool {
///     static func main() async { await Explorer.main([Gist.self, User.self]) }
/// }
/// ```
///
/// `--help` lists the commands: `infer`, `inspect`, `check`, `drift`, `stats`, `report`, `query`, `schema`, `completions`, and those of
/// the program. Exit codes: 0 for success; 1 for failures, lost values, drift, and a document that cannot be used; 2 for a wrong command
/// line, and a file that cannot be read or written.
public enum Explorer {
    /// Fetches the content of an http or https URL.
    public typealias Loader = @Sendable (_ url: URL) async throws -> Data

    /// Runs the process's command line, then exits the process.
    ///
    /// - Parameters:
    ///   - classes: The classes that commands can name, by their Swift names; those of their properties are found through them.
    ///   - commands: The program's own commands, listed before the others.
    ///   - standard: The arguments to use if none are given. Defaults to `--help`.
    ///   - program: How the program is called, for help. Defaults to the name of the executable.
    ///   - load: Fetches documents over http and https. Defaults to nil: such URLs are refused with an error message.
    @MainActor public static func main(
        _ classes: [AbstractModel.Type], commands: [ExplorerCommand] = [], standard: [String] = ["--help"],
        program: String? = nil, load: Loader? = nil
    ) async -> Never {
        let context = CommandContext.current(program: program, load: load)
        let typed = Array(CommandLine.arguments.dropFirst())
        let result = await self.result(
            of: typed.isEmpty ? standard : typed, classes, commands: commands, context: context)
        if !result.output.isEmpty { CommandContext.write(output: result.output) }
        if !result.error.isEmpty { try? FileHandle.standardError.write(contentsOf: Data("\(result.error)\n".utf8)) }
        exit(result.status)
    }

    /// The result of a command line in a given context.
    @MainActor package static func result(
        of arguments: [String], _ classes: [AbstractModel.Type], commands: [ExplorerCommand] = [],
        context: CommandContext
    ) async -> CommandResult {
        let all = commands + ExplorerCommand.builtIn
        let help = ExplorerHelp(program: context.program, commands: all, style: context.style)
        do {
            guard let name = arguments.first else { return CommandResult(output: help.overview) }
            if name == "--version" {
                return CommandResult(output: "\(context.program), ModelMirror \(PackageVersion.current)")
            }
            if ["--help", "-h", "help"].contains(name) {
                guard let topic = arguments.dropFirst().first else { return CommandResult(output: help.overview) }
                return CommandResult(output: help.text(of: try command(topic, among: all)))
            }
            let command = try command(name, among: all)
            let words = arguments.dropFirst()
            if words.prefix(while: { $0 != "--" }).contains(where: { $0 == "--help" || $0 == "-h" }) {
                return CommandResult(output: help.text(of: command))
            }
            do {
                let parsed = try ExplorerArguments(words, of: command, context)
                if command.name == ExplorerCommand.completions.name {
                    let script = ShellCompletion(program: context.program, commands: all, classes: classes)
                    return try script.result(parsed)
                }
                return try await command.run(parsed, context, ModelClasses(types: classes))
            } catch let error as ExplorerCommand.WrongUsage {
                let hint = "See \(context.program) \(command.name) --help."
                return CommandResult(output: "", error: "\(error) \(hint)", status: 2)
            }
        } catch let error as CommandError {
            return CommandResult(output: "", error: error.description, status: error.status)
        } catch {
            return CommandResult(output: "", error: "\(error)", status: 1)
        }
    }

    private static func command(
        _ name: String, among commands: [ExplorerCommand]
    ) throws(CommandError) -> ExplorerCommand {
        if let command = commands.first(where: { $0.name == name }) { return command }
        let names = commands.map(\.name) + ["help"]
        let error = ExplorerCommand.WrongUsage("There is no command", name, among: names)
        throw CommandError(description: error.description, status: 2)
    }
}
