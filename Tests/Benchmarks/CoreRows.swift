import Foundation
import ModelMirror

/// Two documents on two cores. In all rows, the objects are released after the clock has stopped.
enum CoreRows {
    static func all() -> [Row] {
        let data = Data(GistsDocument.bytes(count: 8000 / Documents.divisor))
        return [
            Row(
                group: .cores, name: "two documents", bytes: data.count * 2,
                contestants: [
                    Row.Contestant("concurrently", returning: { try await twice { Kept(try [Gist](json: data)) } }),
                    Row.Contestant(
                        "sequentially",
                        returning: { (Kept(try [Gist](json: data)), Kept(try [Gist](json: data))) }),
                ], difference: { nil }),
            Row(
                group: .cores, name: "two bare parses", bytes: data.count * 2,
                contestants: [
                    Row.Contestant("concurrently", returning: { try await twice { try check(data) } }),
                    Row.Contestant("sequentially", returning: { (try check(data), try check(data)) }),
                ], difference: { nil }),
        ]
    }

    /// `@unchecked Sendable`: passed from the task that creates the objects to the one that releases them.
    private struct Kept: @unchecked Sendable {
        let objects: [Gist]

        init(_ objects: [Gist]) { self.objects = objects }
    }

    private static func twice<Made: Sendable>(_ run: @escaping @Sendable () throws -> Made) async throws -> (Made, Made)
    {
        async let first = Task.detached { try run() }.value
        async let second = Task.detached { try run() }.value
        return try await (first, second)
    }

    private static func check(_ data: Data) throws -> Int {
        try ValueReading.check(data, options: .init())
        return data.count
    }
}
