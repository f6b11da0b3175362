/// The place of a property's value in its object: a key, several alternative keys, or a path.
///
/// ```swift
/// override class var propertyKeys: [String: PropertyKey] {
///     [
///         "createdAt": "created_at",                       // one key; dots have no special meaning
///         "avatar": ["avatar", "avatar_url"],              // the first that is present
///         "ownerLogin": .path("owner", "login"),           // inside a nested object
///         "firstItem": .path("items", 0, "id"),
///     ]
/// }
/// ```
///
/// The first listed alternative that is present wins, even if its value is `null`, whatever the order in the document;
/// ``firstFitting(_:)`` passes over alternatives that are `null` or do not fit. A path that meets `null` before its end counts as null, but
/// as a missing key for a type that reads `null` itself, such as ``JSONValue``. The first alternative is written, unless
/// ``reading(_:writing:)`` names another key.
public struct PropertyKey: Hashable, Sendable, ExpressibleByStringLiteral, ExpressibleByArrayLiteral {
    /// The alternative paths, in order of preference.
    let places: [[JSONPath.Step]]
    /// The path that is written, if it is not the first alternative.
    private(set) var writing: [JSONPath.Step]?
    /// Whether alternatives that are null or do not fit are passed over.
    private(set) var isFirstFitting = false

    /// One key, used literally.
    public init(_ key: String) { places = [[.key(key)]] }
    /// One key, used literally.
    public init(stringLiteral key: String) { self.init(key) }
    /// Several alternatives, in order of preference.
    public init(arrayLiteral alternatives: PropertyKey...) {
        places = alternatives.flatMap(\.places)
        writing = alternatives.first?.writing
        isFirstFitting = alternatives.contains(where: \.isFirstFitting)
    }

    /// A path from the object. Its first step must be a key.
    public static func path(_ steps: JSONPath.Step...) -> PropertyKey { PropertyKey(places: [steps]) }

    /// Keys for reading, and one for writing.
    ///
    /// ```swift
    /// override class var propertyKeys: [String: PropertyKey] { ["name": .reading(["name", "title"], writing: "title")] }
    /// ```
    ///
    /// The key for writing is read only if it is one of those for reading. It never counts as an unknown key.
    public static func reading(_ keys: PropertyKey, writing key: PropertyKey) -> PropertyKey {
        var result = keys
        result.writing = key.writtenPlace
        return result
    }

    /// The first alternative whose value is not `null` and fits; if there is none, the first that is present.
    ///
    /// ```swift
    /// override class var propertyKeys: [String: PropertyKey] { ["name": .firstFitting(["name", "title", .path("meta", "name")])] }
    /// ```
    ///
    /// Values that are passed over are in the report as `.fallback`, in strict mapping too. With several keys present, the value that is
    /// taken is read twice. A ``AbstractModel/propertyRules`` rule is checked afterwards.
    public static func firstFitting(_ alternatives: PropertyKey) -> PropertyKey {
        var result = alternatives
        result.isFirstFitting = true
        return result
    }

    /// The path that is written.
    var writtenPlace: [JSONPath.Step] { writing ?? places.first ?? [] }

    /// The path that is written, if it is not read.
    var placeOnlyWritten: [JSONPath.Step]? { writing.flatMap { places.contains($0) ? nil : $0 } }

    /// Whether it is one key, for reading and for writing.
    var isOneKey: Bool { writing == nil && places.count == 1 && places[0].onlyKey != nil }

    init(places: [[JSONPath.Step]]) { self.places = places }
}

/// How JSON keys are derived from property names, once per class.
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
/// A name is split into words before a capital that follows a lower-case letter or a digit, and before the last of several
/// capitals if a lower-case letter follows, so that an acronym is one word:
///
/// | Property | Words | `snakeCase` | `kebabCase` | `pascalCase` |
/// |---|---|---|---|---|
/// | `imageURL` | image, URL | `image_url` | `image-url` | `ImageURL` |
/// | `URLString` | URL, String | `url_string` | `url-string` | `URLString` |
/// | `isHTTPSOnly` | is, HTTPS, Only | `is_https_only` | `is-https-only` | `IsHTTPSOnly` |
/// | `userIDs` | user, IDs | `user_ids` | `user-ids` | `UserIDs` |
/// | `html5Page` | html5, Page | `html5_page` | `html5-page` | `Html5Page` |
/// | `ALLCAPS` | ALLCAPS | `allcaps` | `allcaps` | `ALLCAPS` |
/// | `one_2_three` | one, 2, three | `one_2_three` | `one-2-three` | `One2Three` |
/// | `created_at` | created, at | `created_at` | `created-at` | `CreatedAt` |
/// | `_id` | id | `_id` | `_id` | `_Id` |
///
/// Digits belong to the word before them, a lower-case `s` at the end of a word of several capitals is its plural, and
/// underscores at either end are kept. List other keys in `propertyKeys`. The property's own name is read too, unless it is
/// another property's key: `imageURL` as well as `image_url`.
public enum KeyStrategy: Sendable {
    /// The key is the property's name.
    case exact

    /// Lower case with underscores: `image_url`. A name in this form is its own key.
    case snakeCase

    /// Lower case with hyphens: `image-url`.
    case kebabCase

    /// A capital for each word, no separators: `ImageURL`. Acronyms are kept.
    case pascalCase

    /// A capital for each word but the first, no separators: `imageURL`, also for a property `image_URL`. Acronyms are kept.
    case camelCase

    /// Any spelling: `image_url`, `imageURL`, `ImageUrl` and `image-url` all match `imageURL`.
    ///
    /// Names and keys are compared ignoring the case of A to Z and without `_`, `-`, `.` and spaces. The property's name is
    /// written.
    case flexible

    /// A key derived by a closure, on any thread. Called once per property of a class, and each time a key of a `Codable` type is encoded.
    case custom(@Sendable (_ property: String) -> String)

    /// A key that a closure makes of the words of a property's name. Underscores at either end are kept. Called as ``custom(_:)``.
    ///
    /// ```swift
    /// .words { $0.map { $0.uppercased() }.joined(separator: "_") }        // "IMAGE_URL"
    /// ```
    case words(@Sendable (_ words: [String]) -> String)

    /// Equal for strategies that make the same keys; nil for ``custom(_:)`` and ``words(_:)``, where that is unknown.
    var identity: String? { form.identity }

    /// The JSON key of a property; for ``flexible`` the key that is written.
    package func jsonKey(forProperty property: String) -> String { form.key?(property) ?? property }

    /// Whether the keys of all properties are their names.
    var keepsNames: Bool { form.key == nil }

    /// The identity, and what makes a key of a property's name; nil if the name is the key.
    private var form: (identity: String?, key: ((String) -> String)?) {
        switch self {
        case .exact: ("exact", nil)
        case .flexible: ("flexible", nil)
        case .snakeCase: ("snakeCase", { PropertyNameWords($0).joined(separator: "_") })
        case .kebabCase: ("kebabCase", { PropertyNameWords($0).joined(separator: "-") })
        case .pascalCase: ("pascalCase", { PropertyNameWords($0).text { $0.map(\.capitalised).joined() } })
        case .camelCase: ("camelCase", { PropertyNameWords($0).camelCased })
        case .words(let join): (nil, { PropertyNameWords($0).text(join) })
        case .custom(let makeKey): (nil, makeKey)
        }
    }

    /// A key of several words as a property name, without acronyms: `imageUrl` for `image_url`, `image-url` and `ImageUrl`.
    static func camelCased(_ key: String) -> String {
        let words = key.split { $0 == "_" || $0 == "-" }
        guard let first = words.first else { return key }
        return first.prefix(1).lowercased() + first.dropFirst()
            + words.dropFirst().map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }

    /// The UTF-8 of a name or key for comparisons by ``flexible``: A to Z in lower case, without `_`, `-`, `.` and spaces.
    ///
    /// ```swift
    /// KeyStrategy.folded("Image-URL".utf8)  // the bytes of "imageurl"
    /// ```
    ///
    /// Bytes of non-ASCII characters are never ASCII bytes, so such characters are unchanged.
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
