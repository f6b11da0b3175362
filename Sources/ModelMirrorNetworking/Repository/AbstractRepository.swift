public import Foundation
import ModelMirror

/// Fetches JSON and hands typed objects to a closure that throws. Subclass it, one method per request:
///
/// ```swift
/// class GistsRepository: AbstractRepository<String> {
///     @discardableResult
///     func requestGists(
///         of user: String, completion: @escaping @MainActor (_ getGists: () throws -> sending [Gist]) -> Void
///     ) -> Request<[Gist]> {
///         requestObjects(.get, url: "https://api.github.com/users/\(user)/gists", completion: completion)
///     }
/// }
///
/// let request = repository.requestGists(of: "octocat") { getGists in
///     do { show(try getGists()) } catch { report(error) }
/// }
/// ```
///
/// `Status` is the type of the status in the server's envelopes, if it sends such: `String`, `Int`, `Bool`, an enum.
///
/// Each kind of request has three faces over one implementation:
///
/// | | main actor | queue | async |
/// |---|---|---|---|
/// | one object | `requestObject` | `requestObject(… on:completion:)` | `object` |
/// | an array of objects | `requestObjects` | … | `objects` |
/// | objects by key | `requestDictionaryOfObjects` | … | `dictionaryOfObjects` |
/// | any convertible value | `requestValue` | … | `value` |
/// | what a closure makes of the bytes | `requestDecoded` | … | `decoded` |
/// | nothing but the good end | `requestSuccess` | … | `success` |
///
/// Each takes a URL, or a ``Route``: `requestObjects(.get, url: "gists")`, `requestObjects(API.gists)`.
///
/// A closure is called exactly once, also if the request is cancelled or was never sent. The first call of the function it
/// gets hands the objects over; a later one throws ``RequestError/alreadyTaken``.
///
/// A response goes through these checks, and the first that fails decides the error: it arrives
/// (``RequestError/connection(_:)`` and the like), its status (``RequestError/unacceptableStatus(_:)``,
/// ``RequestError/statusFailure(_:)``), its content type (``RequestError/unacceptableContentType(_:)``), the status in its
/// envelope (``RequestError/statusFailure(_:)``), the objects (`ModelError`, with lines).
///
/// A repository belongs to whoever made it: it is not Sendable. Its methods can be called from any isolation, and what they
/// begin does not need it any more.
nonisolated open class AbstractRepository<Status: Equatable & Sendable> {
    /// What requests are sent with.
    public let transport: any Transport
    /// What relative URLs are appended to; nil if all are absolute.
    public var baseURL: URL?
    /// Where things stand in a body, and what is accepted. A change holds for the requests that come after it.
    public var configuration: Configuration

    /// A repository.
    ///
    /// - Parameters:
    ///   - transport: What requests are sent with.
    ///   - baseURL: What relative URLs are appended to.
    ///   - configuration: nil for the class's ``defaultConfiguration``.
    public init(
        transport: any Transport = URLSessionTransport.shared, baseURL: URL? = nil, configuration: Configuration? = nil
    ) {
        self.transport = transport
        self.baseURL = baseURL
        self.configuration = configuration ?? Self.defaultConfiguration
    }

    /// The configuration of new repositories of the class.
    ///
    /// ```swift
    /// override class var defaultConfiguration: Configuration {
    ///     Configuration(objectsKey: ["data", "items"], statusKey: "status", statusOk: "OK")
    /// }
    /// ```
    open class var defaultConfiguration: Configuration { Configuration() }

    /// The error for what the envelope of a failed request says; by default nil, which makes a
    /// ``RequestError/statusFailure(_:)``.
    ///
    /// ```swift
    /// override class func error(forCode code: String?, message: String?) -> (any Error)? {
    ///     code == "17" ? QuotaExceeded() : nil
    /// }
    /// ```
    ///
    /// A class function because it is called away from the repository, on no particular thread.
    ///
    /// - Parameters:
    ///   - code: The text at ``Configuration/errorCodeKey``; a number as its digits.
    ///   - message: The text at ``Configuration/errorDescriptionKey``.
    open class func error(forCode code: String?, message: String?) -> (any Error)? { nil }

    /// The error for a response whose status or whose envelope says that the request failed, for servers that describe errors
    /// in a model of their own; by default nil, which leaves it to ``error(forCode:message:)``.
    ///
    /// ```swift
    /// struct Refusal: Error, Decodable { var code: Int; var reason: String }
    ///
    /// override class func error(from response: RequestError.FailedResponse) throws -> (any Error)? {
    ///     try response.value(Refusal.self, at: "error")      // nil if there is no JSON, or nothing at that key
    /// }
    /// ```
    ///
    /// A class function because it is called away from the repository, on no particular thread.
    ///
    /// - Throws: What is to be thrown in place of the error, such as the `ModelError` of an error that cannot be read.
    open class func error(from response: RequestError.FailedResponse) throws -> (any Error)? { nil }
}
