import Testing

@testable import ModelMirror

@Suite("RowSet")
struct RowSetTests {
    private static let borders = [0, 1, 62, 63, 64, 65, 126, 127, 128, 129, 191, 192, 193, 1000]

    @Test("Inserting into an empty set returns whether the row is new and adds only that row", arguments: borders)
    func insert(_ row: Int) {
        var set = RowSet()
        #expect(Self.borders.allSatisfy { !set.contains($0) })
        let isNew = [set.insert(row), set.insert(row), set.insert(row)]
        #expect(isNew == [true, false, false])
        #expect((0..<1100).filter(set.contains) == [row])
    }

    @Test("Removing removes only the given row and ignores rows that are not in the set", arguments: borders)
    func remove(_ row: Int) {
        var set = RowSet(Self.borders)
        set.remove(row)
        #expect((0..<1100).filter(set.contains) == Self.borders.filter { $0 != row })
        set.remove(row)
        set.remove(5000)
        #expect((0..<1100).filter(set.contains) == Self.borders.filter { $0 != row })
        let isNew = set.insert(row)
        #expect(isNew)
        #expect((0..<1100).filter(set.contains) == Self.borders)
        for other in Self.borders { set.remove(other) }
        #expect((0..<1100).filter(set.contains) == [])
    }

    @Test("isSubset and restricted compare a row set with a word")
    func words() {
        #expect(RowSet().isSubset(of: 0))
        #expect(RowSet([0, 63]).isSubset(of: 1 << 63 | 1))
        #expect(!RowSet([0, 63]).isSubset(of: 1 << 63))
        #expect(Array(RowSet().restricted(to: .max) { _ in true }) == [])
        #expect(Array(RowSet([0, 5, 63]).restricted(to: .max) { _ in false }) == [0, 5, 63])
        #expect(Array(RowSet([0, 5, 63]).restricted(to: ~(1 << 5)) { _ in false }) == [0, 63])
        #expect(Array(RowSet([0, 5, 63]).restricted(to: 0) { _ in true }) == [])
    }

    @Test("Rows beyond the first 64 are restricted one by one", arguments: [64, 200])
    func highRows(_ row: Int) {
        #expect(!RowSet([row]).isSubset(of: .max))
        #expect(Array(RowSet([0, 63, row, row + 1]).restricted(to: 1 << 63) { $0 == row }) == [63, row])
    }

    @Test("The rows of a row set are in ascending order, whatever the order of insertion")
    func order() {
        #expect(Array(RowSet(Self.borders.reversed())) == Self.borders)
    }

    @Test(
        "A thousand random operations give the same result as on a Set of integers", arguments: [1, 2, 3] as [UInt64])
    func model(_ seed: UInt64) {
        var state = seed
        func next(_ count: UInt64) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33 % count)
        }
        var set = RowSet()
        var expected: Set<Int> = []
        for _ in 0..<1000 {
            let row = next(140)
            if next(3) == 0 {
                set.remove(row)
                expected.remove(row)
            } else {
                let isNew = set.insert(row)
                let isExpected = expected.insert(row).inserted
                #expect(isNew == isExpected)
            }
            #expect(set.contains(row) == expected.contains(row))
        }
        #expect((0..<140).filter(set.contains) == expected.sorted())
    }
}
