import ModelMirror
public import ModelMirrorFoundation

/// Header fields by the grammar of RFC 9110; nil if a field is missing or malformed.
extension ResponseHead {
    /// The value of `ETag`, section 8.8.3, for `If-None-Match` or `If-Match`: `"a1"`, or `W/"a1"` for one whose equality means
    /// equivalent instead of identical bytes.
    public var eTag: String? {
        guard let text = headers[.eTag] else { return nil }
        let tag = text.utf8.dropFirst(text.hasPrefix("W/") ? 2 : 0)
        let quote = UInt8(ascii: "\"")
        guard tag.count >= 2, tag.first == quote, tag.last == quote,
            tag.dropFirst().dropLast().allSatisfy({ $0 > 0x20 && $0 != quote && $0 != 0x7F })
        else { return nil }
        return text
    }

    /// The date of `Last-Modified`, section 8.8.2.
    public var lastModified: Date? { headers[.lastModified].flatMap { HTTPDate.parse(Array($0.utf8), now: Date()) } }

    /// The part of the file in the body, by `Content-Range` in bytes, section 14.4.
    public var contentRange: ContentRange? { headers[.contentRange].flatMap(ContentRange.init) }

    /// The wait of `Retry-After`, section 10.2.3: seconds, or the time until a date, zero if that has passed.
    public func retryAfter(at now: Date = Date()) -> Duration? { retryAfter { now } }

    /// The longest of several waits; the date is asked for only if a field has one to compare it with.
    func retryAfter(_ now: () -> Date) -> Duration? {
        headers.values(for: .retryAfter).compactMap { field -> Duration? in
            let value = field.withoutOuterSpaces
            // Digits beyond Int64 mean a very long wait, not none. Clocks overflow far above this limit.
            if !value.isEmpty, value.utf8.allSatisfy(\.isDigit) { return .seconds(min(Int64(value) ?? .max, 1 << 40)) }
            let present = now()
            let date = HTTPDate.parse(Array(value.utf8), now: present)
            return date.map { .seconds(max($0.timeIntervalSince(present), 0)) }
        }.max()
    }

    /// The value of `Content-Range`: `bytes 5-9/10`, `bytes 5-9/*` or `bytes */10`.
    public struct ContentRange: Hashable, Sendable {
        /// The offsets of the bytes in the body; nil if there are none, as in a 416.
        public let bytes: ClosedRange<Int64>?
        /// The length of the whole file in bytes; nil if the server does not send it.
        public let total: Int64?

        init?(_ text: String) {
            let parts = text.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, parts[0].lowercased() == "bytes" else { return nil }
            let sides = parts[1].split(separator: "/", omittingEmptySubsequences: false)
            guard sides.count == 2 else { return nil }
            total = ContentRange.number(sides[1])
            guard total != nil || sides[1] == "*" else { return nil }
            if sides[0] == "*" {
                guard total != nil else { return nil }
                bytes = nil
                return
            }
            let ends = sides[0].split(separator: "-", omittingEmptySubsequences: false).map(ContentRange.number)
            guard ends.count == 2, let first = ends[0], let last = ends[1], first <= last, last < total ?? .max else {
                return nil
            }
            bytes = first...last
        }

        private static func number(_ text: Substring) -> Int64? { text.utf8.allSatisfy(\.isDigit) ? Int64(text) : nil }
    }
}
