import ModelMirror
import Testing

private class Person: AbstractModel {}

private class Item: AbstractModel {
    var name = ""
    weak var _owner: Person?
}

@Suite("Property outlines")
struct PropertyOutlineTests {
    @Test("The outline of an unmappable property has its stored name, including an underscore")
    func names() throws {
        let outlines = try Item.propertyOutlines()
        #expect(outlines.map(\.name) == ["name", "_owner"])
        #expect(outlines.map { $0.obstacle == nil } == [true, false])
    }
}
