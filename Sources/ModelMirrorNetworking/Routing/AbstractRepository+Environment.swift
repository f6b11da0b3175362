extension AbstractRepository {
    /// A repository whose relative URLs, and routes that say no environment themselves, lead to an environment. The header
    /// fields of the environment are put into the configuration, in the place of those with the same names.
    ///
    /// ```swift
    /// let repository = try PostsRepository(environment: Server.test)
    /// ```
    ///
    /// - Parameters:
    ///   - transport: What requests are sent with.
    ///   - environment: Gives the ``baseURL``.
    ///   - configuration: nil for the class's ``defaultConfiguration``.
    /// - Throws: ``RequestError/invalidURL(_:)`` if the environment makes no URL.
    public convenience init(
        transport: any Transport = URLSessionTransport.shared, environment: some APIEnvironment,
        configuration: Configuration? = nil
    ) throws(RequestError) {
        self.init(
            transport: transport, baseURL: try environment.baseURL(),
            configuration: Self.configuration(configuration, in: environment))
    }

    /// A configuration, the class's own for nil, with the header fields of an environment.
    static func configuration(_ given: Configuration?, in environment: some APIEnvironment) -> Configuration {
        var configuration = given ?? defaultConfiguration
        configuration.headers = configuration.headers.merging(environment.headers)
        return configuration
    }
}

extension StoringRepository {
    /// A repository with a store, whose relative URLs, and routes that say no environment themselves, lead to an environment.
    /// The header fields of the environment are put into the configuration, in the place of those with the same names.
    ///
    /// ```swift
    /// let repository = try GistsRepository(environment: Server.test, store: try FileStore(folder: caches))
    /// ```
    ///
    /// - Parameters:
    ///   - transport: What requests are sent with.
    ///   - environment: Gives the ``AbstractRepository/baseURL``.
    ///   - configuration: nil for the class's ``AbstractRepository/defaultConfiguration``.
    ///   - store: Where responses are kept; nil for nowhere, which makes every policy but `.cacheOnly` ask the network.
    ///   - persistence: The switches.
    /// - Throws: ``RequestError/invalidURL(_:)`` if the environment makes no URL.
    public convenience init(
        transport: any Transport = URLSessionTransport.shared, environment: some APIEnvironment,
        configuration: Configuration? = nil, store: (any ModelStore)?, persistence: Persistence = Persistence()
    ) throws(RequestError) {
        self.init(
            transport: transport, baseURL: try environment.baseURL(),
            configuration: Self.configuration(configuration, in: environment), store: store, persistence: persistence)
    }
}
