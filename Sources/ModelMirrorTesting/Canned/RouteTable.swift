import ModelMirrorFoundation
import ModelMirrorNetworking

/// The routes of a test server. If several match, the one added last answers; a HEAD without a matching route of its own uses
/// GET's.
struct RouteTable<Request: ReceivedRequest, Answer: Sendable>: Sendable, CustomStringConvertible {
    private var routes: [CannedRoute<Request, Answer>] = []

    init() {}

    /// Adds a route, which takes precedence over the earlier ones.
    mutating func add(_ route: CannedRoute<Request, Answer>) { routes.append(route) }

    mutating func removeAll() { routes = [] }

    /// Why some route can match nothing, as a clause; nil if all can match.
    var fault: String? { routes.lazy.compactMap(\.fault).first }

    /// The answer for a request, with the values of the route's `:names`; nil without a matching route.
    ///
    /// - Parameter origin: Scheme, host and port of the request's URL; nil if routes contain none.
    func match(_ request: Request, origin: String? = nil) -> (parameters: [String: String], answer: Answer)? {
        var get: (parameters: [String: String], answer: Answer)?
        for route in routes.reversed() {
            if let parameters = route.parameters(in: request, method: request.method, origin: origin) {
                // A newer route for GET takes precedence over one for any method, but not over one for HEAD.
                return route.method == nil ? get ?? (parameters, route.answer) : (parameters, route.answer)
            }
            guard request.method == .head, get == nil else { continue }
            get = route.parameters(in: request, method: .get, origin: origin).map { ($0, route.answer) }
        }
        return get
    }

    var isEmpty: Bool { routes.isEmpty }

    /// The routes, each once.
    var description: String {
        var listed: Set<String> = []
        return routes.map(\.description).filter { listed.insert($0).inserted }.joined(separator: ", ")
    }

    /// What a route lacks to match a request, as a clause; nil if none would match.
    func advice(for request: Request) -> String? {
        for route in routes.reversed() {
            guard let start = route.missingStart(in: request) else { continue }
            return "\(route) lacks the path \(start): add it to the pattern, or pass relativeTo: with the base URL"
        }
        return nil
    }
}

/// A method and a path or condition, with its answer.
struct CannedRoute<Request: ReceivedRequest, Answer: Sendable>: Sendable, CustomStringConvertible {
    private enum Target: Sendable {
        /// A path, for any host or for one origin.
        case pattern(origin: String?, PathPattern)
        /// A condition; with the path of the requests that meet it, if it is for any host.
        case predicate(name: String, path: String?, @Sendable (Request) -> Bool)
    }

    let answer: Answer
    let method: HTTPMethod?
    private let target: Target

    /// A route for a path such as `/users/:name` or a URL such as `https://api.github.com/users/:name`.
    init(_ method: HTTPMethod?, _ pattern: String, _ answer: Answer) {
        self.method = method
        self.answer = answer
        guard let scheme = pattern.firstRange(of: "://") else {
            target = .pattern(origin: nil, PathPattern(pattern))
            return
        }
        let slash = pattern[scheme.upperBound...].firstIndex(of: "/") ?? pattern.endIndex
        let path = slash == pattern.endIndex ? "/" : String(pattern[slash...])
        let origin = String(pattern[..<slash])
        target = .pattern(origin: URL(string: origin)?.origin ?? origin.lowercased(), PathPattern(path))
    }

    /// A route for requests that meet a condition.
    ///
    /// - Parameter path: Their path, if they have one and the condition is for any host.
    init(
        method: HTTPMethod? = nil, name: String, path: String? = nil,
        predicate: @escaping @Sendable (Request) -> Bool, _ answer: Answer
    ) {
        self.method = method
        self.answer = answer
        target = .predicate(name: name, path: path, predicate)
    }

    /// Why no request can match, as a clause; nil if one can.
    var fault: String? {
        guard case .pattern(_, let path) = target, let fault = path.fault else { return nil }
        return "the route \(self) \(fault)"
    }

    /// The values of the route's `:names` in a request; nil if it does not match.
    func parameters(in request: Request, method: HTTPMethod, origin: String?) -> [String: String]? {
        if let expected = self.method, expected != method { return nil }
        switch target {
        case .predicate(_, _, let isFor): return isFor(request) ? [:] : nil
        case .pattern(let expected, let path):
            if let expected, expected != origin { return nil }
            return path.parameters(in: request.path)
        }
    }

    /// The beginning of a request's path, such as that of a base URL, without which the route would match; nil if it would not.
    func missingStart(in request: Request) -> String? {
        if let method, method != request.method { return nil }
        let pattern: PathPattern
        switch target {
        case .pattern(nil, let path): pattern = path
        case .predicate(_, let path?, _): pattern = PathPattern(path)
        default: return nil
        }
        guard pattern.text.hasPrefix("/"), !pattern.text.hasPrefix("/:") else { return nil }
        let segments = request.path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        let last = segments.indices.dropLast().first { index in
            pattern.parameters(in: "/" + segments[(index + 1)...].joined(separator: "/")) != nil
        }
        return last.map { "/" + segments[...$0].joined(separator: "/") }
    }

    var description: String {
        switch target {
        case .pattern(let origin, let path): "\(method?.rawValue ?? "any method") \(origin ?? "")\(path.text)"
        case .predicate(let name, _, _): method.map { "\($0) \(name)" } ?? name
        }
    }
}

/// A path pattern: `/users/:name/gists`, or `/files/*` for everything below.
private struct PathPattern: Sendable {
    let text: String

    init(_ text: String) { self.text = text }

    /// Why the pattern matches nothing, as the end of a clause; nil if it can match.
    var fault: String? {
        if text == "*" { return nil }
        guard text.hasPrefix("/") else { return "does not begin with a slash, so that it matches nothing" }
        let segments = text.split(separator: "/", omittingEmptySubsequences: false)
        let isUsable =
            segments.dropLast().allSatisfy { !$0.contains("*") }
            && (segments.last == "*" || segments.last?.contains("*") != true)
        return isUsable
            ? nil : "has a * that is not its last segment, where it matches nothing; use :name for one segment"
    }

    /// The values of the pattern's `:names` in a path; nil if it does not match. A `*` at the end matches any number of
    /// segments, including none.
    func parameters(in path: String) -> [String: String]? {
        if text == path { return [:] }
        let pattern = text.split(separator: "/", omittingEmptySubsequences: false)
        let segments = path.split(separator: "/", omittingEmptySubsequences: false)
        var parameters: [String: String] = [:]
        for (index, part) in pattern.enumerated() {
            if part == "*", index == pattern.count - 1 { return parameters }
            guard index < segments.count else { return nil }
            if part.hasPrefix(":"), part.count > 1 {
                guard !segments[index].isEmpty else { return nil }
                parameters[String(part.dropFirst())] = String(segments[index])
            } else if part != segments[index] {
                return nil
            }
        }
        return pattern.count == segments.count ? parameters : nil
    }
}
