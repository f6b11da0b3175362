import ModelMirror
import Testing

private class Person: AbstractModel {}

private class Item: AbstractModel {
    var name = ""
    weak var _owner: Person?
}

@Suite("Outlines of properties")
struct PropertyOutlineTests {
    @Test("A property that cannot be mapped has its own name, with its underscore")
    func names() throws {
        let outlines = try Item.propertyOutlines()
        #expect(outlines.map(\.name) == ["name", "_owner"])
        #expect(outlines.map { $0.obstacle == nil } == [true, false])
    }
}
