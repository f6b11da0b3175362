import Testing

@testable import ModelMirror

/// Impossible field offsets make a class invalid. The runtime reports none, so they are made up here.
@Suite("Field layout")
struct FieldCheckTests {
    @Test("Aligned fields after the header that do not overlap are accepted in any order")
    func sound() throws {
        try FieldCheck.layout([], of: Model.self)
        try FieldCheck.layout([field("a", Int.self, 16)], of: Model.self)
        try FieldCheck.layout(
            [field("a", Bool.self, 16), field("b", Bool.self, 17), field("c", Int32.self, 20)], of: Model.self)
        try FieldCheck.layout(
            [field("a", Int.self, 40), field("b", String.self, 16), field("c", Int.self, 32)], of: Model.self)
        try FieldCheck.layout([field("a", Int.self, 16), field("gap", Int.self, 800)], of: Model.self)
    }

    @Test(
        "An impossible, misaligned or overlapping field offset is rejected",
        arguments: [
            ([("a", Int.self, 0)], "a", 0), ([("a", Int.self, 8)], "a", 8), ([("a", Bool.self, 15)], "a", 15),
            ([("a", Int.self, -8)], "a", -8), ([("a", Int.self, 17)], "a", 17), ([("a", Int32.self, 18)], "a", 18),
            ([("a", Int.self, 16), ("b", Int.self, 16)], "b", 16),
            ([("a", Int.self, 16), ("b", Bool.self, 23)], "b", 23),
            ([("a", String.self, 16), ("b", Int.self, 24)], "b", 24),
            ([("b", Bool.self, 31), ("a", String.self, 16)], "b", 31),
            ([("a", Int?.self, 16), ("b", Bool.self, 24)], "b", 24),
            ([("a", Bool.self, Int(Int32.max) + 1)], "a", Int(Int32.max) + 1),
        ] as [([(String, Any.Type, Int)], String, Int)])
    func impossible(_ fields: [(String, Any.Type, Int)], _ property: String, _ offset: Int) {
        let error = #expect(throws: InvalidModel.self) {
            try FieldCheck.layout(fields.map { field($0.0, $0.1, $0.2) }, of: Model.self)
        }
        #expect(error?.property == property)
        #expect(
            error?.description
                == "Model cannot be mapped: the runtime reports the impossible offset \(offset) for \(property); list the "
                + "properties in keyPathTable.")
    }

    @Test("The runtime reports the names, types and offsets of the fields")
    func runtimeFields() throws {
        let fields = try #require(RuntimeFields.of(Layout.self))
        #expect(
            fields.map(\.name) == ["flag", "number", "text", "maybe", "constant", "weakly", "$__lazy_storage_$_late"])
        #expect(
            fields.map { "\($0.type)" } == [
                "Bool", "Int", "String", "Optional<UInt8>", "Int", "Optional<Model>", "Optional<Int>",
            ])
        #expect(fields.map(\.isVar) == [true, true, true, true, false, true, true])
        #expect(fields.map(\.isStrong) == [true, true, true, true, true, false, true])
        // After the header's two words: one byte, padding, and so on.
        #expect(fields.map(\.offset).prefix(4) == [16, 24, 32, 48])
    }
}

private func field(_ name: String, _ type: Any.Type, _ offset: Int) -> StoredField {
    StoredField(
        RuntimeField(name: name, type: type, offset: offset, isVar: true, isStrong: true), isObservable: false)
}

private final class Model: AbstractModel { var number = 0 }

private final class Layout: AbstractModel {
    var flag = false
    var number = 0
    var text = ""
    var maybe: UInt8?
    let constant = 1
    weak var weakly: Model?
    lazy var late = number
}
