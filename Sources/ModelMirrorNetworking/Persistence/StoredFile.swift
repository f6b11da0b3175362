import Foundation

/// The bytes of one file of a ``FileStore``.
///
/// ```text
/// ModelMirror 1\n     14 bytes, the format
/// …                   32 bytes, the SHA-256 digest of all that follows
/// …                    8 bytes, the length of the description, least byte first
/// {"key": …}          the description, JSON
/// …                   the body, up to the end
/// ```
///
/// Whatever is missing, added or changed is found by the digest.
struct StoredFile {
    /// What is described beside the body. The date is kept bit by bit, so that it comes back as it was.
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
        let length = Data((0..<8).map { UInt8(truncatingIfNeeded: description.count >> ($0 * 8)) })
        let digest = SHA256Digest(of: length, description, response.body)
        var bytes = Data(capacity: format.count + 40 + description.count + response.body.count)
        bytes.append(contentsOf: format)
        bytes.append(contentsOf: digest.bytes)
        bytes.append(contentsOf: length)
        bytes.append(description)
        bytes.append(response.body)
        return bytes
    }

    /// What the bytes of a file say, if they are whole and for this key.
    static func response(
        from bytes: Data, for key: String
    ) throws(DamagedStoredFile.Reason) -> StoredResponse {
        let head = format.count + 40
        guard bytes.starts(with: format) else {
            // What is cut within the first line is cut, not another format.
            throw format.starts(with: bytes) ? .changed : .otherFormat
        }
        guard bytes.count >= head else { throw .changed }
        let content = bytes.dropFirst(format.count + 32)
        guard SHA256Digest(of: content).bytes.elementsEqual(bytes.dropFirst(format.count).prefix(32)) else {
            throw .changed
        }
        let length = content.prefix(8).reversed().reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
        let rest = content.dropFirst(8)
        guard length <= rest.count, let description = read(rest.prefix(Int(length))) else { throw .otherFormat }
        guard description.key == key else { throw .otherKey }
        let date = Date(timeIntervalSinceReferenceDate: Double(bitPattern: description.date))
        let fields = description.headers.filter { $0.count == 2 }
            .map { HTTPHeaders.Field(name: HeaderName($0[0]), value: $0[1]) }
        return StoredResponse(
            status: description.status, url: description.url, headers: HTTPHeaders(fields),
            body: Data(rest.dropFirst(Int(length))), date: date)
    }

    private static func read(_ bytes: Data) -> Description? {
        try? JSONDecoder().decode(Description.self, from: bytes)
    }
}
