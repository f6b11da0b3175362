/// A cursor over the UTF-8 bytes of one JSON document. It implements the grammar of RFC 8259 and knows nothing about models.
///
/// The caller looks at the next byte (``byte``) and then reads exactly one thing (a string, a number, a literal, the next member
/// of an object, the next element of an array) or skips a whole value. Every function that moves the cursor checks the grammar,
/// so skipped values are checked as strictly as values that are read. A violation is thrown as an ``Interruption``; line and
/// column are computed when the error is made.
///
///     { "id" : 7 , "tags" : [ ] }
///     ^ openObject   ^ nextMember: true … false
///
/// Unsafe: the cursor consists of three pointers into memory that the caller keeps alive while the reader is used (see
/// `JSONInput.withJSONBytes`). The bounds checks and copies of a slice would take about a third of the time of a whole mapping.
/// Every load directly follows a comparison with `end`. The rest of the library uses offsets, never pointers.
struct JSONReader {
    /// The first byte of the document, after a byte order mark if there is one.
    let start: UnsafePointer<UInt8>
    let end: UnsafePointer<UInt8>
    var cursor: UnsafePointer<UInt8>
    /// How many more containers may be opened; the outermost container counts as one.
    private(set) var depthLeft: Int
    /// Bytes before `start` in the caller's input: 3 after a byte order mark. Added to reported offsets.
    let origin: Int
    /// How often the bytes of a document may be read, where values that did not fit are read again.
    static let mostReadings = 100

    /// Opens a document. A leading UTF-8 byte order mark is skipped, as RFC 8259 section 8.1 allows.
    init(_ base: UnsafePointer<UInt8>, count: Int, depth: Int) {
        let hasMark = count >= 3 && base[0] == 0xEF && base[1] == 0xBB && base[2] == 0xBF
        origin = hasMark ? 3 : 0
        start = base + origin
        end = base + count
        cursor = start
        depthLeft = depth
    }

    // MARK: Position

    /// Bytes from `start` to the cursor. Setting it moves the cursor; only offsets read from it are valid.
    var offset: Int {
        @inline(__always) get { cursor - start }
        set { cursor = start + min(max(newValue, 0), end - start) }
    }

    /// The byte at the cursor, or 0 at the end of the document (no token begins with a 0 byte).
    @inline(__always)
    var byte: UInt8 { cursor < end ? cursor.pointee : 0 }

    var isAtNumber: Bool { byte == UInt8(ascii: "-") || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }

    var isAtBoolean: Bool { byte == UInt8(ascii: "t") || byte == UInt8(ascii: "f") }

    @inline(never)
    func expected(_ what: SyntaxFault) -> Interruption { Interruption(fault: what, offset: offset) }

    @inline(__always)
    mutating func skipWhitespace() {
        // In a compact document most tokens follow without white space: one comparison.
        guard cursor < end, cursor.pointee <= 0x20 else { return }
        skipWhitespaceRun()
    }

    @inline(never)
    private mutating func skipWhitespaceRun() {
        var position = cursor
        while position < end {
            let byte = position.pointee
            guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { break }
            position += 1
            passSpaces(&position)
        }
        cursor = position
    }

    /// Passes spaces, eight at a time, and the last ones at once; near the end of the document maybe not all.
    @inline(__always)
    private func passSpaces(_ position: inout UnsafePointer<UInt8>) {
        while end - position >= 8 {
            let others = position.word ^ 0x2020_2020_2020_2020
            guard others == 0 else { return position += others.trailingZeroBitCount >> 3 }
            position += 8
        }
    }

    // MARK: Document

    /// Checks that the input of `count` bytes is within the limit.
    func limit(to most: Int, _ count: Int) throws(Interruption) {
        if count > most { throw Interruption(fault: .fewerBytes, offset: max(most - origin, 0)) }
    }

    /// Checks that only white space follows the document.
    mutating func finish() throws(Interruption) {
        skipWhitespace()
        if cursor < end { throw expected(.endOfDocument) }
    }

    // MARK: Containers

    /// Opens the object at the cursor and moves to its first member.
    ///
    /// - Returns: whether there is a member; if not, the object is closed.
    @inline(__always)
    mutating func openObject() throws(Interruption) -> Bool {
        try open()
        skipWhitespace()
        if byte == UInt8(ascii: "\"") { return true }
        guard byte == UInt8(ascii: "}") else { throw expected(.memberOrObjectEnd) }
        close()
        return false
    }

    /// Moves from the end of a member's value to the next key.
    ///
    /// - Returns: whether there is one; if not, the object is closed.
    @inline(__always)
    mutating func nextMember() throws(Interruption) -> Bool {
        // A compact document has the next quote right after the comma.
        if end - cursor >= 2, cursor.pointee == UInt8(ascii: ","), cursor[1] == UInt8(ascii: "\"") {
            cursor += 1
            return true
        }
        if cursor < end, cursor.pointee == UInt8(ascii: "}") {
            close()
            return false
        }
        return try nextSpacedMember()
    }

    @inline(never)
    private mutating func nextSpacedMember() throws(Interruption) -> Bool {
        // An indented document: a comma, a new line, spaces and the next quote. (Measured: 7 % of the instructions of twitter.)
        if end - cursor > 2, cursor.pointee == UInt8(ascii: ","), cursor[1] == 0x0A {
            var position = cursor + 2
            passSpaces(&position)
            if position < end, position.pointee == UInt8(ascii: "\"") {
                cursor = position
                return true
            }
        }
        skipWhitespace()
        if byte == UInt8(ascii: ",") {
            cursor += 1
            skipWhitespace()
            guard byte == UInt8(ascii: "\"") else { throw expected(.memberKey) }
            return true
        }
        guard byte == UInt8(ascii: "}") else { throw expected(.commaOrObjectEnd) }
        close()
        return false
    }

    @inline(__always)
    mutating func colon() throws(Interruption) {
        // Most documents have nothing or one space after the colon.
        if end - cursor >= 3, cursor.pointee == UInt8(ascii: ":") {
            if cursor[1] > 0x20 { return cursor += 1 }
            if cursor[1] == 0x20, cursor[2] > 0x20 { return cursor += 2 }
        }
        try spacedColon()
    }

    @inline(never)
    private mutating func spacedColon() throws(Interruption) {
        skipWhitespace()
        guard byte == UInt8(ascii: ":") else { throw expected(.colon) }
        cursor += 1
        skipWhitespace()
    }

    /// Opens the array at the cursor and moves to its first element.
    ///
    /// - Returns: whether there is an element; if not, the array is closed.
    @inline(__always)
    mutating func openArray() throws(Interruption) -> Bool {
        try open()
        skipWhitespace()
        guard byte == UInt8(ascii: "]") else { return true }
        close()
        return false
    }

    /// Moves from the end of an element to the next.
    ///
    /// - Returns: whether there is one; if not, the array is closed.
    @inline(__always)
    mutating func nextElement() throws(Interruption) -> Bool {
        skipWhitespace()
        if byte == UInt8(ascii: ",") {
            cursor += 1
            skipWhitespace()
            return true
        }
        guard byte == UInt8(ascii: "]") else { throw expected(.commaOrArrayEnd) }
        close()
        return false
    }

    @inline(__always)
    mutating func open() throws(Interruption) {
        if depthLeft == 0 { throw expected(.lessDepth) }
        depthLeft -= 1
        cursor += 1
    }

    @inline(__always)
    mutating func close() {
        depthLeft += 1
        cursor += 1
    }

    /// Goes back to an earlier value, reads it, and returns to the cursor.
    ///
    /// - Parameter depthLeft: The depth left at that value; nil for a value in the container that is open now.
    mutating func revisiting<Result>(
        _ offset: Int, depthLeft: Int? = nil, _ body: (inout JSONReader) throws(Interruption) -> Result
    ) throws(Interruption) -> Result {
        let place = (cursor, self.depthLeft)
        self.offset = offset
        self.depthLeft = depthLeft ?? self.depthLeft
        let result = try body(&self)
        (cursor, self.depthLeft) = place
        return result
    }

    // MARK: Literals

    /// Reads `null`, whose first letter is known to be at the cursor.
    @inline(__always)
    mutating func readNull() throws(Interruption) {
        guard stands(0x6C6C_756E, at: 0) else { throw expected(.value) }  // "null"
        cursor += 4
    }

    /// Reads `true` or `false`, whose first letter is known to be at the cursor.
    @inline(__always)
    mutating func readBool() throws(Interruption) -> Bool {
        if stands(0x6575_7274, at: 0) {  // "true"
            cursor += 4
            return true
        }
        guard byte == UInt8(ascii: "f"), stands(0x6573_6C61, at: 1) else { throw expected(.value) }  // "alse"
        cursor += 5
        return false
    }

    /// Whether four letters, given as a little-endian integer, are `distance` bytes after the cursor.
    @inline(__always)
    private func stands(_ letters: UInt32, at distance: Int) -> Bool {
        end - cursor >= distance + 4
            && UnsafeRawPointer(cursor + distance).loadUnaligned(as: UInt32.self) == UInt32(littleEndian: letters)
    }
}

extension UnsafePointer<UInt8> {
    /// Eight bytes from here, the first in the lowest bits on every machine. The caller checks that they exist.
    @inline(__always)
    var word: UInt64 { UInt64(littleEndian: UnsafeRawPointer(self).loadUnaligned(as: UInt64.self)) }
}
