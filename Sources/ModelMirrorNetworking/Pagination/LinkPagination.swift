import Foundation
import ModelMirror

/// Pages by the links in the `Link` header field, RFC 8288, as GitHub has them.
///
/// The first page is asked for as it is, each other one at the URL that the server gave, with the method, the header fields and
/// the body of the first. The last page has no link `next`.
///
/// A link to another scheme, host or port is refused with ``RequestError/invalidRequest(_:)``: the request to it would carry the
/// credentials of this server. ``allowsOtherOrigins`` lets it through.
public struct LinkPagination: Pagination {
    /// The relation of the next page; `next`.
    public var nextRelation: String
    /// The relation of the page before; `prev`.
    public var previousRelation: String
    /// The query item with the count of elements on a page; nil: it is not sent. It is sent for the first page alone, for
    /// the links have it.
    public var sizeParameter: String?
    /// How many elements are asked for; nil: that is not sent.
    public var size: Int?
    /// Whether links may lead to another server.
    public var allowsOtherOrigins: Bool

    /// Pages by links.
    public init(
        nextRelation: String = "next", previousRelation: String = "prev", sizeParameter: String? = nil,
        size: Int? = nil, allowsOtherOrigins: Bool = false
    ) {
        self.nextRelation = nextRelation
        self.previousRelation = previousRelation
        self.sizeParameter = sizeParameter
        self.size = size
        self.allowsOtherOrigins = allowsOtherOrigins
    }

    /// Replaces the request's URL by that of the page.
    public func prepare(_ request: inout TransportRequest, for position: PagePosition) throws {
        switch position {
        case .first:
            guard let sizeParameter, let size else { return }
            request.url = try request.url.settingQuery(
                [sizeParameter: size])
        case .url(let url):
            guard allowsOtherOrigins || url.hasOrigin(of: request.url) else {
                throw RequestError.invalidRequest(
                    "the link leads from \(request.url.originText) to \(url.originText), another origin, which would get "
                        + "the credentials of this one; LinkPagination(allowsOtherOrigins: true) allows that")
            }
            request.url = url
        case .number, .cursor: throw unsupportedPosition(position)
        }
    }

    /// The page at the link with ``nextRelation``.
    public func next(after position: PagePosition, in response: PageResponse) throws -> PagePosition? {
        LinkHeader(response.headers, relativeTo: response.url).target(nextRelation).map { .url($0) }
    }

    /// The page at the link with ``previousRelation``.
    public func previous(before position: PagePosition, in response: PageResponse) throws -> PagePosition? {
        LinkHeader(response.headers, relativeTo: response.url).target(previousRelation).map { .url($0) }
    }
}

extension URL {
    /// Whether scheme, host and port are those of another URL, RFC 6454 section 4.
    fileprivate func hasOrigin(of other: URL) -> Bool {
        scheme?.lowercased() == other.scheme?.lowercased() && host()?.lowercased() == other.host()?.lowercased()
            && portOrDefault == other.portOrDefault
    }

    /// Scheme, host and port, without user and password.
    fileprivate var originText: String {
        "\(scheme ?? "")://\(host() ?? "")\(port.map { ":\($0)" } ?? "")"
    }

    private var portOrDefault: Int? { port ?? (scheme?.lowercased() == "https" ? 443 : 80) }
}
