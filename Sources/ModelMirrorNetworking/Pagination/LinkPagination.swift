import ModelMirrorFoundation

/// Pages by the links in the `Link` header field (RFC 8288), as GitHub does.
///
/// The first page is requested unchanged, each other page at the server's URL with the method, header fields and body of the
/// first. The last page has no link `next`. User and password in the list's URL are sent with each page of its origin.
///
/// A link to another origin (scheme, host, port) is refused with ``RequestError/invalidRequest(_:)``, because the request would
/// carry this server's credentials there. Set `allowsOtherOrigins` to follow it.
public struct LinkPagination: Pagination {
    private let nextRelation: String
    private let previousRelation: String
    private let size: PageSize
    private let allowsOtherOrigins: Bool

    /// Creates a pagination by links.
    ///
    /// - Parameters:
    ///   - nextRelation: The relation of the next page. Defaults to `next`.
    ///   - previousRelation: The relation of the previous page. Defaults to `prev`.
    ///   - sizeParameter: The query item with the page size, sent with the first page only, since the server's links contain it; nil,
    ///     the default, to send none.
    ///   - size: The number of elements per page; nil, the default, to send none. A size needs a `sizeParameter`.
    ///   - allowsOtherOrigins: Whether links to another origin are followed. Defaults to false.
    public init(
        nextRelation: String = "next", previousRelation: String = "prev", sizeParameter: String? = nil,
        size: Int? = nil, allowsOtherOrigins: Bool = false
    ) {
        self.nextRelation = nextRelation
        self.previousRelation = previousRelation
        self.size = (size, sizeParameter)
        self.allowsOtherOrigins = allowsOtherOrigins
    }

    /// Replaces the request's URL with the page's.
    public func prepare(_ request: inout TransportRequest, for position: PagePosition) throws {
        switch position {
        case .first: try setSize(size, in: &request)
        case .url(let url):
            guard allowsOtherOrigins || Origin(url) == Origin(request.url) else {
                throw RequestError.invalidRequest(
                    "the link points from \(request.url.originText) to another origin, \(url.originText), which would receive "
                        + "this server's credentials; to allow it use LinkPagination(allowsOtherOrigins: true)")
            }
            request.url = url.withUser(of: request.url)
        case .number, .cursor: throw unsupportedPosition(position)
        }
    }

    /// The page at the link with the next page's relation.
    public func next(after position: PagePosition, in response: PageResponse) throws -> PagePosition? {
        response.head.link(nextRelation).map { .url($0) }
    }

    /// The page at the link with the previous page's relation.
    public func previous(before position: PagePosition, in response: PageResponse) throws -> PagePosition? {
        response.head.link(previousRelation).map { .url($0) }
    }
}

extension URL {
    /// With the user and password of another URL of the same origin, if this one has none.
    fileprivate func withUser(of other: URL) -> URL {
        guard !hasUserInfo, other.hasUserInfo, Origin(self) == Origin(other),
            var components = URLComponents(url: self, resolvingAgainstBaseURL: true)
        else { return self }
        components.percentEncodedUser = other.user()
        components.percentEncodedPassword = other.password()
        return components.url ?? self
    }

    /// Scheme, host and port, without user and password.
    fileprivate var originText: String { "\(scheme ?? "")://\(host() ?? "")\(port.map { ":\($0)" } ?? "")" }
}
