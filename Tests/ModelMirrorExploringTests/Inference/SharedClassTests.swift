import Foundation
import ModelMirrorExploring
import Testing

/// Which objects of a document are samples of one class.
struct SharedClassTests {
    /// The lines of a source without indentation.
    private func lines(_ document: String, name: String? = nil) throws -> [String] {
        try ClassInference.source(documents: [Array(document.utf8)], name: name)
            .split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    }

    @Test func emptyObjectsHaveTheClassOfTheOthers() throws {
        #expect(
            try lines(#"{"name":"a","meta":{},"nodes":[{"name":"b","meta":{"x":1,"y":2},"nodes":[]}]}"#)
                .contains("var x: Int?"))
        func elements(_ inner: String) -> String {
            #"[{"type":"a","props":{"href":"u","rel":"v"},"in":[\#(inner)]},"#
                + #"{"type":"img","props":{"src":"s","alt":"t"},"in":[]}]"#
        }
        func names(_ json: String) throws -> [String] {
            try lines(json).filter { $0.contains("dynamicPropertyTypes") || $0.contains("Props.self") }
        }
        // The empty object of the root is read before any type name is found.
        #expect(try names(#"{"type":"div","props":{},"in":\#(elements(""))}"#) == [])
        #expect(
            try names(elements(#"{"type":"br","props":{},"in":[]}"#)).last
                == #""a": AProps.self, "img": ImgProps.self, "br": BrProps.self,"#)
        // An empty object without a type name.
        #expect(
            try names(#"[{"type":"a","data":{"x":1,"y":2}},{"type":"b","data":{"u":1,"v":2}},{"data":{}}]"#) == [])
    }

    /// Objects of the same class inside each other or in two places, and the names of all classes.
    @Test(arguments: [
        (
            #"{"type": "doc", "version": 1, "content": [{"type": "p", "content": [{"type": "text", "text": "a"}]}]}"#,
            ["Root"] as [Substring]
        ),
        (#"{"name": "a", "children": [{"name": "b", "children": [{"name": "c", "children": []}]}]}"#, ["Root"]),
        (
            #"{"id": 1, "replies": {"count": 1, "comments": [{"id": 2, "replies": {"count": 0, "comments": []}}]}}"#,
            ["Root", "Replies"]
        ),
        (
            #"{"name": "a", "files": {"b.txt": {"name": "b", "files": {"c.txt": {"name": "c", "files": {}}}}}}"#,
            ["Root"]
        ),
        (
            #"{"name": "a", "files": {"b.txt": {"name": "b", "files": {"README": {"name": "c", "files": {}}}}}}"#,
            ["Root"]
        ),
        (
            #"{"book": {"isbn": 1, "owner": {"id": 1, "type": "user"}}, "car": {"seats": 2, "owner": {"id": 2, "type": "firm"}}}"#,
            ["Owner", "Book", "Car", "Root"]
        ),
        (
            #"[{"type": "text", "in": [{"type": "bold", "in": [{"type": "raw", "raw": ""}]}]}, {"type": "image", "url": ""}]"#,
            ["In", "Root"]
        ),
    ])
    func similarObjectsAreOneClass(_ json: String, _ names: [Substring]) throws {
        let classes = try lines(json, name: "Root").filter {
            $0.hasPrefix("class ") && !$0.hasPrefix("class var ") && $0.contains(": AbstractModel")
        }
        #expect(classes.map { $0.prefix { $0 != ":" }.dropFirst(6) } == names)
    }

    /// Envelopes with the same keys are two classes if their elements have other keys or another type.
    @Test(arguments: [
        (#"{"id": 1, "object": "invoice", "total": 5, "#, #"{"id": 2, "object": "item", "amount": 5}"#),
        (#"{"id": 1, "total": 5, "#, #"{"sku": 2, "amount": 5}"#),
    ])
    func envelopesWithDifferentElementsAreDifferentClasses(_ outer: String, _ inner: String) throws {
        let nested = #"{"object": "list", "data": [\#(outer)"lines": {"object": "list", "data": [\#(inner)]}}]}"#
        let deeper =
            #"{"box": {"object": "list", "data": [\#(outer)"lines": {"box": {"object": "list", "data": [\#(inner)]}}}]}}"#
        for (json, names) in [
            (nested, ["LinesData", "Lines", "RootData", "Root"]),
            (deeper, ["LinesBoxData", "LinesBox", "Lines", "BoxData", "Box", "Root"]),
        ] {
            let lines = try lines(json)
            #expect(lines.filter { $0.hasPrefix("class ") } == names.map { "class \($0): AbstractModel {" })
            #expect(lines.contains("var total = 0") && lines.contains("var lines: Lines!"))
            #expect(lines.contains("var amount = 0") && !lines.contains { $0.hasSuffix("?") })
        }
    }
}
