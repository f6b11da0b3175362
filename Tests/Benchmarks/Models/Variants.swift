import ModelMirror

// Variants of one class: each shows the cost of one feature, against ``PlainItem``. All have the same properties in the same order.

final class PlainItem: AbstractModel {
    var itemId = 0
    var fullName = ""
    var pageTitle: String?
    var isActive = false
    var lastScore = 0.0
    var shortNote = ""
    var userLevel: Int?
    var webLink = ""
}

final class SnakeItem: AbstractModel {
    var itemId = 0
    var fullName = ""
    var pageTitle: String?
    var isActive = false
    var lastScore = 0.0
    var shortNote = ""
    var userLevel: Int?
    var webLink = ""
    override class var keyStrategy: KeyStrategy { .snakeCase }
}

final class FlexibleItem: AbstractModel {
    var itemId = 0
    var fullName = ""
    var pageTitle: String?
    var isActive = false
    var lastScore = 0.0
    var shortNote = ""
    var userLevel: Int?
    var webLink = ""
    override class var keyStrategy: KeyStrategy { .flexible }
}

/// Every hook is overridden.
final class HookedItem: AbstractModel {
    var itemId = 0
    var fullName = ""
    var pageTitle: String?
    var isActive = false
    var lastScore = 0.0
    var shortNote = ""
    var userLevel: Int?
    var webLink = ""

    override func shouldFail(withInvalidValue value: Any?, forProperty property: String) -> Bool {
        property == "itemId"
    }
    override func didMap() throws { if itemId < 0 { throw CancellationError() } }
    override func validateModel(_ validation: inout ModelValidation) {
        validation.require("fullName", fullName)
    }
}

/// Two keys for each of four properties; the document has the second.
final class AliasedItem: AbstractModel {
    var itemId = 0
    var fullName = ""
    var pageTitle: String?
    var isActive = false
    var lastScore = 0.0
    var shortNote = ""
    var userLevel: Int?
    var webLink = ""

    override class var propertyKeys: [String: PropertyKey] {
        [
            "fullName": ["full_name", "fullName"], "pageTitle": ["page_title", "pageTitle"],
            "isActive": ["is_active", "isActive"], "webLink": ["web_link", "webLink"],
        ]
    }
}

/// Two members of a nested object, against a class for that object.
final class PathItem: AbstractModel {
    var id = 0
    var ownerName = ""
    var ownerLevel = 0
    var title = ""

    override class var propertyKeys: [String: PropertyKey] {
        ["ownerName": .path("owner", "name"), "ownerLevel": .path("owner", "level")]
    }
}

final class OwnedItem: AbstractModel {
    var id = 0
    var owner: Owner?
    var title = ""
}

final class Owner: AbstractModel {
    var name = ""
    var level = 0
}

/// The class of each object is named by its member `kind`, against a class that reads the name as text.
class TaggedItem: AbstractModel, DynamicTypeModel {
    var kind = ""
    var itemId = 0
    var fullName = ""
    var lastScore = 0.0
    var webLink = ""
    class var typeNameProperty: String { "kind" }
    class var dynamicTypes: [String: AbstractModel.Type] { ["first": FirstItem.self, "second": SecondItem.self] }
}

final class FirstItem: TaggedItem {}

final class SecondItem: TaggedItem {}

final class UntaggedItem: AbstractModel {
    var kind = ""
    var itemId = 0
    var fullName = ""
    var lastScore = 0.0
    var webLink = ""
}
