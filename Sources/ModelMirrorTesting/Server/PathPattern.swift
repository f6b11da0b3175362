import Foundation

/// What a path looks like: `/users/:name/gists`, or `/files/*` for everything below.
struct PathPattern: Sendable, Hashable, CustomStringConvertible {
    let description: String

    init(_ text: String) { description = text }

    /// What stands for the `:names` of the pattern in a path; nil if the path looks otherwise. A `*` at the end takes
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
