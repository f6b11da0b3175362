public import ModelMirrorFoundation

/// A document to read: `Data`, `[UInt8]`, `ArraySlice<UInt8>`, `UnsafeRawBufferPointer`, `String`, `Substring` and ``JSONValue``
/// conform.
///
/// The bytes of other types, such as SwiftNIO's `ByteBuffer`, are read without a copy:
///
/// ```swift
/// let order = try buffer.withUnsafeReadableBytes { try Order(json: $0) }
/// ```
///
/// The bytes are UTF-8 (RFC 8259 section 8.1); a leading byte order mark is skipped. Contiguous bytes are read without a copy.
public protocol JSONInput {
    /// Calls `body` exactly once with all bytes, which stay valid and unchanged until it returns.
    ///
    /// If the type is Sendable, several threads may call it at the same time, and each must get the same bytes.
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
extension ArraySlice<UInt8>: JSONInput {}
extension UnsafeRawBufferPointer: JSONInput {}

extension String: JSONInput {}
extension Substring: JSONInput {}

extension JSONInput where Self: StringProtocol {
    /// Calls `body` with the text's UTF-8, in place if it is stored that way.
    public func withJSONBytes(_ body: (UnsafePointer<UInt8>, Int) -> Void) {
        if utf8.withContiguousStorageIfAvailable({ $0.withJSONBytes(body) }) == nil { Array(utf8).withJSONBytes(body) }
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Calls `body` with the buffer's address. An empty buffer may have none; the address of an unread byte replaces it.
    fileprivate func withJSONBytes(_ body: (UnsafePointer<UInt8>, Int) -> Void) {
        if let baseAddress { body(baseAddress, count) } else { withUnsafePointer(to: 0) { body($0, 0) } }
    }
}

extension JSONInput {
    /// Reads the bytes and returns the result of `read`; nil if the conforming type does not call the closure.
    @inline(__always)
    func reading<Result>(_ read: (UnsafePointer<UInt8>, Int) -> Result) -> Result? {
        var result: Result?
        withJSONBytes { result = read($0, $1) }
        return result
    }
}
