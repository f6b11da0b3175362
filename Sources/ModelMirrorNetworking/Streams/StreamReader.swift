import ModelMirror
import ModelMirrorFoundation

/// An accepted response whose body is streamed.
struct OpenedStream: Sendable {
    var body: ResponseBody
    /// Nil for a stream of a body alone.
    var head: ResponseHead?
    /// Throws if the document around the elements reports a failure.
    var checkEnvelope: @Sendable (_ envelope: Data) throws -> Void = { _ in }
    /// Whether the server has nothing more to send, now or later.
    var isLast: Bool { head?.status == 204 }
    /// The account and the sign-ins that the stream is bound to.
    var binding: RequestBinding? { head?.binding }
}

/// Reads one stream: opens it when the first element is requested, and reads a chunk only when all earlier elements have been
/// delivered.
actor StreamReader<Splitter: StreamSplitter> {
    private enum Stage {
        case unopened(@Sendable () async throws -> OpenedStream)
        /// `isOver` after the last chunk.
        case reading(OpenedStream, isOver: Bool)
        case ended
    }

    /// Waits, and opens the stream again; nil if the server has nothing more to send.
    ///
    /// - Parameter ended: The stream that has ended.
    typealias Reopen = @Sendable (_ splitter: Splitter, _ ended: OpenedStream) async throws -> OpenedStream?

    private var reopen: Reopen?
    private var stage: Stage
    private var splitter: Splitter
    private var isReading = false
    /// Method and URL, for mapping errors; nil before the stream is open.
    private var source: String?

    /// - Parameter reopen: Continues after the connection has ended or failed; nil if the stream ends with it.
    init(_ splitter: Splitter, reopen: Reopen? = nil, open: @escaping @Sendable () async throws -> OpenedStream) {
        self.splitter = splitter
        self.reopen = reopen
        stage = .unopened(open)
    }

    func next() async throws -> SendingBox<Splitter.Element>? {
        // While this call waits for a chunk, the actor accepts another call.
        guard !isReading else { throw StreamError.readByTwoTasks }
        isReading = true
        defer { isReading = false }
        do {
            let element = try await advance()
            if element == nil { stage = .ended }
            return element
        } catch {
            // Dropping the body ends the transfer.
            stage = .ended
            if let source, let error = error as? ModelError { throw error.from(source) }
            throw error.asRequestError
        }
    }

    private func advance() async throws -> SendingBox<Splitter.Element>? {
        while true {
            try Task.checkCancellation()
            switch stage {
            case .ended: return nil
            case .unopened(let open):
                let stream = try await open()
                source = stream.head?.source
                // A body alone has one connection.
                if stream.head == nil { reopen = nil }
                stage = .reading(stream, isOver: false)
                stream.binding?.onRevoke { [weak self] in Task { await self?.drop() } }
            case .reading(let stream, isOver: false):
                try stream.binding?.checkRevoked()
                if let element = try splitter.next() { return element }
                let chunk: Data?
                do {
                    chunk = try await stream.binding.run { try await stream.body.nextChunk() }
                } catch RequestError.connection where reopen != nil {
                    chunk = nil
                }
                splitter.take(chunk)
                stage = .reading(stream, isOver: chunk == nil)
            case .reading(var ended, isOver: true):
                try ended.binding?.checkRevoked()
                if let element = try splitter.next() { return element }
                try splitter.conclude(ended.checkEnvelope)
                guard let reopen, !ended.isLast else { return nil }
                // Ends the transfer.
                ended.body = ResponseBody(Data())
                stage = .ended
                let reopened = try await ended.binding.run { [ended, splitter] in try await reopen(splitter, ended) }
                guard let reopened else { return nil }
                stage = .reading(reopened, isOver: false)
            }
        }
    }

    /// Ends the transfer of a stream that nobody is reading at this moment.
    private func drop() {
        if !isReading, case .reading = stage { stage = .unopened { throw RequestError.accountChanged } }
    }
}

/// Finds the elements of a stream that arrives in arbitrary chunks.
///
/// After each chunk, elements are requested until none are left in it. Memory is bounded by a chunk and the element being
/// gathered.
protocol StreamSplitter: Sendable {
    associatedtype Element

    /// Takes the next chunk, after all elements of the earlier ones have been requested; nil at the end, after which more elements
    /// may follow, or errors.
    mutating func take(_ chunk: Data?)

    /// The next element; nil if more bytes are needed.
    mutating func next() throws -> SendingBox<Element>?

    /// Throws errors of the stream as a whole, after its last element.
    mutating func conclude(_ checkEnvelope: (_ envelope: Data) throws -> Void) throws
}

extension SendingBox {
    /// The element of an array of one; nil if the options skip it.
    ///
    /// - Parameters:
    ///   - path: The element's path in the stream.
    ///   - start: The element's place in the stream, after the bracket.
    convenience init?(
        element array: [UInt8], at path: JSONPath, _ start: ErrorPlace, options: MappingOptions
    ) throws(ModelError) {
        do throws(ModelError) {
            var elements = try JSONMapper.value([Value].self, from: array, options: options)
            guard let element = elements.popLast() else { return nil }
            self.init(element)
        } catch {
            throw error.moved {
                JSONPath(path.steps + $0.steps.dropFirst())
            } place: {
                start.moved(to: $0.without(prefix: 1))
            }
        }
    }
}
