#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// An error whose description is also its text as a `LocalizedError`.
package protocol SentenceError: LocalizedError, CustomStringConvertible {}

extension SentenceError {
    /// The description.
    public var errorDescription: String? { description }
}
