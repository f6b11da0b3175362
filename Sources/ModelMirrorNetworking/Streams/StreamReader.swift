import ModelMirror
import ModelMirrorFoundation

/// An accepted response whose body is streamed.
struct OpenedStream: Sendable {
    var body: ResponseBody
    /// Nil for a stream of a body alone.
    var head: ResponseHead?
    /// Throws if the document around the elements reports a failure.
    var judge: @Sendable (_ envelope: Data) throws -> Void = { _ in }
    /// Whether the server has nothing more to send, now or later.
    var isOver: Bool { head?.status == 204 }
    /// For whom the stream was requested.
    var binding: RequestBinding? { head?.binding }
}

/// Reads one stream: opens it when the first element is requested, and reads a chunk only when all earlier elements have been
/// delivered.
actor StreamReader<Splitter: StreamSplitter> {
    private enum Stage {
        case unopened(@Sendable () async throws -> OpenedStream)
        case reading(OpenedStream)
        case finished(OpenedStream)
        /// The connection has ended, and the stream continues on another one.
        case lost(OpenedStream)
        /// The account has signed out.
        case revoked
        case ended
    }

    /// Waits, and opens the stream again; nil if the server has nothing more to send.
    ///
    /// - Parameter ended: The stream that has ended.
    typealias Reopen = @Sendable (_ splitter: inout Splitter, _ ended: OpenedStream) async throws -> OpenedStream?

    private let reopen: Reopen?
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
            throw error is CancellationError ? RequestError.cancelled : error
        }
    }

    private func advance() async throws -> SendingBox<Splitter.Element>? {
        while true {
            try Task.checkCancellation()
            switch stage {
            case .ended: return nil
            case .revoked: throw RequestError.accountChanged
            case .unopened(let open):
                let stream = try await open()
                source = stream.head?.source
                stage = .reading(stream)
                stream.binding?.onRevoke { [weak self] in Task { await self?.drop() } }
            case .reading(let stream):
                if let element = try nextElement(of: stream) { return element }
                do {
                    if let chunk = try await stream.binding.run({ try await stream.body.nextChunk() }) {
                        splitter.take(chunk)
                    } else {
                        splitter.finish()
                        stage = .finished(stream)
                    }
                } catch RequestError.connection(let failure) {
                    if reopen == nil { throw RequestError.connection(failure) }
                    stage = .lost(stream)
                }
            case .finished(let stream):
                if let element = try nextElement(of: stream) { return element }
                try splitter.conclude(stream.judge)
                if reopen == nil || stream.isOver { return nil }
                stage = .lost(stream)
            case .lost(var ended):
                guard let reopen else { return nil }
                // Ends the transfer.
                ended.body = ResponseBody(Data())
                stage = .ended
                let splitter = splitter
                let reopened = try await ended.binding.run { [ended] in
                    var restarted = splitter
                    return try await reopen(&restarted, ended).map { ($0, restarted) }
                }
                guard let reopened else { return nil }
                stage = .reading(reopened.0)
                self.splitter = reopened.1
            }
        }
    }

    /// Ends the transfer of a stream that nobody is reading at this moment.
    private func drop() {
        if !isReading, case .reading = stage { stage = .revoked }
    }

    /// The next element that has arrived, unless the account has signed out.
    private func nextElement(of stream: OpenedStream) throws -> SendingBox<Splitter.Element>? {
        try stream.binding?.checkRevoked()
        return try splitter.next()
    }
}

/// Finds the elements of a stream that arrives in arbitrary chunks.
///
/// After each chunk, elements are requested until none are left in it. Memory is bounded by a chunk and the element being
/// gathered.
protocol StreamSplitter: Sendable {
    associatedtype Element

    /// Takes the next chunk, after all elements of the earlier ones have been requested.
    mutating func take(_ chunk: Data)

    /// The next element; nil if more bytes are needed.
    mutating func next() throws -> SendingBox<Element>?

    /// Takes the end of the stream. More elements may follow, or errors.
    mutating func finish()

    /// Throws errors of the stream as a whole, after its last element.
    mutating func conclude(_ judge: (_ envelope: Data) throws -> Void) throws
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
