import Foundation
import ModelMirrorNetworking

let authority = URL(filePath: "/authority.pem")
let users = URL(filePath: "/users"), gists = URL(filePath: "/gists")

struct MyTransport: Transport {
    init(trusting authority: URL) {}
    func response(to request: TransportRequest) async throws -> TransportResponse { throw RequestError.cancelled }
}
