extension URLSessionTransport {
    /// The transport of repositories that are given none, with the options as they are. Its connections are shared, and kept for
    /// as long as the program runs.
    public static let shared = URLSessionTransport()
}
