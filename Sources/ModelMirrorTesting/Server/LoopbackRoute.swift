import ModelMirrorNetworking

/// A method and a path with what answers them.
struct LoopbackRoute: Sendable, CustomStringConvertible {
    let method: HTTPMethod?
    let pattern: PathPattern
    let answer: @Sendable (LoopbackRequest) throws -> LoopbackResponse

    var description: String { "\(method?.rawValue ?? "any method") \(pattern)" }
}
