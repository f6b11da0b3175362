import Foundation
import ModelMirrorExploring
import Testing

/// No inferred name hides one that the printed code uses.
struct HiddenNameTests {
    /// The types that printed code names, and those that every reader takes for the library's.
    static let types = [
        "APIClient", "AbstractModel", "Any", "AnyConverter", "AnyObject", "Array", "Bool", "CaseIterable",
        "ConversionError",
        "Converter", "Data", "Date", "Decimal", "Dictionary", "Double", "DynamicPropertyTypes", "DynamicTypeFallback",
        "DynamicTypeModel", "Element", "Endpoint", "Error", "Foundation", "Int", "Int128", "JSONConvertible",
        "JSONMapper",
        "JSONNumber", "JSONValue", "KeyStrategy", "MappingOptions", "ModelMirror", "ModelMirrorNetworking",
        "ModelValidation", "Optional", "ParameterList", "ParameterValue", "PropertyKey", "PropertyRule", "Protocol",
        "RGBAColor",
        "Regex",
        "RequestParameters", "Requesting", "Self", "Set", "String", "Swift", "T", "Type", "UInt128", "UInt64", "URL",
        "UUID",
        "UnknownCase", "Value", "Void",
    ]
    /// The reserved words of Swift (The Swift Programming Language, Lexical Structure).
    static let words = [
        "associatedtype", "borrowing", "class", "consuming", "deinit", "enum", "extension", "fileprivate", "func",
        "import",
        "init", "inout", "internal", "let", "nonisolated", "open", "operator", "precedencegroup", "private", "protocol",
        "public", "rethrows", "static", "struct", "subscript", "typealias", "var", "break", "case", "catch", "continue",
        "default", "defer", "do", "else", "fallthrough", "for", "guard", "if", "in", "repeat", "return", "switch",
        "throw",
        "where", "while", "Any", "as", "await", "false", "is", "nil", "self", "Self", "super", "throws", "true", "try",
        "_",
        "Type", "Protocol", "async", "any", "some", "each", "actor", "macro", "package", "unowned", "weak", "lazy",
        "get",
        "set", "willSet", "didSet", "left", "right", "none", "prefix", "postfix", "infix", "convenience", "required",
        "dynamic", "final", "indirect", "mutating", "nonmutating", "optional", "override", "precedence", "unsafe",
    ]
    /// Those that are contextual, thus valid names.
    private static let contextual: Set = [
        "borrowing", "consuming", "nonisolated", "open", "async", "any", "some", "each", "actor", "macro", "package",
        "unowned", "weak", "lazy", "get", "set", "willSet", "didSet", "left", "right", "none", "prefix", "postfix",
        "infix",
        "convenience", "required", "dynamic", "final", "indirect", "mutating", "nonmutating", "optional", "override",
        "precedence", "unsafe",
    ]

    /// The declared names after a word, such as `class `.
    private static func declared(_ word: String, in source: String) -> [String] {
        source.split(separator: "\n").map { $0.trimmingPrefix { $0 == " " } }.filter { $0.hasPrefix(word) }
            .map { String($0.dropFirst(word.count).prefix { $0 != ":" && $0 != " " }) }
    }

    private static func source(_ json: String) throws -> String {
        try ClassInference.source(documents: [Array(json.utf8)], name: "Top")
    }

    @Test(arguments: types + words) func noClassHidesIt(_ name: String) throws {
        let source = try HiddenNameTests.source(
            #"{"\#(name)": {"some_key": 1}, "List": [{"\#(name)": {"other": "a"}}]}"#)
        let declared = HiddenNameTests.declared("class ", in: source).filter { $0 != "var" }
        #expect(declared.count >= 3 && Set(declared).count == declared.count)
        #expect(!declared.contains { HiddenNameTests.types.contains($0.trimmingCharacters(in: ["`"])) })
    }

    /// Also where another key leaves only the name itself, or where a style is given.
    @Test(arguments: types + words, KeyStyle.allCases.map(Optional.some) + [nil])
    func noPropertyHidesIt(_ name: String, _ keys: KeyStyle?) throws {
        let small = name.prefix(1).lowercased() + name.dropFirst()
        let other = small == name ? "other" : small
        for json in [#"{"\#(other)": "a", "\#(name)": 1}"#, #"{"\#(name)": "a", "\#(name.lowercased())": 1, "b": 2}"#] {
            let source = try ClassInference.source(documents: [Array(json.utf8)], name: "Top", keys: keys)
            let declared = HiddenNameTests.declared("var ", in: source)
            #expect(declared.count >= 2 && Set(declared).count == declared.count)
            #expect(!declared.contains { HiddenNameTests.types.contains($0.trimmingCharacters(in: ["`"])) })
            #expect(declared.allSatisfy { !HiddenNameTests.isReserved($0) })
        }
    }

    @Test(arguments: types + words) func noCaseHidesIt(_ name: String) throws {
        let schema = #"{"properties": {"a": {"enum": ["\#(name)", "allCases", "unknownCase", "x"]}}}"#
        let source = try ClassInference.source(schema: Array(schema.utf8), name: "Top")
        let lines = source.split(separator: "\n").filter { $0.hasPrefix("    case ") }
        let cases = lines.flatMap { $0.dropFirst(9).split(separator: ", ") }.map { String($0.prefix { $0 != " " }) }
        #expect(cases.count == 4 && Set(cases).count == 4)
        #expect(cases.allSatisfy { !HiddenNameTests.isReserved($0) && $0 != "`init`" && $0 != "`self`" })
        #expect(!cases.contains { ["allCases", "unknownCase", "Type", "Protocol"].contains($0) })
    }

    @Test(arguments: types + words)
    func noClassOfASchemaHidesIt(_ name: String) throws {
        let document = """
            {"openapi": "3.1.0", "info": {"title": "T", "version": "1"}, "paths": {"/a": {"get": {"operationId": "a", "responses":
            {"200": {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/\(name)"}}}}}}}},
            "components": {"schemas": {"\(name)": {"type": "object", "properties": {"x": {"type": "string"}}}}}}
            """
        let source = try ClassInference.source(openAPI: Array(document.utf8))
        #expect(!source.contains("class \(name):"))
        #expect(!source.contains("class Value:"))
    }

    private static func isReserved(_ name: String) -> Bool { words.contains(name) && !contextual.contains(name) }
}
