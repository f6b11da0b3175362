/// Takes part in a walk over one value.
///
///     [7, {"a": 1}]
///     enter  began(nil) visit ended  began(nil) visit enter began("a") visit ended leave ended  leave
protocol ValueVisitor {
    /// At a value: moves past it, or leaves an object or an array to the walk.
    ///
    /// - Returns: whether it moved past the value.
    mutating func visit(_ reader: inout JSONReader) throws(Interruption) -> Bool
    /// At the opening bracket of a container.
    mutating func enter(_ offset: Int, isObject: Bool)
    /// Before a value of the innermost container, with its key in an object.
    mutating func began(_ key: StringToken?)
    /// After a value of the innermost container.
    mutating func ended()
    /// After the closing bracket of the innermost container.
    mutating func leave(_ end: Int)
}

extension ValueVisitor {
    @inline(__always) mutating func enter(_ offset: Int, isObject: Bool) {}
    @inline(__always) mutating func began(_ key: StringToken?) {}
    @inline(__always) mutating func ended() {}
    @inline(__always) mutating func leave(_ end: Int) {}
}

extension JSONReader {
    /// Reads one value of any kind and depth, without recursion, and checks what the visitor does not pass by itself.
    ///
    /// The kind of the open container at each level is one bit on a stack, 1 for an object. The first 64 levels are one machine
    /// word.
    @inline(__always)
    mutating func walk(_ visitor: inout some ValueVisitor) throws(Interruption) {
        var levels = LevelStack()
        var isObject = false
        repeat {
            // At a value.
            if try !visitor.visit(&self) {
                levels.push(isObject)
                isObject = byte == UInt8(ascii: "{")
                visitor.enter(offset, isObject: isObject)
                if try isObject ? openObject() : openArray() {
                    try begin(isObject, &visitor)
                    continue
                }
                visitor.leave(offset)
                isObject = levels.pop()
            }
            // After a value: close the containers that end here.
            while levels.count > 0 {
                visitor.ended()
                if try isObject ? nextMember() : nextElement() {
                    try begin(isObject, &visitor)
                    break
                }
                visitor.leave(offset)
                isObject = levels.pop()
            }
        } while levels.count > 0
    }

    /// Moves to the value of a member or element.
    @inline(__always)
    private mutating func begin(_ isObject: Bool, _ visitor: inout some ValueVisitor) throws(Interruption) {
        guard isObject else { return visitor.began(nil) }
        visitor.began(try scanString())
        try colon()
    }

    /// Skips and checks one value of any kind and depth.
    mutating func skipValue() throws(Interruption) {
        if try skipScalar() { return }
        var skipping = Skipping()
        try walk(&skipping)
    }

    /// Like ``skipValue()``, but scans each container once, unless it is small.
    mutating func skipValue(_ known: inout ContainerEnds) throws(Interruption) { try walk(&known) }

    struct Skipping: ValueVisitor {
        @inline(__always)
        func visit(_ reader: inout JSONReader) throws(Interruption) -> Bool { try reader.skipScalar() }
    }

    /// Skips and checks a string, number, `true`, `false` or `null`.
    ///
    /// - Returns: false at an object or array, which is not skipped.
    @inline(__always)
    mutating func skipScalar() throws(Interruption) -> Bool {
        switch byte {
        case UInt8(ascii: "{"), UInt8(ascii: "["): return false
        case UInt8(ascii: "\""): _ = try scanString()
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            if readShortInteger() == nil { _ = try scanNumber() }
        case UInt8(ascii: "t"), UInt8(ascii: "f"): _ = try readBool()
        case UInt8(ascii: "n"): try readNull()
        default: throw expected(.value)
        }
        return true
    }
}

private struct LevelStack {
    private(set) var count = 0
    private var top: UInt64 = 0
    private var full: [UInt64] = []

    @inline(__always)
    mutating func push(_ bit: Bool) {
        if count & 63 == 0, count > 0 { full.append(top) }
        top = top << 1 | (bit ? 1 : 0)
        count += 1
    }

    @inline(__always)
    mutating func pop() -> Bool {
        let bit = top & 1 == 1
        top >>= 1
        count -= 1
        if count & 63 == 0, let word = full.popLast() { top = word }
        return bit
    }
}

/// The ends of containers that were scanned already and may be scanned again. Without them, a value that is skipped first and
/// read later, such as an alias's, is scanned once per nesting level.
struct ContainerEnds: ValueVisitor {
    private var ends = [Int: Int]()
    /// The offsets of the containers that are being scanned.
    private var open: [Int] = []
    /// In bytes; smaller containers are scanned again.
    private static let least = 128

    mutating func visit(_ reader: inout JSONReader) throws(Interruption) -> Bool {
        guard !ends.isEmpty, let end = ends[reader.offset] else { return try reader.skipScalar() }
        reader.offset = end
        return true
    }

    mutating func enter(_ offset: Int, isObject: Bool) { open.append(offset) }

    mutating func leave(_ end: Int) { remember(open.removeLast()..<end) }

    mutating func remember(_ container: Range<Int>) {
        if container.count >= ContainerEnds.least { ends[container.lowerBound] = container.upperBound }
    }
}

extension JSONInput {
    /// Whether a JSON document can begin with these bytes, which end after a complete token or within a string.
    package var canBeginDocument: Bool {
        reading { bytes, count in
            var reader = JSONReader(bytes, count: count, depth: .max)
            do throws(Interruption) {
                try reader.skipValue()
                try reader.finish()
                return true
            } catch {
                return error.offset == count
            }
        } ?? false
    }
}
