public import ModelMirror

/// A server-sent event (WHATWG HTML standard, section 9.2).
///
/// ```text
/// event: gist
/// id: 17
/// data: {"id": 3}
/// ```
/// ```swift
/// event.name                          // "gist"
/// event.id                            // "17"
/// event.data                          // "{\"id\": 3}"
/// try event.value(Gist.self).id      // 3
/// ```
public struct ServerSentEvent: Sendable {
    /// The `event` field; `message` without one.
    public let name: String
    /// The `data` fields, joined by LF. Invalid UTF-8 becomes U+FFFD.
    public let data: String
    /// The last `id` field of the stream so far, possibly of an earlier event; empty without one. Send it as `Last-Event-ID` to
    /// continue after this event.
    public let id: String
    /// The last `retry` field of the stream so far: how long to wait before reconnecting; nil without one.
    public let retry: Duration?
    /// The line of the event's first field in the stream, from 1.
    package let line: Int

    /// The index of the event in the stream, from 0.
    let index: Int
    /// The start of each data line in the stream.
    let places: [ErrorPlace]

    /// Maps the data to a model, or any other type that an endpoint can have.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - path: The path of the value in the data; defaults to the root.
    ///   - options: How the data are mapped.
    /// - Throws: `ModelError` with lines, columns and offsets of the stream; the path begins with the event's index: `$[3].id` is
    ///   in the fourth event.
    public func value<Value>(
        _ type: Value.Type = Value.self, at path: JSONPath = .root, options: MappingOptions = .init()
    ) throws(ModelError) -> Value {
        do throws(ModelError) {
            return try JSONMapper.value(Value.self, from: data, at: path, options: options)
        } catch {
            throw error.moved {
                JSONPath([.index(index)] + $0.steps)
            } place: { inner in
                // Each line of the data is a line of the stream, after its field name.
                guard places.indices.contains(inner.line - 1) else { return inner }
                let before = data.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
                    .prefix(inner.line - 1).reduce(0) { $0 + $1.count + 1 }
                var place = places[inner.line - 1]
                place.column += inner.column - 1
                place.offset += inner.offset - before
                return place
            }
        }
    }
}
