public import ModelMirror

/// Streams of a received body. Like the body, they can be read once.
extension ResponseBody {
    /// The default limit of an element, a line or an event in bytes: 16 MiB.
    @usableFromInline static let defaultElementLimit = 16 << 20

    /// The elements of an array, one by one as they arrive.
    ///
    /// - Parameters:
    ///   - type: The type of the elements.
    ///   - path: The path of the array; defaults to the root. The whole document is checked.
    ///   - options: How each element is mapped. Depth is counted from the array; byte limits apply to one element.
    ///   - limit: The largest element in bytes, and the largest key or value outside the array. Defaults to 16 MiB.
    public func elements<Element>(
        _ type: Element.Type = Element.self, at path: JSONPath = .root, options: MappingOptions = .init(),
        elementLimit limit: Int = defaultElementLimit
    ) -> ElementStream<Element> {
        ElementStream(ArraySplitter<Element>(at: path, limit: limit, options: options)) { OpenedStream(body: self) }
    }

    /// The values of newline-delimited JSON, one per line. Empty lines are skipped; the last line needs no ending.
    ///
    /// - Parameters:
    ///   - type: The type of the objects.
    ///   - options: How each line is mapped.
    ///   - limit: The largest line in bytes. Defaults to 16 MiB.
    public func lines<Element>(
        of type: Element.Type = Element.self, options: MappingOptions = .init(),
        lineLimit limit: Int = defaultElementLimit
    ) -> ElementStream<Element> {
        ElementStream(LineSplitter<Element>(limit: limit, options: options)) { OpenedStream(body: self) }
    }

    /// Server-sent events.
    ///
    /// - Parameter limit: The largest event in bytes. Defaults to 16 MiB.
    public func events(eventLimit limit: Int = defaultElementLimit) -> EventStream {
        EventStream(limit: limit) { _ in OpenedStream(body: self) }
    }
}
