extension ClassInference {
    /// Not built yet.
    public static func source(openAPI: [UInt8]) throws -> String { throw NoOpenAPI() }

    private struct NoOpenAPI: Error, CustomStringConvertible {
        var description: String { "OpenAPI documents are not read yet." }
    }
}
