public import ModelMirrorNetworking

/// A route with a sample of what the server answers.
///
/// The conformance belongs into the tests, or into what previews use: so the samples are beside the routes, and not in the app.
///
/// ```swift
/// extension Router: SampledRoute {
///     var sample: MockResponse {
///         switch self {
///         case .me: .json(#"{"name": "octocat"}"#)
///         case .posts: .json(#"[{"title": "Hello"}]"#)
///         }
///     }
/// }
/// mock.onSamples(of: [Router.me, Router.posts(for: date)])
/// ```
public protocol SampledRoute: Route {
    /// What the server answers, for example.
    var sample: MockResponse { get }
}
