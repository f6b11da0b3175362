import Foundation
import ModelMirrorNetworking
import ModelMirrorTesting

/// The server of a benchmark, in a child process, so that neither its work nor its memory counts.
struct ServerProcess {
    let url: URL
    private let process = Process()

    /// Starts the process, and waits until it prints its URL.
    ///
    /// - Parameter arguments: Arguments of the program that lead to ``serve(_:_:_:)``.
    init(_ arguments: [String]) throws {
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = arguments
        process.standardOutput = output
        process.standardInput = Pipe()
        try process.run()
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        guard let url = URL(string: line.trimmingCharacters(in: .whitespacesAndNewlines)) else {
            throw CocoaError(.fileReadUnknown)
        }
        self.url = url
    }

    func stop() { process.terminate() }

    /// Runs in the child process: responds at one path until its input ends.
    ///
    /// - Parameter prepare: Adds other routes.
    static func serve(
        _ path: String, _ response: LoopbackResponse, _ prepare: (LoopbackServer) -> Void = { _ in }
    ) throws {
        var limits = LoopbackServer.Limits()
        limits.recordedExchanges = 0
        let server = try LoopbackServer(limits: limits)
        defer { server.stop() }
        server.on(.get, path, response)
        prepare(server)
        print(server.url(path))
        fflush(nil)
        _ = try FileHandle.standardInput.readToEnd()
    }
}
