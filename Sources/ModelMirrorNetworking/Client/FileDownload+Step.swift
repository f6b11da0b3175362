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
        let range = response.contentRange
        switch response.status {
        case 206:
            guard partial.isResumed else {
                throw .connection(
                    .badResponse, to: response.url,
                    "the server sent a part of the file although the whole was requested")
            }
            // Without the file's length, the part might not be the last.
            guard let range, range.bytes?.lowerBound == partial.length, let total = range.total, partial.fits(response)
            else { return .restart }
            return .append(total: total)
        case 416:
            guard partial.isResumed else { return .refuse }
            return range?.total == partial.length && partial.fits(response) ? .finish : .restart
        case let status: return acceptedStatus.contains(status) ? .replace : .refuse
        }
    }
}
