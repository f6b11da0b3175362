/// Where a property's value stands in its object: one key, several keys to choose from, or a path inward.
///
/// ```swift
/// override class var propertyKeys: [String: PropertyKey] {
///     [
///         "createdAt": "created_at",                       // one literal key, dots and all
///         "avatar": ["avatar", "avatar_url"],              // the first that is present
///         "ownerLogin": .path("owner", "login"),           // inside a nested object
///         "firstItem": .path("items", 0, "id"),
///     ]
/// }
/// ```
///
/// Of several keys the first in the list that is present, null included, counts, whatever the order of the document. `null`
/// on the way of a path counts as null at its end. When JSON is written, the first key is used.
public struct PropertyKey: Hashable, Sendable, ExpressibleByStringLiteral, ExpressibleByArrayLiteral {
    /// The places to look at, the preferred one first.
    let places: [[JSONPath.Step]]

    /// One key, taken literally.
    public init(_ key: String) { places = [[.key(key)]] }
    /// One key, taken literally.
    public init(stringLiteral key: String) { self.init(key) }
    /// Several places, the preferred one first.
    public init(arrayLiteral alternatives: PropertyKey...) { places = alternatives.flatMap(\.places) }

    /// A path from the object inward. Its first step must be a key.
    public static func path(_ steps: JSONPath.Step...) -> PropertyKey { PropertyKey(places: [steps]) }

    private init(places: [[JSONPath.Step]]) { self.places = places }
}
