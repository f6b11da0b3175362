public import ModelMirror
public import ModelMirrorFoundation

/// The file format of a ``FileStore``.
///
/// ```text
/// ModelMirror 2\n     14 bytes, the format
/// …                   16 bytes, the checksum of all following bytes
/// …                    8 bytes, the length of the description, little-endian
/// …                    8 bytes, the length of the body, likewise
/// {"key": …}          the description, JSON
/// …                   the body, up to the end
/// ```
///
/// The checksum detects missing, added and changed bytes; the lengths show without reading the body that a file is incomplete.
struct StoredFile {
    /// All fields but the body. The date is stored as its bit pattern, so that it is restored exactly.
    struct Description: Codable {
        var key: String
        var status: Int
        var url: URL
        var headers: [[String]]
        var date: UInt64

        var time: Date { Date(timeIntervalSinceReferenceDate: Double(bitPattern: date)) }
    }

    /// The first line of every file.
    static let format = Array("ModelMirror 2\n".utf8)

    static func bytes(of response: StoredResponse, for key: String) throws -> Data {
        let description = try JSONEncoder().encode(
            Description(
                key: key, status: response.status, url: response.url,
                headers: response.headers.fields.map { [$0.name.description, $0.value] },
                date: response.date.timeIntervalSinceReferenceDate.bitPattern))
        let lengths = Data(littleEndian([UInt64(description.count), UInt64(response.body.count)]))
        let checksum = Checksum(of: lengths, description, response.body)
        // Reserved at once: a growing copy of a large body takes up to half as much again.
        var bytes = Data(capacity: headCount + description.count + response.body.count)
        for part in [Data(format + checksum.bytes), lengths, description, response.body] { bytes.append(part) }
        return bytes
    }

    /// The number of bytes before the description.
    static let headCount = format.count + Checksum.count + 16

    /// Whether a file may be complete, going by its first ``headCount`` bytes and its size in bytes.
    static func canBeWhole(_ head: Data, size: Int) -> Bool {
        guard head.count == headCount, head.starts(with: format) else { return false }
        let (content, isOver) = number(head.dropFirst(headCount - 16)).addingReportingOverflow(number(head.suffix(8)))
        return !isOver && size >= headCount && content == UInt64(size - headCount)
    }

    /// The description in a file, read without its body; nil if the file is not a stored response. The checksum is not verified.
    static func description(of file: URL) throws(FileError) -> Description? {
        let bytes = try AtomicFile.bytes(of: file, headCount: headCount) { head, size in
            canBeWhole(head, size: size) ? headCount + Int(number(head.dropFirst(headCount - 16))) : 0
        }
        return bytes.flatMap { read($0.dropFirst(headCount)) }
    }

    /// The response in the bytes of a file, if they are intact and for this key.
    static func response(from bytes: Data, for key: String) throws(DamagedStoredFile.Reason) -> StoredResponse {
        guard bytes.starts(with: format) else {
            // A file truncated within its first line is truncated, not of another format.
            throw format.starts(with: bytes) ? .changed : .otherFormat
        }
        guard canBeWhole(bytes.prefix(headCount), size: bytes.count) else { throw .changed }
        let content = bytes.dropFirst(format.count + Checksum.count)
        let rest = content.dropFirst(16)
        let length = Int(number(content))
        let (text, body) = (rest.prefix(length), rest.dropFirst(length))
        let checksum = Checksum(of: content.prefix(16), text, body)
        guard checksum.bytes.elementsEqual(bytes.dropFirst(format.count).prefix(Checksum.count)) else { throw .changed }
        guard let description = read(text) else { throw .otherFormat }
        guard description.key == key else { throw .otherKey }
        let fields = description.headers.filter { $0.count == 2 }
            .map { HTTPHeaders.Field(name: HeaderName($0[0]), value: $0[1]) }
        return StoredResponse(
            status: description.status, url: description.url, headers: HTTPHeaders(fields),
            body: Data(body), date: description.time)
    }

    private static func number(_ bytes: Data) -> UInt64 {
        bytes.prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    private static func read(_ bytes: Data) -> Description? { try? JSONDecoder().decode(Description.self, from: bytes) }
}

/// A 128-bit checksum against damage, not against forgery. It is fast in debug builds too, where SHA-256 takes a hundred times
/// as long as writing the bytes.
struct Checksum {
    /// Its size in bytes.
    static let count = 16

    /// The bytes of the checksum.
    let bytes: [UInt8]

    /// The checksum of several pieces and their lengths.
    init(of pieces: Data...) {
        var (a, b): (UInt64, UInt64) = (0x9E37_79B9_7F4A_7C15, 0xC2B2_AE3D_27D4_EB4F)
        for piece in pieces {
            Checksum.add(UInt64(piece.count), &a, &b)
            piece.withUnsafeBytes { bytes in
                var offset = 0
                while offset + 8 <= bytes.count {
                    Checksum.add(bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self).littleEndian, &a, &b)
                    offset += 8
                }
                let rest = bytes[offset...].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
                Checksum.add(rest, &a, &b)
            }
        }
        bytes = littleEndian([a, b])
    }

    /// Each step is a bijection of either word, so no single change goes undetected.
    private static func add(_ word: UInt64, _ a: inout UInt64, _ b: inout UInt64) {
        a = (a ^ word) &* 0x9FB2_1C65_1E98_DF25
        a ^= a >> 32
        b = (b &+ word) &* 0xD6E8_FEB8_6659_FD93
        b = b << 29 | b >> 35
    }
}

private func littleEndian(_ words: [UInt64]) -> [UInt8] {
    words.flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) } }
}

/// A file of a ``FileStore`` that does not hold what was saved, and so counts as absent. The next response saved for the key
/// replaces it.
public struct DamagedStoredFile: LocalizedError, SentenceError, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong with the file.
    public enum Reason: Error {
        /// Its bytes were truncated, extended or changed.
        case changed
        /// It was written by another version of ModelMirror, or by another program.
        case otherFormat
        /// It is intact but belongs to another key: it was renamed or copied.
        case otherKey
    }

    /// The file.
    public let file: URL
    /// The requested key.
    public let key: String
    /// What is wrong.
    public let reason: Reason

    /// One sentence.
    public var description: String {
        let clause =
            switch reason {
            case .changed: "its bytes are not those that were written"
            case .otherFormat: "it is in another format"
            case .otherKey: "it was written for another key"
            }
        return "The stored response at \(file.path) is not used: \(clause); it is fetched and stored anew."
    }
}
