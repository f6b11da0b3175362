import Foundation
import ModelMirror
import Observation

class Gist: AbstractModel {
    var id = ""
    var comments = 0
    var owner: User?
}

class Fork: Gist {
    var parent = ""
}

class User: AbstractModel {
    var login = ""
}

class Page<Item>: AbstractModel {
    var number = 0
    var items: [Item] = []
}

@Observable
class Article: AbstractModel {
    var title = ""
}

class Listed: AbstractModel {
    var id = ""
    var createdOn: Date?
    var owner: Listed?
    override class var keyPathTable: KeyPathTable? {
        [
            "id": \Listed.id, "created_on": KeyPathMapping(\Listed.createdOn, using: .secondsSince1970),
            "owner": \Listed.owner,
        ]
    }
}

/// Names an entry by the property, which the table finds by reflection.
class Required: Listed {
    override class var requiredProperties: Set<String> { ["createdOn"] }
}

/// Names an entry by the name that it is given.
class Given: AbstractModel {
    var createdOn = 0
    override class var keyPathTable: KeyPathTable? {
        ["created_on": KeyPathMapping(\Given.createdOn, name: "createdOn")]
    }
    override class var requiredProperties: Set<String> { ["createdOn"] }
}

class Constant: AbstractModel {
    let number = 1
}

class Empty: AbstractModel {}

/// Maps one object of each class and prints what came of it.
@main
enum StrippedMetadata {
    static func main() {
        show("class") { try Gist(json: #"{"id": "1", "comments": 2, "owner": {"login": "o"}}"#).owner?.login }
        show("subclass") { try Fork(json: #"{"id": "1", "parent": "0"}"#).parent }
        show("array") { try [Gist](json: #"[{"id": "1"}]"#)[0].id }
        show("dictionary") { try [String: Gist](json: #"{"a": {"id": "1"}}"#)["a"]?.id }
        show("report") { try Gist.mapReporting(json: #"{"id": "1"}"#).object.id }
        show("init(dictionary:)") { try Gist(dictionary: ["id": "1"]).id }
        show("generic class") { try Page<Int>(json: #"{"items": [1]}"#).items.first }
        show("observable class") { try Article(json: #"{"title": "t"}"#).title }
        show("only a let") { try Constant(json: #"{"number": 2}"#).number }
        show("listed") {
            let object = try Listed(json: #"{"id": "1", "created_on": 60, "owner": {"id": "2", "owner": null}}"#)
            try object.update(json: #"{"owner": {"id": "3"}}"#)
            return try object.copy().jsonString()
        }
        show("listed, in a rule") { try Required(json: #"{"created_on": 60}"#).createdOn }
        show("listed, in a rule by its name") { try Given(json: #"{"created_on": 60}"#).createdOn }
        show("no properties") { try Empty(json: "{}").isEqual(to: Empty()) }
    }

    private static func show(_ name: String, _ map: () throws -> Any?) {
        do {
            print("\(name): mapped \(try map() ?? "nil")")
        } catch {
            print("\(name): \(error)")
        }
    }
}
