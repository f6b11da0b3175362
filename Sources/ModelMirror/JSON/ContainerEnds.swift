/// The ends of containers that were scanned already and may be scanned again. Without them, a value that is skipped first and
/// read later, such as an alias's, is scanned once per nesting level.
struct ContainerEnds {
    private var ends = [Int: Int]()
    /// In bytes; smaller containers are scanned again.
    private static let least = 128

    /// The end of the container that begins at an offset; nil if it was not scanned, or is small.
    func end(at offset: Int) -> Int? { ends.isEmpty ? nil : ends[offset] }

    mutating func remember(_ container: Range<Int>) {
        if container.count >= ContainerEnds.least { ends[container.lowerBound] = container.upperBound }
    }
}

extension JSONReader {
    /// Like ``skipValue()``, but scans each container once, unless it is small.
    mutating func skipValue(_ known: inout ContainerEnds) throws(Interruption) {
        var open: [(offset: Int, isObject: Bool)] = []
        repeat {
            // At a value.
            let offset = offset
            if let end = known.end(at: offset) {
                self.offset = end
            } else if byte == UInt8(ascii: "{") {
                if try openObject() {
                    open.append((offset, true))
                    try skipKey()
                    continue
                }
            } else if byte == UInt8(ascii: "[") {
                if try openArray() {
                    open.append((offset, false))
                    continue
                }
            } else {
                try skipScalar()
            }
            // After a value: close the containers that end here.
            while let last = open.last {
                if last.isObject {
                    if try nextMember() {
                        try skipKey()
                        break
                    }
                } else if try nextElement() {
                    break
                }
                known.remember(last.offset..<self.offset)
                open.removeLast()
            }
        } while !open.isEmpty
    }
}
