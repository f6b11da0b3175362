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
        #expect((0..<300).filter(frame.isNull) == [])
    }

    @Test("Repairing a row clears its null", arguments: borders)
    func nulls(_ row: Int) {
        var frame = ObjectFrame(offset: 0)
        for other in Self.borders { frame.seeNull(other) }
        #expect((0..<300).filter(frame.isNull) == Self.borders)
        frame.repair(row)
        #expect((0..<300).filter(frame.isNull) == Self.borders.filter { $0 != row })
    }

    @Test("Repairing a row clears its rejected values but keeps its duplicates")
    func rejected() {
        var frame = ObjectFrame(offset: 0)
        frame.reject(1, at: 10, .refused, [])
        frame.reject(2, at: 20, .null, [])
        frame.reject(1, at: 30, .duplicate, [])
        frame.repair(1)
        #expect(frame.rejected(of: 1).map(\.offset) == [30])
        #expect(frame.rejected(of: 2).map(\.offset) == [20])
        #expect(frame.rejected(of: 3).isEmpty && frame.hasRejected)
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
        frame.seeNull(2)
        #expect(!frame.isComplete(rows))
        #expect(frame.rowsWithoutValue(among: rows).map(Array.init) == [2])
    }

    @Test("A frame replaces values unless it fills nested defaults")
    func replacing() {
        var frame = ObjectFrame(offset: 0)
        #expect(frame.replacesValues)
        frame.reject(0, at: 0, .refused, [])
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
            failing.failUnknown(Finding(kind: .unknownKey, offset: offset, expected: ""), limit: 2)
        }
        #expect(!failing.isComplete(RowSet()))
        #expect(failing.rowsWithoutValue(among: RowSet()) == nil)
        #expect(failing.unknownFailures.map(\.offset) == [5, 7])
        #expect(failing.unknownFailures.map(\.omitted) == [0, 2])
    }

    @Test("A frame with a rejected value or a row beyond the first 64 is incomplete")
    func incomplete() {
        var rejecting = ObjectFrame(offset: 0)
        _ = rejecting.see(0)
        rejecting.reject(0, at: 0, .refused, [])
        #expect(!rejecting.isComplete(RowSet([0])))
        #expect(rejecting.rowsWithoutValue(among: RowSet([0])) == nil)
        var large = ObjectFrame(offset: 0)
        _ = large.see(64)
        #expect(!large.isComplete(RowSet([64])))
        #expect(large.rowsWithoutValue(among: RowSet([64])) == nil)
    }
}
