import Foundation
import ModelMirror

/// Measures how much memory a mapping and a write need besides what they leave, in fresh processes.
///
///     swift run -c release Benchmarks memory
///
/// The numbers are the kernel's (`VmRSS`, `VmHWM` of `/proc/self/status`): Linux only.
enum PeakMemory {
    /// Makes a document of 20,000 gists and measures both directions, each in a process of its own.
    static func run() throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(
            "modelmirror-\(UUID().uuidString).json")
        try Data(GistsDocument.bytes(count: 20_000)).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        for direction in ["read", "write"] {
            let child = Process()
            child.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
            child.arguments = ["memory-child", direction, file.path]
            try child.run()
            child.waitUntilExit()
        }
    }

    /// What the child process does.
    static func child(_ direction: String, _ path: String) throws {
        let data = try Data(contentsOf: URL(fileURLWithPath: path))
        if direction == "read" {
            try resetPeak()
            let gists = try [Gist](json: data)
            let (now, peak) = try residentBytes()
            let share = Double(peak - now) / Double(data.count) * 100
            print(
                "memory of one mapping: \(megabytes(peak - now)) above the \(gists.count) objects and the input of "
                    + "\(megabytes(data.count)), \(Int(share.rounded())) % of the input")
        } else {
            let gists = try [Gist](json: data)
            let (before, _) = try residentBytes()
            try resetPeak()
            let output = try gists.jsonData()
            let (_, peak) = try residentBytes()
            let share = Double(peak - before) / Double(output.count) * 100
            print(
                "memory of one write: \(megabytes(peak - before)) for an output of \(megabytes(output.count)), "
                    + "\(Int(share.rounded())) % of the output")
        }
    }

    /// Makes the kernel forget the peak up to now.
    static func resetPeak() throws {
        try Data("5".utf8).write(to: URL(fileURLWithPath: "/proc/self/clear_refs"))
    }

    /// What a process has, by its id; nil for this one.
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
