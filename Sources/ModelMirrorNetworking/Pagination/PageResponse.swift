public import Foundation
public import ModelMirror

/// The response with a page, as a ``Pagination`` looks at it.
public struct PageResponse: Sendable {
    /// Where it came from.
    public let url: URL
    /// Its header fields.
    public let headers: HTTPHeaders
    /// Its body.
    public let body: Data
    /// How many elements the server sent, those included that the mapping left out: they count where pages are counted.
    public let elementCount: Int

    /// A response.
    public init(url: URL, headers: HTTPHeaders, body: Data, elementCount: Int) {
        self.url = url
        self.headers = headers
        self.body = body
        self.elementCount = elementCount
    }

    /// A value of the body.
    ///
    /// - Returns: nil if the path leads to nothing or `null`.
    /// - Throws: `ModelError` if there is something, and it does not fit.
    public func value<Value>(at path: JSONPath, as type: Value.Type = Value.self) throws(ModelError) -> Value? {
        try ValueReading.value(Value?.self, from: body, at: path)
    }
}
