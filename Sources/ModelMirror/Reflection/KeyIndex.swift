/// The target of a JSON key.
struct KeySlot {
    /// How the mapping loop reads the value.
    fileprivate(set) var kind: PropertyKind
    /// How it reads a value that is kept for later.
    let stagedKind: PropertyKind
    /// The row, or for `.shared` the index of the list of targets.
    let row: Int32
    /// Bytes from the object's address to the property.
    let offset: Int32
    /// Where the key's UTF-8 begins in the key bytes, and its number of bytes.
    fileprivate let keyStart: Int32
    fileprivate let keyCount: Int
    /// The first eight bytes of the key with its closing quote, and a mask of the bits they fill.
    fileprivate let head: UInt64
    fileprivate let headMask: UInt64
}

/// The JSON keys of a class in their expected order, and the search for a key.
///
/// Keys lie in one block of bytes and slots in one block of plain structures, so that the mapping loop reads both without
/// reference counting, which took a fifth of its time. Both blocks are written once, in `init`, and freed with the index; every
/// access is by a slot number that the index itself gave out.
///
/// The loop compares the next expected key first and hashes the key only on a miss.
final class KeyIndex: @unchecked Sendable {  // nothing changes after init
    let count: Int
    /// The slots, then the same for updates.
    private let slots: UnsafeMutablePointer<KeySlot>
    private let bytes: UnsafeMutablePointer<UInt8>
    /// Slot number + 1 for each hash; 0 for none. The size is a power of two.
    private let buckets: UnsafeMutablePointer<UInt32>
    private let bucketMask: Int
    /// Slot numbers by folded key, for the strategy `.flexible`; empty otherwise.
    private let folded: [[UInt8]: Int]
    /// Slot numbers of keys that a document can contain only with escapes; they are not in `buckets`.
    private let escaped: [[UInt8]: Int]

    /// The description of a slot.
    struct Entry {
        let key: String
        let kind: PropertyKind
        let row: Int
        let offset: Int
        /// Whether the key is found by its folded form: not at all, also, or only.
        var folding = Folding.not

        enum Folding { case not, also, only }
    }

    init(_ entries: [Entry]) {
        count = entries.count
        slots = .allocate(capacity: max(count * 2, 1))
        // Each key with its closing quote, plus eight bytes at the end, since heads are loaded as whole words.
        let byteCount = entries.reduce(8) { $0 + $1.key.utf8.count + 1 }
        bytes = .allocate(capacity: byteCount)
        bytes.initialize(repeating: 0, count: byteCount)
        var buckets = 8
        while buckets < count * 4 { buckets *= 2 }
        bucketMask = buckets - 1
        self.buckets = .allocate(capacity: buckets)
        self.buckets.initialize(repeating: 0, count: buckets)
        var folded: [[UInt8]: Int] = [:]
        var escaped: [[UInt8]: Int] = [:]
        var start = 0
        for (number, entry) in entries.enumerated() {
            let key = Array(entry.key.utf8)
            let quoted = key + [UInt8(ascii: "\"")]
            (bytes + start).update(from: quoted, count: quoted.count)
            // A key with a quote, a backslash or a control character must never be compared with the document as it stands. Nor
            // must the key of a slot for other spellings: the exact spelling has a slot of its own.
            let needsEscapes =
                entry.folding == .only
                || key.contains { $0 < 0x20 || $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }
            let headMask: UInt64 = quoted.count < 8 ? 1 << UInt64(quoted.count * 8) - 1 : .max
            (slots + number).initialize(
                to: KeySlot(
                    kind: entry.kind, stagedKind: entry.kind, row: Int32(entry.row), offset: Int32(entry.offset),
                    keyStart: Int32(start),
                    // Longer than any document, with room to add the quotes without overflow.
                    keyCount: needsEscapes ? .max - 8 : key.count,
                    head: UnsafePointer(bytes + start).word & headMask, headMask: headMask))
            start += quoted.count
            (slots + count + number).initialize(to: slots[number])
            if entry.kind.rawValue <= PropertyKind.other.rawValue { slots[count + number].kind = .staged }
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
            self.buckets[bucket] = UInt32(number + 1)
        }
        self.folded = folded
        self.escaped = escaped
    }

    deinit {
        slots.deallocate()
        bytes.deallocate()
        buckets.deallocate()
    }

    /// The slots and keys for the mapping loop, which keeps the index alive: plain pointers, which are not reference counted.
    ///
    /// - Parameter isUpdate: Whether values are kept for later, so that the loop decides it once.
    func slotList(forUpdate isUpdate: Bool) -> SlotList {
        SlotList(count: count, slots: slots + (isUpdate ? count : 0), bytes: bytes)
    }

    struct SlotList {
        fileprivate let count: Int
        fileprivate let slots: UnsafePointer<KeySlot>
        fileprivate let bytes: UnsafePointer<UInt8>

        /// The slot with a number that the index gave out.
        @inline(__always) subscript(number: Int) -> KeySlot { slots[number] }

        /// Passes the key at the cursor if its bytes are those of a slot's key.
        ///
        /// - Parameter number: The slot that is expected next, or the number of slots.
        @inline(__always)
        func passKey(of number: Int, _ reader: inout JSONReader) -> Bool {
            number < count && reader.passKey(slots + number, bytes)
        }
    }

    /// Reads the key at the cursor.
    ///
    /// - Returns: the slot's number, or nil for an unknown key.
    @inline(__always)
    func readSlot(_ reader: inout JSONReader) throws(Interruption) -> Int? {
        let token = try reader.scanString()
        guard token.hasEscapes else {
            let end = reader.cursor
            reader.cursor = token.start - 1
            defer { reader.cursor = end }
            // Near the end of the document no key is passed.
            return search(token.raw) { reader.passKey(slots + $0, bytes) || isKey(token.raw, of: $0) }
        }
        return token.unescapedBytes.withUnsafeBufferPointer(slot)
    }

    /// The number of the slot for a key without escapes, or nil for an unknown key.
    func slot(of key: UnsafeBufferPointer<UInt8>) -> Int? {
        if !escaped.isEmpty, let number = escaped[Array(key)] { return number }
        return search(key) { isKey(key, of: $0) }
    }

    /// Whether the key of a slot with a key of the same length is this one.
    private func isKey(_ key: UnsafeBufferPointer<UInt8>, of number: Int) -> Bool {
        key.elementsEqual(UnsafeBufferPointer(start: bytes + Int(slots[number].keyStart), count: key.count))
    }

    /// - Parameter isKey: Whether the key is that of a slot; asked only for slots with a key of the same length.
    @inline(__always)
    private func search(_ key: UnsafeBufferPointer<UInt8>, _ isKey: (Int) -> Bool) -> Int? {
        var bucket = KeyIndex.hash(key) & bucketMask
        while case let entry = Int(buckets[bucket]), entry != 0 {
            if slots[entry - 1].keyCount == key.count, isKey(entry - 1) { return entry - 1 }
            bucket = (bucket + 1) & bucketMask
        }
        return folded.isEmpty ? nil : folded[KeyStrategy.folded(key)]
    }

    /// A hash of the length and the first, middle and last byte: enough to tell the keys of one class apart. Hostile keys can
    /// only collide with the few in the index.
    @inline(__always)
    private static func hash(_ key: UnsafeBufferPointer<UInt8>) -> Int {
        // By a pointer, since a debug build calls what a collection does to find its first and last element.
        guard let start = key.baseAddress, !key.isEmpty else { return 0 }
        let (first, middle, last) = (UInt32(start[0]), UInt32(start[key.count >> 1]), UInt32(start[key.count - 1]))
        let mixed = first &* 0x9E37_79B1 ^ last &* 0x85EB_CA6B ^ middle &* 0xC2B2_AE35
        return Int((mixed &+ UInt32(truncatingIfNeeded: key.count) &* 0x27D4_EB2F) >> 15)
    }
}

extension JSONReader {
    /// Passes the key at the cursor and its closing quote if its bytes are those of a slot's key.
    ///
    /// A key that was compared byte for byte needs no further check, because the index never expects one that contains a quote,
    /// a backslash or a control character.
    ///
    /// Compared by words, including the quote: most keys take one or two comparisons.
    @inline(__always)
    fileprivate mutating func passKey(_ slot: UnsafePointer<KeySlot>, _ keys: UnsafePointer<UInt8>) -> Bool {
        let count = slot.pointee.keyCount
        let text = cursor + 1
        // At least nine bytes, since the head is loaded as a whole word. Nearer to the end of the document the key is searched.
        guard end - cursor > max(count &+ 1, 8) else { return false }
        guard (text.word ^ slot.pointee.head) & slot.pointee.headMask == 0 else { return false }
        if count >= 8 {
            let key = keys + Int(slot.pointee.keyStart)
            var done = 8
            while done &+ 8 <= count {
                guard (text + done).word == (key + done).word else { return false }
                done &+= 8
            }
            // The last eight bytes, including the quote; some are compared a second time.
            guard (text + count - 7).word == (key + count - 7).word else { return false }
        }
        cursor = text + count + 1
        return true
    }
}

extension String {
    /// A text for which only the same bytes are equal: canonically equivalent texts are equal strings, but different keys.
    ///
    /// Not the array of the bytes: before it can be the key of a dictionary, the runtime searches for its conformance.
    init(distinguishing utf8: some Collection<UInt8>) {
        if utf8.allSatisfy({ $0 < 0x80 }) {
            self.init(decoding: utf8, as: UTF8.self)
        } else {
            var scalars = UnicodeScalarView()
            for byte in utf8 { scalars.append(Unicode.Scalar(byte)) }
            self.init(scalars)
        }
    }
}

/// Elements by the JSON keys that lead to them, in the order of the keys.
struct KeyGroups<Element> {
    private(set) var groups: [(key: String, elements: [Element])] = []
    private var numbers: [String: Int]

    init(capacity: Int) { numbers = Dictionary(minimumCapacity: capacity) }

    func contains(_ key: String) -> Bool { numbers[String(distinguishing: key.utf8)] != nil }

    mutating func append(_ element: Element, to key: String) {
        let bytes = String(distinguishing: key.utf8)
        if let number = numbers[bytes] { return groups[number].elements.append(element) }
        numbers[bytes] = groups.count
        groups.append((key, [element]))
    }

    /// Adds an element that no key leads to.
    mutating func append(alone element: Element) { groups.append(("", [element])) }
}
