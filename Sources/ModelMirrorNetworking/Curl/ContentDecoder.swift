#if os(Linux)
import CurlCalls
import ModelMirrorFoundation
import Synchronization

/// Decompresses a gzip or deflate body while it is read, and reports whether it is complete.
///
/// It works at the reader's pace: a piece is decompressed when it is requested, so a small body that expands to gigabytes
/// takes no more memory than any other.
final class ContentDecoder {
    /// The bytes do not match the encoding.
    struct Damage: Error {}

    private static let pieceSize = 1 << 16

    private let functions: CurlLibrary.InflateFunctions
    // On the heap, because zlib keeps its address.
    private let stream: CurlLibrary.Inflation
    private let isDeflate: Bool
    private var isBegun = false
    /// Whether the end mark of the compressed data was reached.
    private var isEnded = false
    private var input = Data()
    /// Where zlib writes.
    private var output = [UInt8](repeating: 0, count: pieceSize)

    /// A decoder for a value of `Content-Encoding`; nil for codings other than gzip and deflate.
    init?(_ encoding: String, _ functions: CurlLibrary.InflateFunctions) {
        switch encoding {
        case "gzip", "x-gzip": isDeflate = false
        case "deflate": isDeflate = true
        default: return nil
        }
        self.functions = functions
        stream = .allocate(capacity: 1)
        stream.initialize(to: curl_calls_inflation())
    }

    /// The body of a response, decompressed while it is read; nil for codings other than gzip and deflate.
    static func decoding(
        _ response: TransportResponse, _ encoding: String, _ functions: CurlLibrary.InflateFunctions
    ) -> ResponseBody? {
        guard let decoder = ContentDecoder(encoding, functions) else { return nil }
        let state = Mutex((decoder: decoder, body: ResponseBody?.some(response.body)))
        return ResponseBody { [url = response.url] in
            while true {
                do {
                    if let piece = try state.withLock({ try $0.decoder.next() }) { return piece }
                } catch {
                    // Ends the transfer.
                    state.withLock { $0.body = nil }
                    throw RequestError.connection(
                        .badResponse, to: url, "the body is not compressed as its Content-Encoding says")
                }
                guard let bytes = try await state.withLock({ $0.body })?.nextChunk() else {
                    if state.withLock({ $0.decoder.isWhole }) { return nil }
                    throw RequestError.connection(
                        .connectionLost, to: url, "the compressed body ended before it was complete")
                }
                state.withLock { $0.decoder.add(bytes) }
            }
        }
    }

    deinit {
        if isBegun { _ = functions.end(stream) }
        stream.deallocate()
    }

    /// Whether the compressed data has reached its end, or there is none: an empty body is complete, as that of a 204, or of a response
    /// to HEAD.
    var isWhole: Bool { isEnded || !isBegun && input.isEmpty }

    /// Adds compressed bytes. Call it only when ``next()`` has returned nil.
    func add(_ bytes: Data) { input = input.isEmpty ? bytes : input + bytes }

    /// The next decompressed piece; nil if more compressed bytes are needed.
    func next() throws(Damage) -> Data? {
        while try isReady() {
            let count = try decompress()
            if count > 0 { return Data(output[..<count]) }
            // A gzip member may be empty, and another may follow.
            guard isEnded else { return nil }
        }
        return nil
    }

    /// Decompresses into ``output``, and returns the number of bytes.
    private func decompress() throws(Damage) -> Int {
        var (taken, made, code): (Int, Int, Int32) = (0, 0, 0)
        input.withUnsafeBytes { source in
            output.withUnsafeMutableBytes { target in
                stream.pointee.next_in = source.bindMemory(to: UInt8.self).baseAddress
                stream.pointee.avail_in = UInt32(clamping: source.count)
                stream.pointee.next_out = target.bindMemory(to: UInt8.self).baseAddress
                stream.pointee.avail_out = UInt32(target.count)
                code = functions.inflate(stream, 0)
                taken = min(source.count, Int(UInt32.max)) - Int(stream.pointee.avail_in)
                made = target.count - Int(stream.pointee.avail_out)
                // Neither pointer is valid after this.
                stream.pointee.next_in = nil
                stream.pointee.next_out = nil
            }
        }
        input = input.count == taken ? Data() : input.dropFirst(taken)
        switch code {
        case 1: isEnded = true
        // Z_OK, and Z_BUF_ERROR: no progress without more bytes.
        case 0, -5: break
        default: throw Damage()
        }
        return made
    }

    /// Whether there may be something to decompress; sets up zlib at the beginning of a member.
    private func isReady() throws(Damage) -> Bool {
        // zlib may hold more output than fitted into the last piece, so no input does not mean no output.
        if isBegun, !isEnded { return true }
        guard !input.isEmpty else { return false }
        if isEnded {
            // RFC 1952 section 2.2: another member may follow. Anything else is padding.
            guard !isDeflate, input.starts(with: [0x1F, 0x8B].prefix(input.count)) else {
                input = Data()
                return false
            }
            // The second byte comes with the next chunk, or this one is padding.
            if input.count == 1 { return false }
            isEnded = false
            _ = functions.end(stream)
            isBegun = false
            stream.initialize(to: curl_calls_inflation())
        }
        if isDeflate, input.count < 2 { return false }
        // 32 + 15: a gzip or zlib header; negative: none, as some servers send deflate.
        let bits: Int32 = isDeflate && !hasZlibHead ? -15 : 47
        let size = Int32(MemoryLayout<curl_calls_inflation>.size)
        guard functions.begin(stream, bits, "1.2.11", size) == 0 else { throw Damage() }
        isBegun = true
        return true
    }

    /// RFC 1950 section 2.2: compression method 8, and a checksum over both bytes.
    private var hasZlibHead: Bool {
        let (first, second) = (UInt16(input[input.startIndex]), UInt16(input[input.startIndex + 1]))
        return first & 0x0F == 8 && (first << 8 | second) % 31 == 0
    }
}
#endif
