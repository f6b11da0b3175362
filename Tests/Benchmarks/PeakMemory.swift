import Foundation
import ModelMirror

/// Measures the temporary memory and the time of a mapping and a write, in fresh processes.
///
///     swift run -c release Benchmarks memory             20,000 gists, 31 MB
///     swift run -c release Benchmarks memory 650000      1 GB
///
/// The numbers are the kernel's (`VmRSS`, `VmHWM` of `/proc/self/status`): Linux only.
enum PeakMemory {
    /// Creates a document and measures both directions, each in a child process.
    static func run(_ count: Int) throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(
            "modelmirror-\(UUID().uuidString).json")
        try Data(GistsDocument.bytes(count: count)).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        for direction in ["read", "write"] {
            let child = Process()
            child.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
            child.arguments = ["memory-child", direction, file.path]
            try child.run()
            child.waitUntilExit()
        }
    }

    /// Runs in the child process.
    static func child(_ direction: String, _ path: String) throws {
        let data = try Data(contentsOf: URL(fileURLWithPath: path))
        if direction == "read" {
            try resetPeak()
            let start = ContinuousClock.now
            let gists = try [Gist](json: data)
            let time = ContinuousClock.now - start
            let (now, peak) = try residentBytes()
            let share = Double(peak - now) / Double(data.count) * 100
            print(
                "memory of one mapping: \(megabytes(peak - now)) above the \(gists.count) objects and the input of "
                    + "\(megabytes(data.count)), \(Int(share.rounded())) % of the input, in \(time)")
        } else {
            let gists = try [Gist](json: data)
            let (before, _) = try residentBytes()
            try resetPeak()
            let start = ContinuousClock.now
            let output = try gists.jsonData()
            let time = ContinuousClock.now - start
            let (_, peak) = try residentBytes()
            let share = Double(peak - before) / Double(output.count) * 100
            print(
                "memory of one write: \(megabytes(peak - before)) for an output of \(megabytes(output.count)), "
                    + "\(Int(share.rounded())) % of the output, in \(time)")
        }
    }

    /// Resets the kernel's peak of this process.
    static func resetPeak() throws {
        try Data("5".utf8).write(to: URL(fileURLWithPath: "/proc/self/clear_refs"))
    }

    /// The resident memory of a process, by its id; nil for this process.
    static func residentBytes(of process: Int32? = nil) throws -> (now: Int, peak: Int) {
        let name = process.map { "\($0)" } ?? "self"
        let status = try String(contentsOfFile: "/proc/\(name)/status", encoding: .utf8)
        func value(_ name: String) -> Int {
            let line = status.split(separator: "\n").first { $0.hasPrefix(name) } ?? ""
            return (line.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) } ?? 0) * 1024
        }
        return (value("VmRSS:"), value("VmHWM:"))
    }

    static func megabytes(_ bytes: Int) -> String { "\((Double(bytes) / 1e5).rounded() / 10) MB" }
}
