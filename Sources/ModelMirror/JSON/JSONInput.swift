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
    func withJSONBytes(_ body: (_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Void)
}

extension JSONInput where Self: ContiguousBytes {
    /// Calls `body` with the bytes in place.
    public func withJSONBytes(_ body: (UnsafePointer<UInt8>, Int) -> Void) {
        withUnsafeBytes { raw in raw.withMemoryRebound(to: UInt8.self) { $0.withJSONBytes(body) } }
    }
}

extension Data: JSONInput {}
extension [UInt8]: JSONInput {}

extension String: JSONInput {
    /// Calls `body` with the text's UTF-8, in place if it is stored so.
    public func withJSONBytes(_ body: (UnsafePointer<UInt8>, Int) -> Void) {
        var text = self
        text.withUTF8 { $0.withJSONBytes(body) }
    }
}

extension Substring: JSONInput {
    /// Calls `body` with the text's UTF-8, in place if it is stored so.
    public func withJSONBytes(_ body: (UnsafePointer<UInt8>, Int) -> Void) {
        var text = self
        text.withUTF8 { $0.withJSONBytes(body) }
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Calls `body` with the buffer's address. An empty buffer may have none; one byte that nobody reads stands in for it.
    fileprivate func withJSONBytes(_ body: (UnsafePointer<UInt8>, Int) -> Void) {
        if let baseAddress { body(baseAddress, count) } else { withUnsafePointer(to: 0) { body($0, 0) } }
    }
}

extension JSONInput {
    /// Reads the bytes and returns what `read` returns; nil if a type's conformance does not call its closure.
    @inline(__always)
    func reading<Result>(_ read: (UnsafePointer<UInt8>, Int) -> Result) -> Result? {
        var result: Result?
        withJSONBytes { result = read($0, $1) }
        return result
    }
}
