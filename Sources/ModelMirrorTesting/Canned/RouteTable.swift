import Foundation
import ModelMirrorNetworking

/// The routes of a test server, and which of them answers a request: the last one that fits; for HEAD without a route of
/// its own, that of GET.
struct RouteTable<Request: ReceivedRequest, Answer: Sendable>: Sendable, CustomStringConvertible {
    private var routes: [CannedRoute<Request, Answer>] = []

    init() {}

    /// Adds a route behind the others, which comes before them when a request is answered.
    mutating func add(_ route: CannedRoute<Request, Answer>) { routes.append(route) }

    mutating func removeAll() { routes = [] }

    /// Why a route can fit nothing, as a clause; nil if all can fit something.
    var fault: String? { routes.lazy.compactMap(\.fault).first }

    /// What answers a request, with what stands for the `:names` of the route; nil without one that fits.
    ///
    /// - Parameter origin: Scheme, host and port that the request was sent to; nil where routes name none.
    func match(_ request: Request, origin: String? = nil) -> (parameters: [String: String], answer: Answer)? {
        let methods: [HTTPMethod] = request.method == .head ? [.head, .get] : [request.method]
        for method in methods {
            for route in routes.reversed() {
                if let parameters = route.parameters(in: request, method: method, origin: origin) {
                    return (parameters, route.answer)
                }
            }
        }
        return nil
    }

    var isEmpty: Bool { routes.isEmpty }

    var description: String { routes.map(\.description).joined(separator: ", ") }
}

/// A method and a path, or a condition, with what answers them.
struct CannedRoute<Request: ReceivedRequest, Answer: Sendable>: Sendable, CustomStringConvertible {
    private enum Target: Sendable {
        /// A path, on any host; or with scheme, host and port in front.
        case pattern(origin: String?, PathPattern)
        case predicate(name: String, @Sendable (Request) -> Bool)
    }

    let answer: Answer
    private let method: HTTPMethod?
    private let target: Target

    /// A route for a path such as `/users/:name` or a URL such as `https://api.github.com/users/:name`.
    init(_ method: HTTPMethod?, _ pattern: String, _ answer: Answer) {
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

    /// A route for the requests that meet a condition.
    init(
        method: HTTPMethod? = nil, name: String, predicate: @escaping @Sendable (Request) -> Bool, _ answer: Answer
    ) {
        self.method = method
        self.answer = answer
        target = .predicate(name: name, predicate)
    }

    /// Why nothing can fit the route, as a clause; nil if something can.
    var fault: String? {
        guard case .pattern(_, let path) = target, !path.isUsable else { return nil }
        return
            "the route \(self) has a * that is not its last segment, where it stands for nothing; use :name for one segment"
    }

    /// What stands for the `:names` of the route in a request; nil if it is not for this route.
    func parameters(in request: Request, method: HTTPMethod, origin: String?) -> [String: String]? {
        if let expected = self.method, expected != method { return nil }
        switch target {
        case .predicate(_, let isFor): return isFor(request) ? [:] : nil
        case .pattern(let expected, let path):
            if let expected, expected != origin { return nil }
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

/// A pattern for paths: `/users/:name/gists`, or `/files/*` for everything below.
private struct PathPattern: Sendable, CustomStringConvertible {
    let description: String

    init(_ text: String) { description = text }

    /// Whether there is no `*` but a last segment of its own.
    var isUsable: Bool {
        let segments = description.split(separator: "/", omittingEmptySubsequences: false)
        return segments.dropLast().allSatisfy { !$0.contains("*") }
            && (segments.last == "*" || segments.last?.contains("*") != true)
    }

    /// What stands for the `:names` of the pattern in a path; nil if the path does not match. A `*` at the end takes
    /// any number of segments, none too.
    func parameters(in path: String) -> [String: String]? {
        if description == path { return [:] }
        let pattern = description.split(separator: "/", omittingEmptySubsequences: false)
        let segments = path.split(separator: "/", omittingEmptySubsequences: false)
        var parameters: [String: String] = [:]
        for (index, expected) in pattern.enumerated() {
            if expected == "*", index == pattern.count - 1 { return parameters }
            guard index < segments.count else { return nil }
            if expected.hasPrefix(":"), expected.count > 1 {
                guard !segments[index].isEmpty else { return nil }
                parameters[String(expected.dropFirst())] = String(segments[index])
            } else if expected != segments[index] {
                return nil
            }
        }
        return pattern.count == segments.count ? parameters : nil
    }
}
