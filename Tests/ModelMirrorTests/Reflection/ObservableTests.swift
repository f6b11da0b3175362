import ModelMirror
import Observation
import Testing

/// `@Observable` puts each property's storage under its name with an underscore before it. Exactly that underscore is dropped,
/// and only at the class levels that have a registrar.
@Suite("Observable classes")
struct ObservableTests {
    @Test("An observable property has its own name in keys and reports, and the registrar has none")
    func names() throws {
        let (model, report) = try Article.mapReporting(
            json: #"{"title": "y", "count": 5, "maybe": null, "child": {"title": "z"}}"#,
            options: MappingOptions(reportsMissingOptionals: true))
        #expect((model.title, model.count, model.maybe, model.child?.title) == ("y", 5, nil, "z"))
        #expect(
            report.entries.map { "\($0.kind) \($0.path)" } == [
                "missing $.child.count", "missing $.child.maybe", "missing $.child.child",
            ])
        #expect(report.entries.map(\.property) == ["count", "maybe", "child"])
    }

    @Test("The name of an observable property's storage is an unknown key")
    func storageNames() throws {
        let (model, report) = try Article.mapReporting(
            json: #"{"_title": "y", "_count": 5, "_$observationRegistrar": {}}"#)
        #expect((model.title, model.count) == ("x", 0))
        #expect(
            report.entries.filter { $0.kind == .unknownKey }.map { "\($0.path)" } == [
                "$._title", "$._count", "$._$observationRegistrar",
            ])
    }

    @Test("Failures name an observable property, not its storage")
    func failures() throws {
        #expect(
            Thrown.text { try Article(json: #"{"count": []}"#, options: .strict) }
                == "Article.count at $.count (line 1, column 11): expected an integer, found an array.")
        #expect(
            try Refusal.sentence(of: StorageRule.self)
                == "StorageRule cannot be mapped: requiredProperties names \"_title\", which is not a stored property of StorageRule "
                + "(did you mean \"title\"?).")
    }

    @Test("Rules and the key strategy use the name of an observable property")
    func rules() throws {
        let model = try Ruled(json: #"{"_id": 1, "html_url": "a", "made": 1000, "secret": 5}"#)
        #expect((model.id, model.htmlURL, model.madeAt, model.secret) == (1, "a", 1000, 0))
    }

    @Test("An observable property whose name begins with an underscore keeps it")
    func underscoredProperty() throws {
        let (model, report) = try Underscored.mapReporting(json: #"{"_id": 5, "id": 6, "__double": 7, "_double": 8}"#)
        #expect((model._id, model.__double) == (5, 7))
        #expect(report.entries.map { "\($0.kind) \($0.path)" } == ["unknownKey $.id", "unknownKey $._double"])
    }

    @Test("A property with @ObservationIgnored keeps its name")
    func ignoredByMacro() throws {
        let model = try Untracked(json: #"{"title": "y", "plain": 5}"#)
        #expect((model.title, model.plain) == ("y", 5))
    }

    @Test("A plain subclass of an observable class keeps its own underscores")
    func plainBelowObservable() throws {
        let (model, report) = try PlainBelow.mapReporting(
            json:
                #"{"title": "y", "count": 1, "maybe": 2, "child": null, "_rank": 3, "_title": "no", "rank": 4, "own": 5}"#
        )
        #expect((model.title, model._rank, model.own) == ("y", 3, 5))
        #expect(report.entries.map { "\($0.kind) \($0.path)" } == ["unknownKey $._title", "unknownKey $.rank"])
    }

    @Test(
        "Only the observable subclass of a plain class drops the underscore of its storage")
    func observableBelowPlain() throws {
        let (model, report) = try ObservableBelow.mapReporting(
            json: #"{"_rank": 3, "rank": 4, "title": "y", "_title": "no"}"#)
        #expect((model._rank, model.title) == (3, "y"))
        #expect(report.entries.map { "\($0.kind) \($0.path)" } == ["unknownKey $.rank", "unknownKey $._title"])
    }

    @Test("Two observable levels each drop the underscore of their storage")
    func twoObservableLevels() throws {
        let (model, report) = try ObservableTwice.mapReporting(
            json: #"{"title": "y", "count": 1, "maybe": 2, "child": null, "subtitle": "z", "_own": 3}"#)
        #expect((model.title, model.subtitle, model._own) == ("y", "z", 3))
        #expect(report.description == "nothing to report")
    }

    @Test("An observable generic class is mapped")
    func generic() throws {
        let model = try ObservableBox<[Int]>(json: #"{"value": [1, 2], "after": 3}"#)
        #expect((model.value, model.after) == ([1, 2], 3))
    }

    @Test("A Codable structure in an observable class is read, reported, written and printed under the property's name")
    func codable() throws {
        let model = try Placed(json: #"{"place": {"x": 1, "y": 2}, "route": [{"x": 3, "y": 4}]}"#)
        #expect(model.place == Placed.Point(x: 1, y: 2))
        #expect(model.route == [Placed.Point(x: 3, y: 4)])
        #expect(try model.jsonString() == #"{"place":{"x":1,"y":2},"route":[{"x":3,"y":4}]}"#)
        #expect("\(model)" == "Placed(place: Point(x: 1, y: 2), route: [Point(x: 3, y: 4)])")
        #expect(
            Thrown.text { try Placed(json: #"{"place": {"x": 1}}"#, options: .strict) }
                == "Placed.place at $.place.y (line 1, column 11): expected an integer, found no such key.")
    }

    @Test("Constants and computed properties of an observable class are not mapped")
    func computedAndLet() throws {
        let (model, report) = try WithConstants.mapReporting(json: #"{"title": "y", "constant": 5, "shout": "no"}"#)
        #expect((model.title, model.constant, model.shout) == ("y", 1, "Y"))
        #expect(report.entries.map { "\($0.kind) \($0.path)" } == ["unknownKey $.constant", "unknownKey $.shout"])
    }
}

// MARK: Models

@Observable
private class Article: AbstractModel {
    var title = "x"
    var count = 0
    var maybe: Int? = 1
    var child: Article?
}

private final class StorageRule: Article {
    override class var requiredProperties: Set<String> { ["_title"] }
}

@Observable
private final class Ruled: AbstractModel {
    var id = 0
    var htmlURL = ""
    var madeAt = 0
    var secret = 0
    override class var keyStrategy: KeyStrategy { .snakeCase }
    override class var propertyKeys: [String: PropertyKey] { ["id": "_id", "madeAt": "made"] }
    override class var ignoredProperties: Set<String> { ["secret"] }
    override class var requiredProperties: Set<String> { ["id", "htmlURL"] }
}

@Observable
private final class Underscored: AbstractModel {
    var _id = 0
    // swift-format-ignore: AlwaysUseLowerCamelCase
    var __double = 0
}

@Observable
private final class Untracked: AbstractModel {
    var title = "x"
    @ObservationIgnored var plain = 0
}

private final class PlainBelow: Article {
    var _rank = 0
    var own = 0
}

private class PlainAbove: AbstractModel {
    var _rank = 0
}

@Observable
private final class ObservableBelow: PlainAbove {
    var title = "x"
}

@Observable
private final class ObservableTwice: Article {
    var subtitle = ""
    var _own = 0
}

@Observable
private final class ObservableBox<Value: ExpressibleByArrayLiteral>: AbstractModel {
    var value: Value = []
    var after = 0
}

@Observable
private final class Placed: AbstractModel {
    struct Point: Codable, Equatable {
        var x: Int
        var y: Int
    }
    var place = Point(x: 0, y: 0)
    var route: [Point] = []
}

@Observable
private final class WithConstants: AbstractModel {
    var title = "x"
    let constant = 1
    var shout: String { title.uppercased() }
}
