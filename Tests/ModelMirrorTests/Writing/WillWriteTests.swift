import ModelMirror
import Testing

private struct Untitled: Error, CustomStringConvertible { let description = "a draft needs a title" }

private class Draft: AbstractModel, WillWrite, ModelHashable {
    var title = ""
    var slug = ""
    var parts: [Part] = []
    var byName: [String: Part] = [:]
    var calls = 0
    override class var ignoredProperties: Set<String> { ["calls"] }

    func willWrite() throws {
        calls += 1
        guard !title.isEmpty else { throw Untitled() }
        slug = title.lowercased()
        parts.append(Part())
    }
}

private final class Part: AbstractModel, WillWrite {
    var size = 1
    func willWrite() throws {
        size += 1
        if size > 10 { throw ConversionError(expected: "a small part") }
    }
}

private class Page: AbstractModel {
    var drafts: [Draft] = []
    var part: Part?
    override class var propertyConverters: [String: any Converter] { ["part": .embeddedJSON] }
}

private class Around: AbstractModel {
    var id = 7
    var part: Part? = Part()
    override class var flattenedProperties: Set<String> { ["part"] }
}

private final class Sub: Draft {
    override func willWrite() throws {
        title += "!"
        try super.willWrite()
    }
}

@Suite("WillWrite")
struct WillWriteTests {
    private func draft<Model: Draft>(_ type: Model.Type = Draft.self, _ title: String = "A") -> Model {
        let draft = Model()
        draft.title = title
        return draft
    }

    @Test("willWrite is called once each time an object is written, before its properties are")
    func written() throws {
        let draft = draft()
        #expect(try draft.jsonString() == #"{"title":"A","slug":"a","parts":[{"size":2}],"byName":{}}"#)
        #expect(draft.calls == 1)
        _ = try draft.jsonValue()
        _ = try draft.jsonDictionary()
        _ = try draft.jsonData(options: [.pretty, .sortedKeys, .nulls])
        #expect((draft.calls, draft.parts.map(\.size)) == (4, [5, 4, 3, 2]))
        let page = Page()
        page.drafts = [self.draft(), self.draft(Sub.self, "B")]
        page.part = Part()
        #expect(
            try page.jsonString(options: .sortedKeys)
                == #"{"drafts":[{"byName":{},"parts":[{"size":2}],"slug":"a","title":"A"},{"byName":{},"parts":[{"size":2}],"slug":"b!","title":"B!"}],"part":"{\"size\":2}"}"#
        )
        #expect(try JSONMapper.jsonString(of: ["x": Part()]) == #"{"x":{"size":2}}"#)
    }

    @Test("An error thrown by willWrite is a failure with the object's path")
    func thrown() {
        let page = Page()
        page.drafts = [draft(), draft(Draft.self, "")]
        page.drafts[0].byName["p"] = Part()
        page.drafts[0].byName["p"]?.size = 10
        let error = #expect(throws: ModelError.self) { try page.jsonData() }
        #expect(
            error?.description == """
                Part at $.drafts[0].byName.p: expected an object that willWrite accepts, found Part: expected a small part.
                Draft at $.drafts[1]: expected an object that willWrite accepts, found Draft: a draft needs a title.
                """)
        #expect(error?.valueFailures.map(\.code.rawValue) == ["thrown", "thrown"])
        #expect(error?.valueFailures.last?.underlying is Untitled)
        #expect(throws: ModelError.self) { try draft(Draft.self, "").jsonString(options: .pretty) }
    }

    @Test("willWrite is called for a flattened object, and its error is a failure at the object's first key")
    func flattened() throws {
        let around = Around()
        #expect(try around.jsonString() == #"{"id":7,"size":2}"#)
        around.part?.size = 10
        let error = #expect(throws: ModelError.self) { try around.jsonString() }
        #expect(
            error?.description
                == "Around.part at $.size: expected an object that willWrite accepts, found Part: expected a small part."
        )
    }

    @Test("Comparing, hashing, copying, printing, reading, updating and merging do not call willWrite")
    func notCalled() throws {
        let draft = draft()
        let copy = try draft.copy()
        #expect(copy == draft)
        #expect(Set([copy, draft]).count == 1)
        #expect("\(draft)" == #"Draft(title: "A", slug: "", parts: [], byName: [:])"#)
        try draft.update(json: #"{"title": "B", "parts": [{"size": 3}]}"#)
        draft.byName["p"] = Part()
        try draft.merge(patch: #"{"byName": {"p": {"size": 7}}}"#)
        #expect((draft.byName["p"]?.size, draft.parts.map(\.size)) == (7, [3]))
        #expect([draft.calls, copy.calls] == [0, 0])
    }
}
