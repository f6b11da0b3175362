import ModelMirrorNetworking

/// A request that the server does not take: the status it answers with, and why.
struct LoopbackRefusal: Error, Equatable {
    let status: Int
    let reason: String

    init(_ status: Int, _ reason: String) {
        self.status = status
        self.reason = reason
    }
}
