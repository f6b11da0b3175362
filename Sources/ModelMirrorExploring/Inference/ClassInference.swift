/// Swift classes from documents; not built yet.
public enum ClassInference {
    /// Not built yet.
    public static func source(documents: [[UInt8]], name: String? = nil, keys: KeyStyle? = nil) throws -> String {
        throw Unavailable()
    }
    /// Not built yet.
    public static func source(schema: [UInt8], name: String? = nil) throws -> String { throw Unavailable() }
    /// Not built yet.
    public static func source(openAPI: [UInt8]) throws -> String { throw Unavailable() }

    private struct Unavailable: Error, CustomStringConvertible {
        var description: String { "Classes cannot be inferred yet." }
    }
}
