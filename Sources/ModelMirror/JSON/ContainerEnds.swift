/// Where containers end that were walked through already and may be again: what is skipped first and read later, such as an alias, is
/// otherwise walked through once for each level that it is nested.
struct ContainerEnds {
    private var ends: [Int: Int] = [:]
    /// Small containers are walked through again.
    private static let least = 128

    /// Where the container that begins at an offset ends; nil if it was not walked through, or is small.
    func end(at offset: Int) -> Int? { ends.isEmpty ? nil : ends[offset] }

    mutating func remember(_ container: Range<Int>) {
        if container.count >= ContainerEnds.least { ends[container.lowerBound] = container.upperBound }
    }
}

extension JSONReader {
    /// As ``skipValue()``, but walks through each container once.
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
