#if os(Linux)
import CurlCalls

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Decompresses a body in gzip or deflate while it is read, and knows whether it is whole.
///
/// It works at the reader's pace: a piece is decompressed when it is asked for, so a small body that expands to gigabytes
/// costs no more memory than another.
final class ContentDecoder {
    /// Why there is no more to be had.
    enum Fault: Error {
        /// The bytes are not what the encoding says.
        case damaged
    }

    private static let pieceSize = 1 << 16

    private let functions: CurlLibrary.InflateFunctions
    // On the heap, for zlib keeps its address.
    private let stream: CurlLibrary.Inflation
    private let isDeflate: Bool
    private var isBegun = false
    /// Whether the end mark of the compressed data was met.
    private var isEnded = false
    private var input = Data()
    /// Where zlib writes.
    private var output = [UInt8](repeating: 0, count: pieceSize)
    /// Whether a byte has come. A body without any is whole: a 204, or an answer to HEAD.
    private var isEmpty = true

    /// A decoder for a value of `Content-Encoding`; nil for others than gzip and deflate.
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

    deinit {
        if isBegun { _ = functions.end(stream) }
        stream.deallocate()
    }

    /// Whether the compressed data has come to its end.
    var isWhole: Bool { isEnded || isEmpty }

    /// Adds compressed bytes. Only when ``next()`` has given nil.
    func add(_ bytes: Data) {
        isEmpty = isEmpty && bytes.isEmpty
        input = input.isEmpty ? bytes : input + bytes
    }

    /// The next decompressed piece; nil if more compressed bytes are needed.
    func next() throws(Fault) -> Data? {
        while try isReady() {
            let count = try decompress()
            if count > 0 { return Data(output[..<count]) }
            // A member of gzip may be empty, and another one follow.
            guard isEnded else { return nil }
        }
        return nil
    }

    /// Decompresses into ``output``, and gives the count of bytes.
    private func decompress() throws(Fault) -> Int {
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
                // Neither is valid after this.
                stream.pointee.next_in = nil
                stream.pointee.next_out = nil
            }
        }
        input = input.count == taken ? Data() : input.dropFirst(taken)
        switch code {
        case 1: isEnded = true
        // Z_OK, and Z_BUF_ERROR: nothing could be done without more bytes.
        case 0, -5: break
        default: throw .damaged
        }
        return made
    }

    /// Whether there is something to decompress; begins where nothing was before.
    private func isReady() throws(Fault) -> Bool {
        // A full piece may have left more of it within zlib, so no input does not mean no output.
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
        // 32 and more: a gzip or zlib head; negative: none, as some servers send deflate.
        let bits: Int32 = isDeflate && !hasZlibHead ? -15 : 47
        let size = Int32(MemoryLayout<curl_calls_inflation>.size)
        guard functions.begin(stream, bits, "1.2.11", size) == 0 else { throw .damaged }
        isBegun = true
        return true
    }

    /// RFC 1950 section 2.2: the method 8, and a checksum over both bytes.
    private var hasZlibHead: Bool {
        let (first, second) = (UInt16(input[input.startIndex]), UInt16(input[input.startIndex + 1]))
        return first & 0x0F == 8 && (first << 8 | second) % 31 == 0
    }
}
#endif
