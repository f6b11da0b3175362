public import Foundation

/// The file format of a ``FileStore``.
///
/// ```text
/// ModelMirror 1\n     14 bytes, the format
/// …                   32 bytes, the SHA-256 digest of all following bytes
/// …                    8 bytes, the length of the description, little-endian
/// …                    8 bytes, the length of the body, likewise
/// {"key": …}          the description, JSON
/// …                   the body, up to the end
/// ```
///
/// The digest reveals any missing, added or changed byte; the lengths spare reading a file that cannot be complete.
struct StoredFile {
    /// The fields besides the body. The date is stored as its bit pattern, so that it is restored exactly.
    private struct Description: Codable {
        var key: String
        var status: Int
        var url: URL
        var headers: [[String]]
        var date: UInt64
    }

    /// The first line of every file.
    static let format = Array("ModelMirror 1\n".utf8)

    /// The bytes to write.
    static func bytes(of response: StoredResponse, for key: String) throws -> Data {
        let description = try JSONEncoder().encode(
            Description(
                key: key, status: response.status, url: response.url,
                headers: response.headers.fields.map { [$0.name.description, $0.value] },
                date: response.date.timeIntervalSinceReferenceDate.bitPattern))
        let lengths = Data(
            [description.count, response.body.count].flatMap { count in
                (0..<8).map { UInt8(truncatingIfNeeded: count >> ($0 * 8)) }
            })
        let digest = SHA256Digest(of: lengths, description, response.body)
        var bytes = Data(capacity: headCount + description.count + response.body.count)
        bytes.append(contentsOf: format)
        bytes.append(contentsOf: digest.bytes)
        bytes.append(contentsOf: lengths)
        bytes.append(description)
        bytes.append(response.body)
        return bytes
    }

    /// The number of bytes in front of the description.
    static let headCount = format.count + 48

    /// Whether a file can be complete, judged by its first ``headCount`` bytes and its size.
    static func canBeWhole(_ head: Data, size: Int) -> Bool {
        guard head.count == headCount, head.starts(with: format) else { return false }
        let (content, isOver) = number(head.dropFirst(headCount - 16)).addingReportingOverflow(number(head.suffix(8)))
        return !isOver && size >= headCount && content == UInt64(size - headCount)
    }

    /// The response in the bytes of a file, if they are intact and for this key.
    static func response(
        from bytes: Data, for key: String
    ) throws(DamagedStoredFile.Reason) -> StoredResponse {
        guard bytes.starts(with: format) else {
            // A file truncated within its first line is truncated, not of another format.
            throw format.starts(with: bytes) ? .changed : .otherFormat
        }
        guard bytes.count >= headCount else { throw .changed }
        let content = bytes.dropFirst(format.count + 32)
        guard SHA256Digest(of: content).bytes.elementsEqual(bytes.dropFirst(format.count).prefix(32)) else {
            throw .changed
        }
        let length = number(content)
        let rest = content.dropFirst(16)
        guard length <= rest.count, let description = read(rest.prefix(Int(length))) else { throw .otherFormat }
        guard description.key == key else { throw .otherKey }
        let date = Date(timeIntervalSinceReferenceDate: Double(bitPattern: description.date))
        let fields = description.headers.filter { $0.count == 2 }
            .map { HTTPHeaders.Field(name: HeaderName($0[0]), value: $0[1]) }
        return StoredResponse(
            status: description.status, url: description.url, headers: HTTPHeaders(fields),
            body: Data(rest.dropFirst(Int(length))), date: date)
    }

    /// The integer in the first 8 bytes.
    private static func number(_ bytes: Data) -> UInt64 {
        bytes.prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    private static func read(_ bytes: Data) -> Description? {
        try? JSONDecoder().decode(Description.self, from: bytes)
    }
}

/// A file of a ``FileStore`` that does not hold what was saved, and so counts as absent. The next response saved for the key
/// replaces it.
public struct DamagedStoredFile: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong with the file.
    public enum Reason: String, Error, Sendable {
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
