#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
import ModelMirror

/// The wait that a server asks for, RFC 9110 section 10.2.3: `120`, or `Fri, 31 Dec 1999 23:59:59 GMT`.
enum RetryAfter {
    /// The wait in the header fields of a response.
    ///
    /// - Parameter now: The date that a date in the field is compared with.
    /// - Returns: The longest of several; zero for a date in the past; nil if none can be parsed.
    static func delay(in headers: HTTPHeaders, now: () -> Date) -> Duration? {
        headers.values(for: .retryAfter).compactMap { delay($0, now: now) }.max()
    }

    private static func delay(_ value: String, now: () -> Date) -> Duration? {
        let value = value.withoutOuterSpaces
        if !value.isEmpty, value.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) {
            // Digits beyond Int64 mean a very long wait, not none. Clocks overflow far above this limit.
            return .seconds(min(Int64(value) ?? .max, 1 << 40))
        }
        let now = now()
        guard let date = HTTPDate.parse(Array(value.utf8), now: now) else { return nil }
        return .seconds(max(date.timeIntervalSince(now), 0))
    }
}
