import Testing

@testable import ModelMirror

@Suite("ObjectFrame")
struct ObjectFrameTests {
    private static let borders = [0, 1, 62, 63, 64, 65, 200]

    @Test("Seeing a row marks it as seen and leaves other rows unchanged", arguments: borders)
    func seeing(_ row: Int) {
        var frame = ObjectFrame(offset: 0)
        let isNew = [frame.see(row), frame.see(row)]
        #expect(isNew == [true, false])
        #expect((0..<300).filter(frame.hasSeen) == [row])
        #expect((0..<300).filter(frame.isUnsettled) == [])
    }

    @Test("Settling a row clears its null or rejected value", arguments: borders)
    func unsettled(_ row: Int) {
        var frame = ObjectFrame(offset: 0)
        for other in Self.borders { frame.leaveUnsettled(other) }
        #expect((0..<300).filter(frame.isUnsettled) == Self.borders)
        frame.settle(row)
        #expect((0..<300).filter(frame.isUnsettled) == Self.borders.filter { $0 != row })
    }

    @Test("A frame is complete if every row has a value")
    func complete() {
        let rows = RowSet([0, 2, 63])
        var frame = ObjectFrame(offset: 0)
        for row in [0, 1, 2] { _ = frame.see(row) }
        #expect(!frame.isComplete(rows))
        #expect(frame.rowsWithoutValue(among: rows).map(Array.init) == [63])
        _ = frame.see(63)
        #expect(frame.isComplete(rows))
        frame.leaveUnsettled(2)
        #expect(!frame.isComplete(rows))
        #expect(frame.rowsWithoutValue(among: rows).map(Array.init) == [2])
    }

    @Test("A frame replaces values unless it fills nested defaults")
    func replacing() {
        var frame = ObjectFrame(offset: 0)
        #expect(frame.replacesValues)
        frame.makeIncomplete()
        #expect(frame.replacesValues)
        #expect(!ObjectFrame(offset: 0, fillsNested: true).replacesValues)
    }

    @Test("A frame with an unknown member is incomplete and counts failures beyond the limit")
    func unknownMembers() {
        var taking = ObjectFrame(offset: 0)
        taking.add(ObjectFrame.UnknownMember(key: 1, value: 5))
        #expect(!taking.isComplete(RowSet()))
        #expect(taking.unknown.map(\.key) == [1] && taking.unknown.map(\.value) == [5])
        #expect(taking.unknownFailures.isEmpty)
        var failing = ObjectFrame(offset: 0)
        for offset in [5, 7, 9, 11] {
            failing.failUnknown(Issue(.unknownKey, .knownKey(of: Int.self), at: offset), limit: 2)
        }
        #expect(!failing.isComplete(RowSet()))
        #expect(failing.rowsWithoutValue(among: RowSet()) == nil)
        #expect(failing.unknownFailures.map(\.offset) == [5, 7])
        #expect(failing.unknownFailures.map(\.omitted) == [0, 2])
    }

    @Test("A frame with a repaired value or a row beyond the first 64 is incomplete")
    func incomplete() {
        var repaired = ObjectFrame(offset: 0)
        _ = repaired.see(0)
        #expect(repaired.isComplete(RowSet([0])))
        repaired.makeIncomplete()
        #expect(!repaired.isComplete(RowSet([0])))
        #expect(repaired.rowsWithoutValue(among: RowSet([0])) == nil)
        var large = ObjectFrame(offset: 0)
        _ = large.see(64)
        #expect(!large.isComplete(RowSet([64])))
        #expect(large.rowsWithoutValue(among: RowSet([64])) == nil)
    }
}
