/// The search for members of an object that was read.
extension JSONReader {
    /// Where a member's value begins, for an object that was read without an error; nil if it is not there.
    ///
    /// - Parameters:
    ///   - isFolded: Whether the key may have any spelling.
    ///   - orScalar: Whether a scalar on the way to it counts, if nothing else is there.
    func offset(
        ofMember places: [[JSONPath.Step]], isFolded: Bool, orScalar: Bool, in object: Int, _ known: inout ContainerEnds
    ) -> Int? {
        if isFolded {
            var reader = JSONReader(rereading: self, at: object)
            return try? reader.findMember(&known) {
                KeyStrategy.folded($0) == KeyStrategy.folded(places[0][0].text.utf8)
            }
        }
        var blocked: Int?
        for place in places {
            var reader = JSONReader(rereading: self, at: object)
            switch try? reader.navigate(place[...], &known) {
            case .value(let offset, _), .null(let offset, _): return offset
            case .notContainer(let offset, _): blocked = blocked ?? (orScalar ? offset : nil)
            case .missing, nil: continue
            }
        }
        return blocked
    }

    /// Where the value of the last or the first member with a matching key begins.
    mutating func findMember(
        _ known: inout ContainerEnds, isFirst: Bool = false, _ fits: (UnsafeBufferPointer<UInt8>) -> Bool
    ) throws(Interruption) -> Int? {
        var found: Int?
        guard try openObject() else { return nil }
        repeat {
            let isWanted = try scanString().withBytes(fits)
            try colon()
            if isWanted {
                found = offset
                if isFirst { break }
            }
            try skipValue(&known)
        } while try nextMember()
        return found
    }
}
