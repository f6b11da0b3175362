import Foundation

/// The guided tour of ModelMirror and the explorer of a real document: see ``Command`` for what can be typed.
@main
struct Playground {
    /// Exit status 0: all went well; 1: it did not, one sentence on standard error says why; 2: no such command.
    @MainActor static func main() async {
        guard let command = Command(arguments: CommandLine.arguments.dropFirst()) else {
            StandardError.write(Command.usage)
            exit(2)
        }
        do {
            try await command.run()
        } catch {
            StandardError.write("\(error)")
            exit(1)
        }
    }
}
