/// The part of the process that commands use; tests make their own.
package struct CommandContext: Sendable {
    /// The result of reading a file.
    package enum FileContent {
        case source(ByteSource)
        case missing
        /// The file exists but cannot be read; the text is the reason, as the end of a sentence.
        case unreadable(String)
    }

    /// How the program is called, for help and messages: `swift run Playground`.
    package var program: String
    /// The environment variables.
    package var variables: [String: String] = [:]
    /// Whether standard output is a terminal.
    package var isTerminal = false
    /// The width of the output in columns.
    package var width = 100
    /// Reads a file.
    package var file: @Sendable (_ path: String) -> FileContent = { _ in .missing }
    /// Writes a file atomically, replacing one that exists.
    ///
    /// - Returns: The reason why it cannot be written, as the end of a sentence; nil if it is written.
    package var write: @Sendable (_ path: String, _ text: String) -> String? = { _, _ in "nothing can be written" }
    /// The path of a file without links and relative parts, to compare files by.
    package var place: @Sendable (_ path: String) -> String = { $0 }
    /// Standard input.
    package var standardInput: @Sendable () -> ByteSource = { ByteSource([]) }
    /// Prints a part of the output at once; nil to collect all of it in the result.
    package var print: (@Sendable (_ text: String) -> Void)?
    /// Fetches the content of an http or https URL; nil if the program cannot.
    package var load: Explorer.Loader?
    /// Shows the current work, replacing the previous text; nil clears it.
    package var progress: @Sendable (_ text: String?) -> Void = { _ in }
    /// The seconds since some moment.
    package var clock: @Sendable () -> Double = { 0 }

    package init(program: String) { self.program = program }

    /// A result for programs, which on a terminal has no control characters of documents.
    func shown(_ text: String) -> String { isTerminal ? text.withEscapedControls : text }

    /// Colored if the terminal has colors and `NO_COLOR` is not set (https://no-color.org).
    var style: TextStyle {
        TextStyle(
            isColored: isTerminal && (variables["NO_COLOR"] ?? "").isEmpty && variables["TERM"] != "dumb")
    }
}

/// The result of a command line.
package struct CommandResult: Sendable, Equatable {
    /// For standard output.
    package var output: String
    /// For standard error: a sentence, or empty.
    package var error = ""
    /// The exit code. 0: done; 1: failures, lost values or drift, or a document that cannot be used; 2: a wrong command line, or
    /// a file that cannot be read or written.
    package var status: Int32 = 0

    package init(output: String, error: String = "", status: Int32 = 0) {
        self.output = output
        // It may name files, and parts of documents.
        self.error = error.withEscapedControls
        self.status = status
    }
}

/// Ends a command with a sentence on standard error.
struct CommandError: Error, CustomStringConvertible {
    let description: String
    let status: Int32

    /// A document cannot be read.
    static func unreadable(_ sentence: String) -> CommandError { CommandError(description: sentence, status: 2) }
    /// A document was read but cannot be used.
    static func document(_ sentence: String) -> CommandError { CommandError(description: sentence, status: 1) }
}
