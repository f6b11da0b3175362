extension AbstractRepository {
    /// A repository whose relative URLs, and routes that say no environment themselves, lead to an environment. The header
    /// fields of the environment are put into the configuration, in the place of those with the same names.
    ///
    /// ```swift
    /// let repository = try PostsRepository(transport: transport, environment: Server.test)
    /// ```
    ///
    /// - Parameters:
    ///   - transport: What requests are sent with.
    ///   - environment: Gives the ``baseURL``.
    ///   - configuration: nil for the class's ``defaultConfiguration``.
    /// - Throws: ``RequestError/invalidURL(_:)`` if the environment makes no URL.
    public convenience init(
        transport: any Transport, environment: some APIEnvironment, configuration: Configuration? = nil
    ) throws(RequestError) {
        var configuration = configuration ?? Self.defaultConfiguration
        configuration.headers = configuration.headers.merging(environment.headers)
        self.init(transport: transport, baseURL: try environment.baseURL(), configuration: configuration)
    }
}
