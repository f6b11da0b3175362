import ModelMirrorFoundation

/// How JSON is written.
///
/// ```swift
/// let data = try gist.jsonData(options: [.pretty, .sortedKeys])
/// ```
///
/// Without options: compact, keys in declaration order with the superclass's first, nil omitted, slashes unescaped. Members of
/// dictionaries are always sorted by key, so that equal objects are written as equal bytes.
public struct WritingOptions: OptionSet, Sendable {
    /// The options as bits.
    public let rawValue: Int

    /// Options from bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Line breaks, and indentation by two spaces per level.
    public static let pretty = WritingOptions(rawValue: 1 << 0)
    /// Keys are sorted by their UTF-8 bytes instead of in declaration order.
    public static let sortedKeys = WritingOptions(rawValue: 1 << 1)
    /// Properties that are nil are written as `null` instead of being omitted.
    public static let nulls = WritingOptions(rawValue: 1 << 2)
    /// `/` is written as `\/`, so that no text ends an HTML script element around it. (`<!--` is written as it is.)
    public static let escapedSlashes = WritingOptions(rawValue: 1 << 3)
    /// Writing fails if a required property is nil.
    public static let strict = WritingOptions(rawValue: 1 << 4)
}

/// A growing buffer of JSON text. It handles commas, indentation and escapes, and knows nothing about models.
///
/// The caller opens a container, announces each member or element, writes its value, and closes the container.
///
///     writer.open("{"); writer.key(…); writer.write(7); writer.close("}")
///
/// Unsafe: the bytes are in memory from `malloc` that grows by `realloc`, which moves large blocks without copying them. An
/// array would hold the text twice while growing, and the conversion to `Data` would copy it again. Every store is preceded by
/// `reserve`.
struct JSONWriter: ~Copyable {
    var bytes: UnsafeMutablePointer<UInt8>
    private var capacity: Int
    var count = 0
    private var isPretty: Bool
    private(set) var escapesSlashes: Bool
    /// The number of open containers, with those around an embedded document.
    private(set) var level: Int
    /// Whether the open container has a member or element already.
    private var hasPrevious = false

    /// - Parameter level: The number of containers that are open around the text.
    init(_ options: WritingOptions = [], capacity: Int = 1024, level: Int = 0) {
        (self.capacity, self.level) = (capacity, level)
        bytes = JSONWriter.memory(malloc(capacity))
        isPretty = options.contains(.pretty)
        escapesSlashes = options.contains(.escapedSlashes)
    }

    /// A writer for text that will be inserted at another writer's position.
    init(insideOf other: borrowing JSONWriter) {
        self.init(capacity: 64, level: other.level)
        (isPretty, escapesSlashes) = (other.isPretty, other.escapesSlashes)
    }

    deinit { free(bytes) }

    consuming func data() -> Data {
        // Reserved but unused memory is released.
        let exact = JSONWriter.memory(realloc(bytes, max(count, 1)))
        let data = Data(bytesNoCopy: exact, count: count, deallocator: .free)
        discard self
        return data
    }

    borrowing func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        body(UnsafeBufferPointer(start: bytes, count: count))
    }

    // MARK: Structure

    /// Opens a container with `{` or `[`.
    @inline(__always)
    mutating func open(_ bracket: Unicode.Scalar) {
        put(UInt8(ascii: bracket))
        level += 1
        hasPrevious = false
    }

    @inline(__always)
    mutating func close(_ bracket: Unicode.Scalar) {
        level -= 1
        if isPretty, hasPrevious { newLine() }
        put(UInt8(ascii: bracket))
        hasPrevious = true
    }

    @inline(__always)
    mutating func element() {
        if hasPrevious { put(UInt8(ascii: ",")) }
        hasPrevious = true
        if isPretty { newLine() }
    }

    /// Begins the next member of an object, with an encoded key.
    @inline(__always)
    mutating func member(_ key: EncodedKey) {
        if escapesSlashes { return member(key.text) }
        element()
        append(key.bytes)
        if isPretty { put(UInt8(ascii: " ")) }
    }

    /// Begins the next member of an object that is written compactly; the key includes comma, quotes and colon.
    @inline(__always)
    mutating func member(_ key: UnsafeBufferPointer<UInt8>) {
        let skipped = hasPrevious ? 0 : 1
        hasPrevious = true
        append(UnsafeBufferPointer(rebasing: key[skipped...]))
    }

    mutating func member(_ key: String) {
        element()
        write(key)
        put(UInt8(ascii: ":"))
        if isPretty { put(UInt8(ascii: " ")) }
    }

    /// Writes an object with members in this order.
    @inline(__always)
    mutating func writeObject<Value>(
        _ members: [(key: String, value: Value)], _ write: (Value, inout JSONWriter) -> Void
    ) {
        open("{")
        for (key, value) in members {
            member(key)
            write(value, &self)
        }
        close("}")
    }

    /// The current position, for ``rewind(to:)``.
    var place: Place { (count, hasPrevious) }
    typealias Place = (count: Int, hasPrevious: Bool)

    mutating func rewind(to place: Place) { (count, hasPrevious) = place }

    private mutating func newLine() {
        reserve(1 + level * 2)
        bytes[count] = UInt8(ascii: "\n")
        (bytes + count + 1).update(repeating: UInt8(ascii: " "), count: level * 2)
        count += 1 + level * 2
    }

    // MARK: Values

    mutating func writeNull() { append("null") }

    mutating func write(_ value: Bool) { append(value ? "true" : "false") }

    /// Writes the text of a number or another value unchanged.
    mutating func append(_ text: StaticString) {
        append(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    mutating func append(json text: String) {
        var text = text
        text.withUTF8 { append($0) }
    }

    @inline(__always)
    mutating func write(_ value: Int) {
        if value < 0 { put(UInt8(ascii: "-")) }
        write(value.magnitude)
    }

    @inline(__always)
    mutating func write(_ value: UInt) {
        reserve(20)
        if value < 10 {
            bytes[count] = UInt8(ascii: "0") + UInt8(value)
            count += 1
            return
        }
        // Digits are written from the last one, at the position given by their number.
        var length = 1
        var rest = value / 10
        while rest > 0 {
            length += 1
            rest /= 10
        }
        rest = value
        var position = count + length
        while position > count {
            position -= 1
            bytes[position] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        }
        count += length
    }

    // MARK: Bytes

    @inline(__always)
    mutating func append(_ source: UnsafeBufferPointer<UInt8>) {
        guard let start = source.baseAddress else { return }
        reserve(source.count)
        (bytes + count).update(from: start, count: source.count)
        count += source.count
    }

    @inline(__always)
    mutating func put(_ byte: UInt8) {
        reserve(1)
        bytes[count] = byte
        count += 1
    }

    @inline(__always)
    mutating func reserve(_ more: Int) {
        if !hasRoom(more) { grow(more) }
    }

    @inline(__always)
    func hasRoom(_ more: Int) -> Bool { capacity - count >= more }

    @inline(never)
    private mutating func grow(_ more: Int) {
        capacity = max(capacity * 2, count + more)
        bytes = JSONWriter.memory(realloc(bytes, capacity))
    }

    /// The address that `malloc` or `realloc` returned. Running out of memory ends the program, as everywhere in Swift.
    private static func memory(_ address: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<UInt8> {
        guard let address else { preconditionFailure("out of memory") }
        return address.assumingMemoryBound(to: UInt8.self)
    }
}

/// A key with quotes, escapes and colon, made once per class.
///
/// Unsafe: a block of bytes with the lifetime of the key, so that appending it does not count references.
final class EncodedKey: @unchecked Sendable {  // nothing changes after init
    let bytes: UnsafeBufferPointer<UInt8>
    let text: String

    init(_ key: String) {
        text = key
        var writer = JSONWriter()
        writer.write(key)
        writer.append(":")
        bytes = writer.withBytes { source in
            let block = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: source.count)
            _ = block.initialize(fromContentsOf: source)
            return UnsafeBufferPointer(block)
        }
    }

    deinit { bytes.deallocate() }
}
