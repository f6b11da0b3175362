import Foundation
import ModelMirrorNetworking

/// Which requests a response of a ``MockTransport`` is for.
struct MockRoute: Sendable, CustomStringConvertible {
    enum Target: Sendable {
        /// A path, on any host; or with scheme, host and port in front.
        case pattern(origin: String?, PathPattern)
        case predicate(name: String, @Sendable (MockRequest) -> Bool)
    }

    let method: HTTPMethod?
    let target: Target
    let answer: @Sendable (MockRequest) async throws -> MockResponse

    /// A route for a path such as `/users/:name` or a URL such as `https://api.github.com/users/:name`.
    init(
        _ method: HTTPMethod?, _ pattern: String,
        _ answer: @escaping @Sendable (MockRequest) async throws -> MockResponse
    ) {
        self.method = method
        self.answer = answer
        guard let scheme = pattern.range(of: "://") else {
            target = .pattern(origin: nil, PathPattern(pattern))
            return
        }
        let slash = pattern[scheme.upperBound...].firstIndex(of: "/") ?? pattern.endIndex
        let path = slash == pattern.endIndex ? "/" : String(pattern[slash...])
        target = .pattern(origin: pattern[..<slash].lowercased(), PathPattern(path))
    }

    init(
        method: HTTPMethod? = nil, name: String, predicate: @escaping @Sendable (MockRequest) -> Bool,
        _ answer: @escaping @Sendable (MockRequest) async throws -> MockResponse
    ) {
        self.method = method
        target = .predicate(name: name, predicate)
        self.answer = answer
    }

    /// What stands for the `:names` of the route in a request; nil if it is not for this route.
    func parameters(in request: MockRequest, method: HTTPMethod) -> [String: String]? {
        if let expected = self.method, expected != method { return nil }
        switch target {
        case .predicate(_, let isFor): return isFor(request) ? [:] : nil
        case .pattern(let origin, let path):
            if let origin, origin != request.url.origin { return nil }
            return path.parameters(in: request.path)
        }
    }

    var description: String {
        let name =
            switch target {
            case .pattern(let origin, let path): "\(origin ?? "")\(path)"
            case .predicate(let name, _): name
            }
        return "\(method?.rawValue ?? "any method") \(name)"
    }
}

extension URL {
    /// Scheme, host and port in lower case, the port only if it is written.
    var origin: String {
        let port = port.map { ":\($0)" } ?? ""
        return "\(scheme ?? "")://\(host(percentEncoded: false) ?? "")\(port)".lowercased()
    }
}
