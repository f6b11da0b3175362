#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension FileDownload {
    enum Step: Equatable {
        /// The body is the missing part, or its beginning, of a file with this length.
        case append(total: Int64)
        /// The body is the whole file.
        case replace
        /// The partial file is already complete.
        case finish
        /// The partial file does not match the server's.
        case restart
        /// The response is not the file.
        case refuse
    }

    /// How to handle the response to the request for the rest of a partial file.
    ///
    /// - Throws: `.connection` with the kind `.badResponse` for a partial response to a request for the whole file.
    func step(
        after response: TransportResponse, _ partial: PartialFile, accepting acceptedStatus: Set<Int>
    ) throws(RequestError) -> Step {
        let range = response.headers[.contentRange].flatMap(ContentRange.init)
        switch response.status {
        case 206:
            guard partial.isResumed else {
                throw .connection(
                    .badResponse, to: response.url,
                    "the server sent a part of the file although the whole was requested")
            }
            // Without the file's length, the part might not be the last.
            guard let range, range.first == partial.length, let total = range.total, partial.fits(response) else {
                return .restart
            }
            return .append(total: total)
        case 416:
            guard partial.isResumed else { return .refuse }
            return range?.total == partial.length && partial.fits(response) ? .finish : .restart
        case let status: return acceptedStatus.contains(status) ? .replace : .refuse
        }
    }
}

/// The value of `Content-Range` in bytes, RFC 9110 section 14.4: `bytes 5-9/10`, `bytes 5-9/*` or `bytes */10`.
struct ContentRange: Equatable {
    /// The offset of the first byte; nil if no part was sent.
    let first: Int64?
    /// The length of the whole file in bytes; nil if the server does not send it.
    let total: Int64?

    init?(_ text: String) {
        let parts = text.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, parts[0].lowercased() == "bytes" else { return nil }
        let sides = parts[1].split(separator: "/", omittingEmptySubsequences: false)
        guard sides.count == 2, let total = ContentRange.number(sides[1]) else { return nil }
        self.total = total
        if sides[0] == "*" {
            first = nil
            return
        }
        let ends = sides[0].split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = Int64(ends[0]), let last = Int64(ends[1]), 0 <= first, first <= last else {
            return nil
        }
        if let total, last >= total { return nil }
        self.first = first
    }

    private static func number(_ text: Substring) -> Int64?? {
        if text == "*" { return .some(nil) }
        guard let number = Int64(text), number >= 0 else { return nil }
        return number
    }
}
