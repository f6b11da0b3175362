import Foundation
import ModelMirrorExploring
import Testing

/// The order of inferred declarations, which lets a source be pasted into the REPL.
struct DeclarationOrderTests {
    /// The names of the declared types in order, and for each the lines of its declaration.
    private static func declarations(_ source: String) -> [(name: String, text: String)] {
        source.components(separatedBy: "\n\n").reduce(into: []) { found, block in
            let head = block.split(separator: "\n").first { $0.hasPrefix("class ") || $0.hasPrefix("enum ") }
            if let head {
                let name = head.split(whereSeparator: { " :".contains($0) })[1]
                found.append((String(name), block))
            } else if let last = found.indices.last {
                found[last].text += "\n" + block
            }
        }
    }

    /// The types used in declarations that are declared below, as `User.Used`.
    private static func usedTooEarly(_ source: String) -> [String] {
        let all = declarations(source)
        return all.enumerated().flatMap { number, declaration in
            let words = Set(declaration.text.split { !$0.isLetter && !$0.isNumber }.map(String.init))
            return all[(number + 1)...].map(\.name).filter(words.contains).map { "\(declaration.name).\($0)" }
        }
    }

    @Test(arguments: [
        #"{"a": {"b": {"c": {"x": 1}, "d": [{"y": {"z": 1}}]}}, "e": {"f": {"g": 1}}}"#,
        #"{"one": {"state": [1, "a", {"deep": {"x": 1}}]}, "two": {"list": [[1], 2, [[3]]]}}"#,
        #"[{"kind": "a", "data": {"x": 1, "y": {"q": 1}}}, {"kind": "b", "data": {"z": 1, "w": 2}}]"#,
        #"[{"status": "on"}, {"status": "off"}, {"status": "on"}, {"status": "off", "in": {"status": "off"}}]"#,
    ])
    func aTypeIsDeclaredAboveThoseThatUseIt(_ json: String) throws {
        let source = try ClassInference.source(documents: [Array(json.utf8)], name: "Top")
        #expect(DeclarationOrderTests.declarations(source).count >= 2)
        #expect(DeclarationOrderTests.usedTooEarly(source) == [])
    }

    @Test func onlyTypesThatUseEachOtherAreUsedAbove() throws {
        let schema = ##"""
            {"properties": {"tree": {"$ref": "#/$defs/tree"}}, "$defs": {
              "tree": {"properties": {"leaf": {"$ref": "#/$defs/leaf"}, "branch": {"$ref": "#/$defs/branch"}}},
              "branch": {"properties": {"tree": {"$ref": "#/$defs/tree"}, "leaf": {"$ref": "#/$defs/leaf"}}},
              "leaf": {"properties": {"state": {"enum": ["new", "old"]}}}}}
            """##
        let source = try ClassInference.source(schema: Array(schema.utf8), name: "Top")
        #expect(DeclarationOrderTests.declarations(source).map(\.name) == ["State", "Leaf", "Tree", "Branch", "Top"])
        #expect(DeclarationOrderTests.usedTooEarly(source) == ["Tree.Branch"])
    }

    /// The REPL compiles what is between `#if` and `#endif` at once.
    @Test func typesThatUseEachOtherAreCompiledTogether() throws {
        let json =
            #"{"title": "a", "author": {"login": "x", "books": [{"title": "b", "author": {"login": "y", "books": []}}]}}"#
        let source = try ClassInference.source(documents: [Array(json.utf8)], name: "Book")
        #expect(
            source == """
                // let book = try Book(json: data)

                import ModelMirror

                #if true  // These types use each other, so that the REPL compiles them together.
                class Book: AbstractModel {
                    var title = ""
                    var author: Author!
                }

                class Author: AbstractModel {
                    var login = ""
                    var books: [Book] = []
                }
                #endif

                """)
        let tree = #"{"name": "a", "tags": [{"id": 1}], "children": [{"name": "b", "tags": [], "children": []}]}"#
        #expect(!(try ClassInference.source(documents: [Array(tree.utf8)], name: "Tree")).contains("#if"))
    }

    @Test func aBaseClassIsAboveItsSubclassesAndBothAboveTheirUser() throws {
        let json = #"{"items": [{"type": "a", "x": {"v": 1}}, {"type": "b", "y": 2}]}"#
        let source = try ClassInference.source(documents: [Array(json.utf8)], name: "Top")
        #expect(DeclarationOrderTests.declarations(source).map(\.name) == ["X", "Item", "A", "B", "Top"])
    }
}
