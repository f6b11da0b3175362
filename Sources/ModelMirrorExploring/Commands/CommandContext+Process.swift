import Foundation

/// The only part of the commands that touches the process.
extension CommandContext {
    /// The context of the process: its files, variables and terminal.
    static func current(program: String?, load: Explorer.Loader?) -> CommandContext {
        let path = CommandLine.arguments.first ?? ""
        var context = CommandContext(program: program ?? URL(fileURLWithPath: path).lastPathComponent)
        context.variables = ProcessInfo.processInfo.environment
        context.isTerminal = isatty(STDOUT_FILENO) == 1
        if context.isTerminal { context.width = terminalWidth ?? Int(context.variables["COLUMNS"] ?? "") ?? 80 }
        context.file = { content(of: $0) }
        context.write = { failure(writing: $1, to: $0) }
        context.place = { URL(fileURLWithPath: $0).resolvingSymlinksInPath().standardizedFileURL.path }
        context.standardInput = { .file(FileHandle.standardInput) }
        context.print = { write(output: $0) }
        context.clock = { ProcessInfo.processInfo.systemUptime }
        context.load = load
        if isatty(STDERR_FILENO) == 1, context.variables["TERM"] != "dumb" {
            #if DEBUG
            let note = " (debug build: -c release is faster)"
            #else
            let note = ""
            #endif
            // Returns to the start of the line and erases it (ECMA-48).
            context.progress = { text in
                let line = text.map { "\($0.withEscapedControls)…\(note)" } ?? ""
                FileHandle.standardError.write(Data("\r\u{1B}[K\(line)".utf8))
            }
        }
        return context
    }

    /// Prints a part of the output. If that fails, the process exits with a sentence and code 2.
    static func write(output text: String) {
        do {
            try FileHandle.standardOutput.write(contentsOf: Data("\(text)\n".utf8))
        } catch {
            let sentence = "Standard output cannot be written: \(reason(of: error))."
            try? FileHandle.standardError.write(contentsOf: Data("\(sentence)\n".utf8))
            exit(2)
        }
    }

    private static var terminalWidth: Int? {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }

    private static func content(of path: String) -> FileContent {
        // Foundation would take an empty path as the current folder.
        if path.isEmpty { return .missing }
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else { return .missing }
        if isFolder.boolValue { return .unreadable("it is a folder") }
        do throws(ByteSource.Failure) {
            return .source(try .file(path))
        } catch {
            return .unreadable(error.reason)
        }
    }

    private static func failure(writing text: String, to path: String) -> String? {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        let type = attributes?[.type] as? FileAttributeType
        if type == .typeDirectory { return "it is a folder" }
        // Writing atomically would replace a link, a pipe or a device.
        guard type == nil || type == .typeRegular else { return "it is not a regular file" }
        do {
            try Data(text.utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
            return nil
        } catch CocoaError.fileNoSuchFile {
            return "there is no such folder"
        } catch CocoaError.fileWriteNoPermission {
            return "the permissions of its folder do not allow it"
        } catch {
            return reason(of: error)
        }
    }

    /// Why something cannot be written, as the end of a sentence.
    private static func reason(of error: any Error) -> String {
        (error as? CocoaError)?.code == .fileWriteOutOfSpace
            ? "no space is left" : "the system reported an error while writing it"
    }
}
