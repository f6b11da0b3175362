#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// What JSON can be read from: `Data`, `[UInt8]`, `String` and `Substring`.
///
/// The bytes are UTF-8, as RFC 8259 section 8.1 demands; a leading byte order mark is skipped. They are read in place,
/// without a copy, wherever the type stores them in one piece.
///
/// ```swift
/// let gist = try Gist(json: #"{"id": "1"}"#)
/// ```
public protocol JSONInput {
    /// Calls `body` once with all bytes; they must stay valid and unchanged until it returns.
    func withJSONBytes<Result>(_ body: (_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Result) -> Result
}

extension JSONInput where Self: ContiguousBytes {
    /// Calls `body` with the bytes in place.
    public func withJSONBytes<Result>(_ body: (UnsafePointer<UInt8>, Int) -> Result) -> Result {
        withUnsafeBytes { raw in
            // An empty buffer may have no address; one byte that nobody reads stands in for it.
            guard let base = raw.baseAddress else { return withUnsafePointer(to: 0) { body($0, 0) } }
            return raw.withMemoryRebound(to: UInt8.self) { bytes in
                body(bytes.baseAddress ?? UnsafePointer(base.assumingMemoryBound(to: UInt8.self)), bytes.count)
            }
        }
    }
}

extension Data: JSONInput {}
extension [UInt8]: JSONInput {}

extension String: JSONInput {
    /// Calls `body` with the text's UTF-8, in place if it is stored so.
    public func withJSONBytes<Result>(_ body: (UnsafePointer<UInt8>, Int) -> Result) -> Result {
        var text = self
        return text.withUTF8 { bytes in
            guard let base = bytes.baseAddress else { return withUnsafePointer(to: 0) { body($0, 0) } }
            return body(base, bytes.count)
        }
    }
}

extension Substring: JSONInput {
    /// Calls `body` with the text's UTF-8, in place if it is stored so.
    public func withJSONBytes<Result>(_ body: (UnsafePointer<UInt8>, Int) -> Result) -> Result {
        var text = self
        return text.withUTF8 { bytes in
            guard let base = bytes.baseAddress else { return withUnsafePointer(to: 0) { body($0, 0) } }
            return body(base, bytes.count)
        }
    }
}
