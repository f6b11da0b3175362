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

/// How JSON keys are spelled, when they are not spelled like the properties: made from the property's name once per
/// class.
///
/// ```swift
/// class Gist: AbstractModel {
///     var htmlURL: URL!           // "html_url"
///     var createdAt: Date!        // "created_at"
///
///     override class var keyStrategy: KeyStrategy { .snakeCase }
/// }
/// ```
///
/// A name is divided into words where a capital follows a small letter or a digit, and before the last capital of
/// several that a small letter follows, so that acronyms are one word:
///
/// | Property | Words | `snakeCase` | `kebabCase` | `pascalCase` |
/// |---|---|---|---|---|
/// | `imageURL` | image, URL | `image_url` | `image-url` | `ImageURL` |
/// | `URLString` | URL, String | `url_string` | `url-string` | `URLString` |
/// | `isHTTPSOnly` | is, HTTPS, Only | `is_https_only` | `is-https-only` | `IsHTTPSOnly` |
/// | `userIDs` | user, IDs | `user_ids` | `user-ids` | `UserIDs` |
/// | `html5Page` | html5, Page | `html5_page` | `html5-page` | `Html5Page` |
/// | `created_at` | created, at | `created_at` | `created-at` | `CreatedAt` |
/// | `_id` | id | `_id` | `_id` | `_Id` |
///
/// Digits stay with the word before them, a small `s` that ends a word of several capitals is their plural, and
/// underscores at either end stay. A key that no rule makes belongs into `propertyKeys`.
public enum KeyStrategy: Sendable {
    /// The key is the property's name.
    case exact

    /// Small letters with underscores: `image_url`. A name already spelled so is its own key.
    case snakeCase

    /// Small letters with hyphens: `image-url`.
    case kebabCase

    /// A capital for each word, no separators: `ImageURL`. Acronyms stay as the property has them.
    case pascalCase

    /// Any spelling: `image_url`, `imageURL`, `ImageUrl` and `image-url` are all the key of `imageURL`.
    ///
    /// Compared are both sides in small letters without `_`, `-`, `.` and spaces. Only the ASCII letters A to Z are
    /// folded; other letters have to be the same in both. Written is the property's name.
    case flexible

    /// A key of your own making from the property's name. Called once per property of a class, on any thread.
    case custom(@Sendable (_ property: String) -> String)

    /// The JSON key of a property; for ``flexible`` the key that is written.
    func jsonKey(forProperty property: String) -> String {
        switch self {
        case .exact, .flexible: property
        case .snakeCase: PropertyNameWords(property).joined(separator: "_")
        case .kebabCase: PropertyNameWords(property).joined(separator: "-")
        case .pascalCase: PropertyNameWords(property).capitalised
        case .custom(let makeKey): makeKey(property)
        }
    }

    /// A name or key in UTF-8 as ``flexible`` compares it: A to Z in lower case, without `_`, `-`, `.` and spaces,
    /// everything else as it is.
    ///
    /// ```swift
    /// KeyStrategy.folded("Image-URL".utf8)  // the bytes of "imageurl"
    /// ```
    ///
    /// No byte of a non-ASCII character is an ASCII byte, so these pass through whole.
    static func folded(_ utf8: some Sequence<UInt8>) -> [UInt8] {
        var folded: [UInt8] = []
        folded.reserveCapacity(utf8.underestimatedCount)
        for byte in utf8 {
            switch byte {
            case UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: " "): continue
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): folded.append(byte | 0x20)
            default: folded.append(byte)
            }
        }
        return folded
    }
}
