import Testing

@testable import ModelMirror

@Suite("RowSet")
struct RowSetTests {
    private static let borders = [0, 1, 62, 63, 64, 65, 126, 127, 128, 129, 191, 192, 193, 1000]

    @Test("An empty set holds nothing")
    func empty() {
        let set = RowSet()
        #expect(set.isEmpty)
        #expect(Self.borders.allSatisfy { !set.contains($0) })
        #expect(set.isSuperset(of: RowSet()))
    }

    @Test("Inserting tells whether the row is new, and holds that row alone", arguments: borders)
    func insert(_ row: Int) {
        var set = RowSet()
        let isNew = [set.insert(row), set.insert(row), set.insert(row)]
        #expect(isNew == [true, false, false])
        #expect(!set.isEmpty)
        #expect((0..<1100).filter(set.contains) == [row])
    }

    @Test("Removing takes that row alone, and what is not there may be removed", arguments: borders)
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
        #expect(set.isEmpty)
    }

    @Test("A set is a superset of its parts, and of nothing that has a row more", arguments: borders)
    func superset(_ row: Int) {
        let all = RowSet(Self.borders)
        let others = RowSet(Self.borders.filter { $0 != row })
        let one = RowSet([row])
        #expect(all.isSuperset(of: all))
        #expect(all.isSuperset(of: others))
        #expect(all.isSuperset(of: one))
        #expect(all.isSuperset(of: RowSet()))
        #expect(!others.isSuperset(of: all))
        #expect(!others.isSuperset(of: one))
        #expect(!one.isSuperset(of: others))
        #expect(!RowSet().isSuperset(of: one))
    }

    @Test("A set that has lost its high rows counts as one that never had them")
    func emptiedHighRows() {
        var set = RowSet([3, 200])
        set.remove(200)
        #expect(RowSet([3]).isSuperset(of: set))
        #expect(set.isSuperset(of: RowSet([3])))
    }

    @Test("A thousand steps do what a Set of integers does", arguments: [1, 2, 3] as [UInt64])
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
            #expect(set.isEmpty == expected.isEmpty)
            let part = Set((0..<next(4)).map { _ in next(140) })
            #expect(set.isSuperset(of: RowSet(part)) == expected.isSuperset(of: part))
        }
        #expect((0..<140).filter(set.contains) == expected.sorted())
    }
}
