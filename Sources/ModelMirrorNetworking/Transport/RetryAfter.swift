import Foundation
import ModelMirror

/// The wait that a server asks for, RFC 9110 section 10.2.3: `120`, or `Fri, 31 Dec 1999 23:59:59 GMT`.
enum RetryAfter {
    /// The wait that the header fields of a response ask for.
    ///
    /// - Parameter now: What a date is measured from.
    /// - Returns: The longest, if there are several; zero for a date that has passed; nil if there is none that can be read.
    static func delay(in headers: HTTPHeaders, now: () -> Date) -> Duration? {
        headers.values(for: .retryAfter).compactMap { delay($0, now: now) }.max()
    }

    private static func delay(_ value: String, now: () -> Date) -> Duration? {
        let value = value.trimmingCharacters(in: .whitespaces)
        if !value.isEmpty, value.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) {
            // More digits than a number holds mean "not in this life", not "at once". Clocks overflow far above.
            return .seconds(min(Int64(value) ?? .max, 1 << 40))
        }
        let now = now()
        guard let date = HTTPDate.parse(Array(value.utf8), now: now) else { return nil }
        return .seconds(max(date.timeIntervalSince(now), 0))
    }
}
