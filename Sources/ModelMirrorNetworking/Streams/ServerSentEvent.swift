public import ModelMirror

/// One event of a stream of server-sent events, by the WHATWG's HTML standard, section 9.2.
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
/// try event.object(Gist.self).id      // 3
/// ```
public struct ServerSentEvent: Sendable {
    /// The `event` field; `message` if there was none.
    public let name: String
    /// The `data` fields, joined by LF. What is no UTF-8 became U+FFFD.
    public let data: String
    /// The last `id` field up to here in the stream, of an earlier event, too; empty if there was none. Send it as
    /// `Last-Event-ID` to go on after this event.
    public let id: String
    /// How long the server asks to wait before connecting again: the last `retry` field up to here; nil if there was none.
    public let retry: Duration?
    /// The line in the stream, from 1, of its first field.
    package let line: Int

    /// Which event of the stream it is, from 0.
    let index: Int
    /// Where in the stream each line of the data begins.
    let places: [ErrorPlace]

    /// The object that the data are.
    ///
    /// - Parameters:
    ///   - path: Leads to the object.
    ///   - options: How the data are mapped.
    /// - Throws: `ModelError`, with the lines, columns and offsets of the stream; the path begins with the number of the event:
    ///   `$[3].id` is in the fourth.
    public func object<Model: AbstractModel>(
        _ type: Model.Type = Model.self, at path: JSONPath = .root, options: MappingOptions = .init()
    ) throws(ModelError) -> Model {
        do throws(ModelError) {
            return try ValueReading.object(Model.self, from: data, at: path, options: options)
        } catch {
            throw moved(error)
        }
    }

    /// The value of any type that a property may have, which the data are.
    ///
    /// - Throws: `ModelError`, as ``object(_:at:options:)``.
    public func value<Value>(
        _ type: Value.Type = Value.self, at path: JSONPath = .root, options: MappingOptions = .init()
    ) throws(ModelError) -> Value {
        do throws(ModelError) {
            return try ValueReading.value(Value.self, from: data, at: path, options: options)
        } catch {
            throw moved(error)
        }
    }

    /// An error in the data, told of the stream. Lines of the data are lines of the stream, each after the name of its field.
    private func moved(_ error: ModelError) -> ModelError {
        error.moved {
            JSONPath([.index(index)] + $0.steps)
        } place: { inner in
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
