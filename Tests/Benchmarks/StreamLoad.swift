import Foundation
import ModelMirror
import ModelMirrorNetworking
import ModelMirrorTesting

/// Measures the memory of a stream of objects whose consumer is slower than the server.
///
///     swift run -c release Benchmarks stream [MEGABYTES]
///
/// A child process sends a generated array at 40 MB/s; `elements` delivers its objects to a consumer that takes 20 MB/s.
/// Every object must arrive once and in order.
///
/// Memory is the kernel's `VmHWM` of this process, reset by `/proc/self/clear_refs` before the request, less the `VmRSS` at
/// that time: Linux only. No request is sent before, so the memory that the transport loads and keeps counts, too.
enum StreamLoad {
    /// Millions of bytes a second.
    private static let serverRate = 40.0
    /// Millions of bytes, for an array of any size.
    private static let limit = 40.0

    static func run(megabytes: Int) async throws {
        let array = StreamedArray(megabytes: megabytes)
        let server = try ServerProcess(["stream-server", "\(megabytes)"])
        defer { server.stop() }
        let client = APIClient()
        let (before, _) = try PeakMemory.residentBytes()
        try PeakMemory.resetPeak()
        let start = ContinuousClock.now
        try await consume(client.elements(.get(.url(server.url))), of: array)
        let seconds = Pace.seconds(since: start)
        let growth = Double(try PeakMemory.residentBytes().peak - before) / 1e6
        print(
            "\(array.count) objects, \(tenths(Double(array.byteCount) / 1e6)) MB, in \(tenths(seconds)) s "
                + "from a server twice as fast: at most \(tenths(growth)) MB more resident than before the request")
        guard growth < limit else { throw LoadError(text: "\(tenths(growth)) MB is not under \(limit) MB") }
    }

    /// Takes all objects at half the server's rate, and checks that they are those of the array.
    private static func consume(_ stream: ElementStream<StreamedEntry>, of array: StreamedArray) async throws {
        var pace = Pace(serverRate / 2)
        var (count, sum) = (0, 0)
        for try await entry in stream {
            count += 1
            sum += entry.id
            guard entry.id == count else { throw LoadError(text: "object \(count) has the id \(entry.id)") }
            if let delay = pace.delay(after: StreamedArray.size(of: entry.id)) { try await Task.sleep(for: delay) }
        }
        guard count == array.count, sum == array.sum else {
            throw LoadError(text: "\(count) of \(array.count) objects, the sum of their ids \(sum), not \(array.sum)")
        }
    }

    /// Runs in the server's process: sends the array at its rate.
    static func serve(megabytes: Int) throws {
        try ServerProcess.serve(
            "/array",
            .streaming(headers: [.contentType: "application/json"]) { writer in
                var pace = Pace(serverRate)
                try StreamedArray(megabytes: megabytes).forEachPiece { piece in
                    try writer.write(piece)
                    if let delay = pace.delay(after: piece.count) { try writer.pause(for: delay) }
                }
            })
    }

    private static func tenths(_ value: Double) -> Double { (value * 10).rounded() / 10 }

    private struct LoadError: Error, CustomStringConvertible {
        let text: String
        var description: String { text }
    }
}

/// Limits a rate in bytes per second.
private struct Pace {
    private let rate: Double
    private let start = ContinuousClock.now
    private var bytes = 0

    /// - Parameter rate: Millions of bytes a second.
    init(_ rate: Double) { self.rate = rate }

    static func seconds(since start: ContinuousClock.Instant) -> Double { (ContinuousClock.now - start) / .seconds(1) }

    /// The delay after the given number of bytes; nil while it is less than 2 ms.
    mutating func delay(after count: Int) -> Duration? {
        bytes += count
        let ahead = Double(bytes) / rate / 1e6 - Pace.seconds(since: start)
        return ahead < 0.002 ? nil : .seconds(ahead)
    }
}
