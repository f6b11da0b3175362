/// The target of a JSON key.
struct KeySlot {
    /// How the mapping loop reads the value.
    enum Kind: UInt8 {
        case string, int, double, bool
        case optionalString, optionalInt, optionalDouble, optionalBool
        /// By the row's codec.
        case other
        /// Several rows take the value, or a row that has other keys or a path, or one that assigns itself.
        case shared
        /// A property that is not read.
        case ignored

        /// The kind for a stored property without a converter.
        init(_ type: Any.Type) {
            switch ObjectIdentifier(type) {
            case ObjectIdentifier(String.self): self = .string
            case ObjectIdentifier(Int.self): self = .int
            case ObjectIdentifier(Double.self): self = .double
            case ObjectIdentifier(Bool.self): self = .bool
            case ObjectIdentifier(String?.self): self = .optionalString
            case ObjectIdentifier(Int?.self): self = .optionalInt
            case ObjectIdentifier(Double?.self): self = .optionalDouble
            case ObjectIdentifier(Bool?.self): self = .optionalBool
            default: self = .other
            }
        }
    }

    let kind: Kind
    /// The row, or for `.shared` the index of the list of targets.
    let row: Int32
    /// Bytes from the object's address to the property.
    let offset: Int32
    /// Where the key's UTF-8 begins in the key bytes, and how many bytes it has.
    fileprivate let keyStart: Int32
    fileprivate let keyCount: Int32
}

/// The JSON keys of a class in their probable order, and the search for a key.
///
/// Keys lie in one block of bytes and slots in one block of plain structures, so that the mapping loop reaches both without
/// reference counting: that alone was a fifth of its time. Both blocks are written once, in `init`, and freed with the index;
/// every access is by a slot number that the index itself gave out.
///
/// A search compares the next expected key first; only on a miss the key is hashed.
final class KeyIndex: @unchecked Sendable {  // nothing changes after init
    let count: Int
    private let slots: UnsafeMutablePointer<KeySlot>
    private let bytes: UnsafeMutablePointer<UInt8>
    /// Slot number + 1 for each hash; 0 for none. The size is a power of two.
    private let buckets: UnsafeMutablePointer<UInt16>
    private let bucketMask: Int
    /// Slot numbers by folded key, for the strategy `.flexible`; empty otherwise.
    private let folded: [[UInt8]: Int]
    /// Slot numbers of keys that can stand in a document only with escapes; they are not in `buckets`.
    private let escaped: [[UInt8]: Int]
    private let names: [String]

    /// The description of a slot.
    struct Entry {
        let key: String
        let kind: KeySlot.Kind
        let row: Int
        let offset: Int
        /// Whether the key is found by its folded form: not, also, or only so.
        var folding = Folding.not

        enum Folding { case not, also, only }
    }

    init(_ entries: [Entry]) {
        count = entries.count
        slots = .allocate(capacity: max(count, 1))
        bytes = .allocate(capacity: entries.reduce(1) { $0 + $1.key.utf8.count })
        var buckets = 8
        while buckets < count * 4 { buckets *= 2 }
        bucketMask = buckets - 1
        self.buckets = .allocate(capacity: buckets)
        self.buckets.initialize(repeating: 0, count: buckets)
        names = entries.map(\.key)
        var folded: [[UInt8]: Int] = [:]
        var escaped: [[UInt8]: Int] = [:]
        var start = 0
        for (number, entry) in entries.enumerated() {
            let key = Array(entry.key.utf8)
            (bytes + start).initialize(from: key, count: key.count)
            // A key with a quote, a backslash or a control character must never be compared with the document as it stands.
            // So must the key of a slot for other spellings, for which the exact one has a slot of its own.
            let needsEscapes =
                entry.folding == .only
                || key.contains { $0 < 0x20 || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }
            (slots + number).initialize(
                to: KeySlot(
                    kind: entry.kind, row: Int32(entry.row), offset: Int32(entry.offset), keyStart: Int32(start),
                    keyCount: needsEscapes ? .max : Int32(key.count)))
            start += key.count
            // The first wins: properties that are not read come last.
            if entry.folding != .not, case let form = KeyStrategy.folded(key), folded[form] == nil {
                folded[form] = number
            }
            if entry.folding == .only { continue }
            if needsEscapes {
                escaped[key] = number
                continue
            }
            var bucket = key.withUnsafeBufferPointer(KeyIndex.hash) & bucketMask
            while self.buckets[bucket] != 0 { bucket = (bucket + 1) & bucketMask }
            self.buckets[bucket] = UInt16(number + 1)
        }
        self.folded = folded
        self.escaped = escaped
    }

    deinit {
        slots.deallocate()
        bytes.deallocate()
        buckets.deallocate()
    }

    /// The slot with a number that ``slot(expecting:_:)`` returned.
    @inline(__always)
    func slot(_ number: Int) -> KeySlot { slots[number] }

    /// The key of a slot.
    func key(_ number: Int) -> String { names[number] }

    /// Reads the key at the cursor.
    ///
    /// - Parameter expected: The slot that probably comes, or `count`.
    /// - Returns: the slot's number, or nil for an unknown key.
    @inline(__always)
    func slot(expecting expected: Int, _ reader: inout JSONReader) throws(Interruption) -> Int? {
        if expected < count {
            let slot = slots[expected]
            if reader.passKey(bytes + Int(slot.keyStart), count: Int(slot.keyCount)) { return expected }
        }
        let token = try reader.scanString()
        guard token.hasEscapes else { return search(token.raw) }
        let key = token.unescapedBytes
        return escaped[key] ?? key.withUnsafeBufferPointer(search)
    }

    private func search(_ key: UnsafeBufferPointer<UInt8>) -> Int? {
        var bucket = KeyIndex.hash(key) & bucketMask
        while case let entry = Int(buckets[bucket]), entry != 0 {
            let slot = slots[entry - 1]
            if Int(slot.keyCount) == key.count,
                key.elementsEqual(
                    UnsafeBufferPointer(start: bytes + Int(slot.keyStart), count: key.count))
            {
                return entry - 1
            }
            bucket = (bucket + 1) & bucketMask
        }
        return folded.isEmpty ? nil : folded[KeyStrategy.folded(key)]
    }

    /// A hash of length, first, middle and last bytes: enough to tell the keys of one class apart. Hostile keys can only
    /// collide with the few that are in the index.
    @inline(__always)
    private static func hash(_ key: UnsafeBufferPointer<UInt8>) -> Int {
        guard let first = key.first, let last = key.last else { return 0 }
        let middle = key[key.count >> 1]
        let mixed = UInt32(first) &* 0x9E37_79B1 ^ UInt32(last) &* 0x85EB_CA6B ^ UInt32(middle) &* 0xC2B2_AE35
        return Int((mixed &+ UInt32(truncatingIfNeeded: key.count) &* 0x27D4_EB2F) >> 15)
    }
}

extension JSONReader {
    /// Passes the key at the cursor if it is the given one, as it stands and with its closing quote.
    ///
    /// A key that was compared byte for byte needs no further check, because the index never expects one with a quote, a
    /// backslash or a control character in it.
    @inline(__always)
    mutating func passKey(_ key: UnsafePointer<UInt8>, count: Int) -> Bool {
        guard end - cursor >= count + 2, cursor[count + 1] == UInt8(ascii: "\"") else { return false }
        var done = 0
        while count - done >= 8 {
            guard (cursor + 1 + done).word == (key + done).word else { return false }
            done += 8
        }
        while done < count {
            guard cursor[1 + done] == key[done] else { return false }
            done += 1
        }
        cursor += count + 2
        return true
    }
}
