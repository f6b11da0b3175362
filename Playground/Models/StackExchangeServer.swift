import ModelMirrorNetworking

/// Where Stack Exchange is: at home, or wherever its paths are answered.
struct StackExchangeServer: APIEnvironment {
    var scheme = "https"
    var host = "api.stackexchange.com"
    var port: Int?
    var basePath: RoutePath = "2.3"

    static let live = StackExchangeServer()
}

extension StackExchangeServer {
    /// The structure above, for the tour to show. A change up there belongs here, too.
    static let declaration = """
        struct StackExchangeServer: APIEnvironment {
            var scheme = "https"
            var host = "api.stackexchange.com"
            var port: Int?
            var basePath: RoutePath = "2.3"

            static let live = StackExchangeServer()
        }
        """
}
