/// Swift classes from documents; not built yet.
public enum ClassInference {
    /// How keys become property names.
    public enum KeyStyle: String, CaseIterable, Sendable {
        /// `created_at` is `createdAt`.
        case snake
    }

    /// Not built yet.
    public static func source(documents: [[UInt8]], name: String?, keys: KeyStyle?) throws -> String {
        throw Unavailable()
    }
    /// Not built yet.
    public static func source(schema: [UInt8], name: String?) throws -> String { throw Unavailable() }
    /// Not built yet.
    public static func source(openAPI: [UInt8]) throws -> String { throw Unavailable() }

    private struct Unavailable: Error, CustomStringConvertible {
        var description: String { "Classes cannot be inferred yet." }
    }
}
