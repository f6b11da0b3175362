import ModelMirror
import ModelMirrorFoundation

/// Finds server-sent events by the parsing rules of the WHATWG HTML standard, section 9.2.6.
struct EventSplitter<Element>: StreamSplitter {
    private let limit: Int
    /// The element of an event; nil if it is skipped.
    private let make: @Sendable (ServerSentEvent) throws -> SendingBox<Element>?
    private var lines = LineScanner(endsAtReturn: true)
    private var index = 0

    private var data: [UInt8] = []
    private var places: [ErrorPlace] = []
    private var name = ""
    /// Nil before the first `id` field.
    private var id: String?
    /// The id of the last complete event, including those of earlier connections; nil without one, empty if the server removed it.
    private(set) var lastID: String?
    /// The last `retry`; nil without one.
    private var retry: Duration?
    /// How long to wait before the next connection; nil if the server sent no `retry`.
    private(set) var wait: Duration?
    /// The index of the connection's first event.
    private var firstIndex = 0
    private var size = 0
    /// The start of the current event; nil between events.
    private var start: ErrorPlace?

    /// - Parameter limit: The largest event in bytes, with field names and without comments.
    init(limit: Int, make: @escaping @Sendable (ServerSentEvent) throws -> SendingBox<Element>?) {
        self.limit = max(limit, 1)
        self.make = make
    }

    /// Takes a chunk. At the end of a connection an event without its final empty line is discarded.
    mutating func take(_ chunk: Data?) {
        lines.take(chunk)
        if chunk != nil { return }
        lines = LineScanner(endsAtReturn: true)
        forget()
        id = lastID
        // Otherwise a server that sends nothing would be asked without a pause.
        wait = index == firstIndex ? retry.map { max($0, .seconds(1)) } : retry
        firstIndex = index
    }

    mutating func next() throws -> SendingBox<Element>? {
        while true {
            let isWhole = lines.advance()
            // A comment counts alone.
            let room = lines.line.first == UInt8(ascii: ":") ? limit : limit - size
            guard (isWhole ? lines.line.count : lines.gatheredCount) <= room else {
                throw StreamError.tooLarge(.event, at: [.index(index)], start ?? lines.place, limit: limit)
            }
            guard isWhole else { return nil }
            if lines.line.isEmpty {
                if let event = dispatch(), let element = try make(event) { return element }
            } else {
                takeField()
            }
        }
    }

    mutating func conclude(_ checkEnvelope: (Data) throws -> Void) {}

    private mutating func takeField() {
        let line = lines.line
        let colon = line.firstIndex(of: UInt8(ascii: ":"))
        // A comment.
        if colon == 0 { return }
        size += line.count
        if start == nil { start = lines.place }
        var begin = colon.map { $0 + 1 } ?? line.count
        if begin < line.count, line[begin] == UInt8(ascii: " ") { begin += 1 }
        let value = line[begin...]
        switch String(decoding: line[..<(colon ?? line.count)], as: UTF8.self) {
        case "data":
            data += value
            data.append(UInt8(ascii: "\n"))
            let place = lines.place
            places.append(ErrorPlace(line: place.line, column: begin + 1, offset: place.offset + begin))
        case "event": name = String(decoding: value, as: UTF8.self)
        case "id" where !value.contains(0): id = String(decoding: value, as: UTF8.self)
        case "retry":
            guard !value.isEmpty, value.allSatisfy(\.isDigit) else { return }
            // More digits than fit in an Int64 mean a practically endless wait.
            retry = .milliseconds(Int64(String(decoding: value, as: UTF8.self)) ?? .max)
        default: break
        }
    }

    /// The event ended by an empty line; nil if it has no data.
    private mutating func dispatch() -> ServerSentEvent? {
        defer { forget() }
        lastID = id
        guard !data.isEmpty, let start else { return nil }
        defer { index += 1 }
        return ServerSentEvent(
            name: name.isEmpty ? "message" : name, data: String(decoding: data.dropLast(), as: UTF8.self), id: id ?? "",
            retry: retry, line: start.line, index: index, places: places)
    }

    /// Discards the event that is being gathered.
    private mutating func forget() {
        data.removeAll(keepingCapacity: true)
        places.removeAll(keepingCapacity: true)
        name = ""
        size = 0
        start = nil
    }
}
