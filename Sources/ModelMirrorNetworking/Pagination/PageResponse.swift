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
    ///
    /// Read from the body when it is asked for, as pages by cursors and links never do.
    public var elementCount: Int {
        switch count {
        case .known(let count): count
        // What could be wrong with the body or the path was, when the elements were mapped.
        case .inBody(let path): (try? ValueReading.elementCount(in: body, at: path)) ?? 0
        }
    }

    private enum Count: Sendable {
        case known(Int)
        case inBody(JSONPath)
    }

    private let count: Count

    /// A response.
    public init(url: URL, headers: HTTPHeaders, body: Data, elementCount: Int) {
        self.url = url
        self.headers = headers
        self.body = body
        count = .known(elementCount)
    }

    /// A response whose elements, which were mapped, a path leads to.
    init(_ head: TransportResponse, body: Data, elementsAt path: JSONPath) {
        url = head.url
        headers = head.headers
        self.body = body
        count = .inBody(path)
    }

    /// A value of the body.
    ///
    /// - Returns: nil if the path leads to nothing or `null`.
    /// - Throws: `ModelError` if there is something, and it does not fit.
    public func value<Value>(at path: JSONPath, as type: Value.Type = Value.self) throws(ModelError) -> Value? {
        try ValueReading.value(Value?.self, from: body, at: path)
    }
}
