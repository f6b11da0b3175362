public import ModelMirror

/// Streams of a body that is there. It can be read once, and so can its streams.
extension ResponseBody {
    /// The default limit of an element, a line or an event in bytes: 16 MiB.
    public static let defaultElementLimit = 16 << 20

    /// The elements of an array of objects, one by one as they arrive.
    ///
    /// - Parameters:
    ///   - path: Leads to the array; by default it is the whole document. All of the document is checked.
    ///   - options: How each element is mapped. Depth is counted from the array, bytes are those of one element.
    ///   - limit: The most bytes of an element, and of a key or value beside the array.
    public func objects<Model: AbstractModel>(
        _ type: Model.Type = Model.self, at path: JSONPath = .root, options: MappingOptions = .init(),
        elementLimit limit: Int = defaultElementLimit
    ) -> ModelStream<Model> {
        ModelStream(ArraySplitter<Model>(at: path, limit: limit, options: options)) { OpenedStream(body: self) }
    }

    /// The objects of newline-delimited JSON, one a line. Empty lines are passed over; the last line needs no end.
    ///
    /// - Parameters:
    ///   - options: How each line is mapped.
    ///   - limit: The most bytes of a line.
    public func lines<Model: AbstractModel>(
        of type: Model.Type = Model.self, options: MappingOptions = .init(),
        lineLimit limit: Int = defaultElementLimit
    ) -> ModelStream<Model> {
        ModelStream(LineSplitter<Model>(limit: limit, options: options)) { OpenedStream(body: self) }
    }

    /// Server-sent events.
    ///
    /// - Parameter limit: The most bytes of an event.
    public func events(eventLimit limit: Int = defaultElementLimit) -> EventStream {
        EventStream(limit: limit) { OpenedStream(body: self) }
    }
}
