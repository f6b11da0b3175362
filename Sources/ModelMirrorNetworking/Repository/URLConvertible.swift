public import Foundation
import ModelMirror

/// What a URL can be made of: a `String` or a `URL`, absolute or relative to the repository's `baseURL`.
///
/// ```swift
/// repository.baseURL = URL(string: "https://api.example.com/v3")
/// "users/7?full=1"              // https://api.example.com/v3/users/7?full=1
/// "/users/7"                    // the same
/// "?page=2"                     // https://api.example.com/v3?page=2
/// "https://other.example.com"   // as it stands
/// ```
///
/// A relative one is appended to the path of the base, whose query is left behind; it never leads to another host. Spaces
/// and non-ASCII characters of a text are percent-encoded. What comes out must be an `http` or `https` URL with a host.
public protocol URLConvertible: Sendable {
    /// An absolute URL.
    ///
    /// - Throws: ``RequestError/invalidURL(_:)`` with the text, if none can be made; with all of the URL, if it is one that
    ///   cannot be asked for, such as that of a base without `http://`.
    func url(relativeTo base: URL?) throws(RequestError) -> URL
}

extension String: URLConvertible {
    /// The URL that the text states, or its path appended to the base.
    public func url(relativeTo base: URL?) throws(RequestError) -> URL {
        try (isEmpty ? base : URLText.url(from: self)?.resolved(against: base)).requestable(otherwise: self)
    }
}

extension URL: URLConvertible {
    /// The URL itself, or its path appended to the base.
    public func url(relativeTo base: URL?) throws(RequestError) -> URL {
        try absoluteURL.resolved(against: base).requestable(otherwise: relativeString)
    }
}

extension URL {
    /// Whether it can be asked for over HTTP.
    fileprivate var isRequestable: Bool {
        switch scheme?.lowercased() {
        case "http", "https": host()?.isEmpty == false
        default: false
        }
    }

    /// The URL, appended to the base if it is relative.
    fileprivate func resolved(against base: URL?) -> URL? {
        guard scheme == nil else { return self }
        guard let base, var parts = URLComponents(url: base, resolvingAgainstBaseURL: true) else { return nil }
        parts.query = nil
        parts.fragment = nil
        guard var text = parts.string else { return nil }
        let relative = relativeString.drop { $0 == "/" }
        while text.hasSuffix("/") { text.removeLast() }
        if let first = relative.first, first != "?", first != "#" { text += "/" }
        if relative.isEmpty { text += "/" }
        return URL(string: text + relative)
    }
}

extension URL? {
    /// The URL, if it can be asked for over HTTP.
    ///
    /// - Parameter text: What it was made of, for the error if none was.
    fileprivate func requestable(otherwise text: String) throws(RequestError) -> URL {
        guard let url = self else { throw .invalidURL(text) }
        guard url.isRequestable else { throw .invalidURL(url.withoutUserInfo.absoluteString) }
        return url
    }
}
