import Testing

@testable import ModelMirror

@Suite("ObjectProgress")
struct ObjectProgressTests {
    private static let borders = [0, 1, 62, 63, 64, 65, 200]

    private static func seen(_ progress: borrowing ObjectProgress) -> [Int] {
        var rows: [Int] = []
        for row in 0..<300 where progress.hasSeen(row) { rows.append(row) }
        return rows
    }

    private static func unsettled(_ progress: borrowing ObjectProgress) -> [Int] {
        var rows: [Int] = []
        for row in 0..<300 where progress.isUnsettled(row) { rows.append(row) }
        return rows
    }

    @Test("Seeing a row marks it as seen and leaves other rows unchanged", arguments: borders)
    func seeing(_ row: Int) {
        var progress = ObjectProgress(at: 0)
        let isNew = [progress.see(row), progress.see(row)]
        #expect(isNew == [true, false])
        #expect(Self.seen(progress) == [row])
        #expect(Self.unsettled(progress) == [])
    }

    @Test("Settling a row clears its null or rejected value", arguments: borders)
    func unsettled(_ row: Int) {
        var progress = ObjectProgress(at: 0)
        for other in Self.borders { progress.leaveUnsettled(other) }
        #expect(Self.unsettled(progress) == Self.borders)
        progress.settle(row)
        #expect(Self.unsettled(progress) == Self.borders.filter { $0 != row })
    }

    @Test("An object is complete if every row has a value; the other rows are to be settled")
    func complete() {
        let rows = RowSet([0, 2, 63])
        var progress = ObjectProgress(at: 0)
        for row in [0, 1, 2] { _ = progress.see(row) }
        let isComplete = progress.isComplete(rows)
        #expect(!isComplete)
        #expect(Array(progress.unsettledRows(among: rows)) == [63])
        _ = progress.see(63)
        let isNowComplete = progress.isComplete(rows)
        #expect(isNowComplete)
        progress.leaveUnsettled(2)
        let isStillComplete = progress.isComplete(rows)
        #expect(!isStillComplete)
        #expect(Array(progress.unsettledRows(among: rows)) == [2])
    }

    @Test("Rows beyond the first 64 are settled in ascending order")
    func largeClass() {
        var progress = ObjectProgress(at: 0)
        for row in Self.borders { _ = progress.see(row) }
        progress.leaveUnsettled(65)
        #expect(Array(progress.unsettledRows(among: RowSet(Self.borders + [70, 300]))) == [65, 70, 300])
        let isComplete = progress.isComplete(RowSet(Self.borders))
        #expect(!isComplete)
    }

    @Test("An object's values are replaced unless nested defaults are filled", arguments: [false, true])
    func replacing(fillsNested: Bool) throws {
        let object = Item()
        let session = MappingSession(MappingCall(options: MappingOptions(updatesNestedInPlace: fillsNested)))
        let reader = ObjectReader(session: session, object: object, table: try object.propertyTable())
        var progress = ObjectProgress(at: 0)
        let replaces = reader.replacesValues(progress)
        _ = progress.madeRest
        let stillReplaces = reader.replacesValues(progress)
        #expect(replaces == !fillsNested && stillReplaces == !fillsNested)
    }

    @Test("An object with an unknown member is incomplete and counts failures beyond the limit")
    func unknownMembers() {
        var taking = ObjectProgress(at: 0)
        taking.madeRest.unknown.append((key: 1, value: 5))
        let isTakingComplete = taking.isComplete(RowSet())
        #expect(!isTakingComplete)
        var failing = ObjectProgress(at: 0)
        for offset in [5, 7, 9, 11] {
            failing.madeRest.failUnknown(Issue(.unknownKey, .knownKey(of: Int.self), at: offset), limit: 2)
        }
        let isFailingComplete = failing.isComplete(RowSet())
        #expect(!isFailingComplete)
        let failures = failing.madeRest.unknownFailures
        #expect((failures.map(\.offset), failures.map(\.omitted)) == ([5, 7], [0, 2]))
    }
}

private class Item: AbstractModel {
    var id = 0
}
