import CanaryModels
import Foundation
import ModelMirror

/// Checks the stored properties that a mapping must not change; a broken canary ends the program.
func check(_ object: AbstractModel, _ document: String) {
    var mirror: Mirror? = Mirror(reflecting: object)
    var count = 0
    while let level = mirror {
        for child in level.children {
            guard let canary = child.value as? Canary else { continue }
            count += 1
            if canary != Canary() { fail("\(child.label ?? "") is broken after \(document)") }
        }
        mirror = level.superclassMirror
    }
    if count < 56 { fail("only \(count) canaries were found") }
    guard let storage = object as? Storage else { return }
    if storage.ignoredClosure() != 7 || storage.type != Int.self || storage.pair != (1, "b") || storage.marked != nil
        || !(storage.object is Reference) || storage.unsafeObject !== Storage.shared || storage.constant != 11
        || storage.pointer != nil
    {
        fail("a property that is not mapped changed after \(document)")
    }
}

func fail(_ message: String) -> Never {
    print("FAILED: \(message)")
    exit(1)
}

nonisolated let values: [String] = [
    "null", "true", "0", "-1", "7", "1.5", "1e300", "170141183460469231731687303715884105727", "\"\"", "\"a\"",
    "\"low\"", "\"high\"",
    "\"#11223344\"", "\"2016-01-23T18:30:00Z\"", "\"https://a.b/c?d=e\"", "\"0F9B1C3E-6A5D-4F0B-8C1D-2E3F4A5B6C7D\"",
    "\"QUJD\"",
    "\"a text that is longer than fifteen bytes, so that it is not stored inline\"", "[]", "[1]", "[1,null,\"2\",true]",
    "[[1.5,2],[]]",
    "[\"a\",\"b\",\"a\"]", "{}", #"{"a":1}"#, #"{"1":[true],"2":[]}"#, #"{"a":1,"b":2,"c":3}"#,
    #"{"texts":["x"],"number":2,"name":"n"}"#, #"{"text":{"_0":"t"}}"#, #"{"number":{"_0":9}}"#,
    #"{"flag":true,"text":"child","child":{"int8":3}}"#, #"[{"text":"c"},{"child":{}}]"#, #"{"k":{"float":2.5}}"#,
]
let names = [
    "flag", "optionalFlag", "hidden", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "optionalInt",
    "uint", "int128",
    "uint128", "float", "double", "decimal", "text", "optionalText", "slice", "character", "optionalCharacter", "date",
    "url", "uuid",
    "data", "level", "optionalLevel", "number", "bytes", "optionalBytes", "large", "nothing", "optionalNothing",
    "payload", "json",
    "optionalJSON", "color", "ints", "rows", "texts", "table", "numbers", "maybes", "child", "children", "byName",
    "double2", "wrapped",
    "any", "weakObject", "unsafeObject", "lazyText", "c00", "c55", "constant", "pair", "value", "values", "last",
]

// Every property with every value, stored in every way.
nonisolated(unsafe) var mapped = 0
nonisolated(unsafe) var rejected = 0
func attempt<Model: Storage>(_ type: Model.Type, _ document: String) {
    for options in [MappingOptions(), .strict, MappingOptions(arraysFromSingleValues: true)] {
        do {
            let object = try Model(json: document, options: options)
            check(object, document)
            let again = try Model(json: object.jsonData(mapping: MappingOptions(writesNulls: true)))
            check(again, document)
            if !again.isEqual(to: object), object.double2 == nil { fail("\(document) reads back differently") }
            withExtendedLifetime((object, again)) {}
            mapped += 1
        } catch { rejected += 1 }
        let object = Model()
        for options in [options, MappingOptions(updatesNestedInPlace: true)] {
            _ = try? object.update(json: document, options: options)
            check(object, "an update by " + document)
        }
        withExtendedLifetime(object) {}
    }
}
for name in names {
    for value in values {
        let document = "{\"\(name)\":\(value)}"
        attempt(Storage.self, document)
        if ["value", "values", "last", "flag", "c55", "children"].contains(name) {
            attempt(Generic<Int>.self, document)
            attempt(Generic<String>.self, document)
            attempt(Generic<Bytes3>.self, document)
        }
    }
}
// All properties at once, in both orders, with valid and invalid values.
for first in values.indices {
    for order in [names, names.reversed()] {
        let members = order.enumerated().map { "\"\($1)\":\(values[(first + $0) % values.count])" }
        attempt(Generic<Double>.self, "{" + members.joined(separator: ",") + "}")
    }
}
// The class itself must map.
do { _ = try Generic<Int>(json: "{}") } catch { fail("\(error)") }
print("\(mapped) mapped, \(rejected) rejected; every canary is intact")
