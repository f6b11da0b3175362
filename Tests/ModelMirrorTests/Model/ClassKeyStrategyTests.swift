import ModelMirror
import Synchronization
import Testing

private class Exact: AbstractModel {
    var imageURL = 0
    var urlString = 0
    var isHTTPSOnly = 0
    var userIDs = 0
    var html5Page = 0
    var x = 0

    var values: [Int] { [imageURL, urlString, isHTTPSOnly, userIDs, html5Page, x] }
}

private class Snake: Exact {
    override class var keyStrategy: KeyStrategy { .snakeCase }
}

private class Kebab: Exact {
    override class var keyStrategy: KeyStrategy { .kebabCase }
}

private class Pascal: Exact {
    override class var keyStrategy: KeyStrategy { .pascalCase }
}

private class Flexible: Exact {
    override class var keyStrategy: KeyStrategy { .flexible }
}

private class Custom: Exact {
    override class var keyStrategy: KeyStrategy { .custom { "<\($0.uppercased())>" } }
    override class var propertyKeys: [String: PropertyKey] { ["x": "x"] }
}

/// A flexible class with an explicit key that another property's name folds to.
private class FlexibleWithKey: AbstractModel {
    var fooBar = 0
    var other = 0

    override class var keyStrategy: KeyStrategy { .flexible }
    override class var propertyKeys: [String: PropertyKey] { ["other": "Foo_Bar"] }
}

/// A flexible class with two properties for one key: one by the strategy, one explicitly.
private class FlexibleSharing: AbstractModel {
    var fooBar = 0
    var other = 0

    override class var keyStrategy: KeyStrategy { .flexible }
    override class var propertyKeys: [String: PropertyKey] { ["other": "fooBar"] }
}

private class Accents: AbstractModel {
    var größeÄ = 0

    override class var keyStrategy: KeyStrategy { .flexible }
}

private let askedNames = Mutex<[String]>([])

private class Counting: AbstractModel {
    var first = 0
    var second = 0
    var third = 0
    var fourth = 0

    override class var keyStrategy: KeyStrategy {
        .custom { name in
            askedNames.withLock { $0.append(name) }
            return "key of \(name)"
        }
    }
    override class var propertyKeys: [String: PropertyKey] { ["second": "2"] }
    override class var ignoredProperties: Set<String> { ["fourth"] }
}

private class Colliding: AbstractModel {
    var imageURL = 0
    var imageUrl = 0

    override class var keyStrategy: KeyStrategy { .snakeCase }
}

private class CollidingFlexible: AbstractModel {
    var fooBar = 0
    var other = 0
    var foobar = 0

    override class var keyStrategy: KeyStrategy { .flexible }
}

private class CollidingCustom: AbstractModel {
    var a = 0
    var b = 0

    override class var keyStrategy: KeyStrategy { .custom { _ in "all" } }
}

private class CollidingBelow: Colliding {
    override class var propertyKeys: [String: PropertyKey] { ["imageUrl": "image_url"] }
}

private class CollidingIgnored: Colliding {
    override class var ignoredProperties: Set<String> { ["imageURL"] }
}

private class CollidingFlexibleIgnored: CollidingFlexible {
    override class var ignoredProperties: Set<String> { ["fooBar"] }
}

private class InheritedCollision: Snake {
    var imageUrl = 0
}

private class Unusual: AbstractModel {
    var htmlURL = ""
    // swift-format-ignore: AlwaysUseLowerCamelCase
    var ALLCAPS = 0
    // swift-format-ignore: AlwaysUseLowerCamelCase
    var one_2_three = 0
    var userName: String?
    override class var keyStrategy: KeyStrategy { .snakeCase }
    override class var requiredProperties: Set<String> { ["htmlURL"] }
}
private class Claimed: AbstractModel {
    var htmlURL = ""
    var other = ""
    override class var keyStrategy: KeyStrategy { .snakeCase }
    override class var propertyKeys: [String: PropertyKey] { ["other": "htmlURL"] }
}

@Suite("The keyStrategy of a class")
struct ClassKeyStrategyTests {
    @Test("keyStrategy derives the keys of all properties, inherited ones included")
    func keys() throws {
        /// The key of each property, in declared order, as reported for an empty object.
        func keys<Model: Exact>(_ model: Model.Type) throws -> [String] {
            try model.mapReporting(json: "{}").report.entries.map { "\($0.path)".replacing("$.", with: "") }
        }
        let names = ["imageURL", "urlString", "isHTTPSOnly", "userIDs", "html5Page", "x"]
        #expect(try keys(Exact.self) == names)
        #expect(try keys(Snake.self) == ["image_url", "url_string", "is_https_only", "user_ids", "html5_page", "x"])
        #expect(
            try keys(Kebab.self) == [
                #"$["image-url"]"#, #"$["url-string"]"#, #"$["is-https-only"]"#, #"$["user-ids"]"#, #"$["html5-page"]"#,
                "x",
            ])
        #expect(try keys(Pascal.self) == ["ImageURL", "UrlString", "IsHTTPSOnly", "UserIDs", "Html5Page", "X"])
        #expect(try keys(Flexible.self) == names)
    }

    @Test("Values are read under the keys that the strategy derives")
    func reads() throws {
        let snake = try Snake(
            json: #"{"image_url": 1, "url_string": 2, "is_https_only": 3, "user_ids": 4, "html5_page": 5, "x": 6}"#)
        #expect(snake.values == [1, 2, 3, 4, 5, 6])
        let kebab = try Kebab(
            json: #"{"image-url": 1, "url-string": 2, "is-https-only": 3, "user-ids": 4, "html5-page": 5, "x": 6}"#)
        #expect(kebab.values == [1, 2, 3, 4, 5, 6])
        let pascal = try Pascal(
            json: #"{"ImageURL": 1, "UrlString": 2, "IsHTTPSOnly": 3, "UserIDs": 4, "Html5Page": 5, "X": 6}"#)
        #expect(pascal.values == [1, 2, 3, 4, 5, 6])
        let custom = try Custom(
            json: """
                {"<IMAGEURL>": 1, "<URLSTRING>": 2, "<ISHTTPSONLY>": 3, "<USERIDS>": 4, "<HTML5PAGE>": 5, "x": 6,
                 "<X>": 7}
                """)
        #expect(custom.values == [1, 2, 3, 4, 5, 6])
    }

    @Test(
        "Only the flexible strategy accepts other spellings of a key",
        arguments: ["imageUrl", "ImageURL", "image_URL", "IMAGE_URL", "image-url"])
    func otherSpellings(key: String) throws {
        let document = #"{"\#(key)": 1}"#
        #expect(try Exact(json: document).imageURL == 0)
        #expect(try Snake(json: document).imageURL == 0)
        #expect(try Flexible(json: document).imageURL == 1)
    }

    @Test(
        "The flexible strategy ignores case and separators in keys",
        arguments: [
            ("imageURL", 0), ("image_url", 0), ("Image-Url", 0), ("IMAGEURL", 0), ("image.url", 0), ("image url", 0),
            ("_image__url_", 0), (#"image\u005furl"#, 0), ("URL_STRING", 1), ("is_https_only", 2), ("isHttpsOnly", 2),
            ("user_ids", 3), ("UserIds", 3), ("html_5_page", 4), ("X", 5),
        ])
    func folding(key: String, index: Int) throws {
        let values = try Flexible(json: #"{"\#(key)": 9}"#).values
        #expect(values == (0..<6).map { $0 == index ? 9 : 0 })
    }

    @Test("Every strategy also accepts the property's own name, and writes the derived key")
    func ownNames() throws {
        func values<Model: Exact>(_ model: Model.Type) throws -> [Int] {
            let (object, report) = try Model.mapReporting(
                json: #"{"imageURL": 1, "urlString": 2, "isHTTPSOnly": 3, "userIDs": 4, "html5Page": 5, "x": 6}"#)
            #expect(report.lines == [])
            return object.values
        }
        #expect(try values(Kebab.self) == [1, 2, 3, 4, 5, 6])
        #expect(try values(Pascal.self) == [1, 2, 3, 4, 5, 6])
        #expect(try values(Custom.self) == [1, 2, 3, 4, 5, 6])
        #expect(
            try Kebab().jsonValue().object?.keys.sorted() == [
                "html5-page", "image-url", "is-https-only", "url-string", "user-ids", "x",
            ])
        // The strategy's key and the property's name count as one key, which is a duplicate here.
        #expect(
            Thrown.error {
                try Kebab(json: #"{"image-url": 1, "imageURL": 2}"#, options: .strict)
            }?.valueFailures.map { "\($0.path)" } == ["$.imageURL"])
    }

    @Test("A key strategy also accepts the property's own name unless another property uses it")
    func ownNamesOfUnusualWords() throws {
        let (model, report) = try Unusual.mapReporting(
            json: #"{"htmlURL": "a", "allcaps": 1, "one_2_three": 2, "user_name": "b"}"#)
        #expect(model.htmlURL == "a" && model.ALLCAPS == 1 && model.one_2_three == 2 && model.userName == "b")
        #expect(report.description == "nothing to report")
        #expect(try Unusual(json: #"{"html_url": "a", "ALLCAPS": 3}"#).ALLCAPS == 3)
        #expect(
            try Unusual(json: #"{"html_url": "a"}"#).jsonString() == #"{"html_url":"a","allcaps":0,"one_2_three":0}"#)
        #expect(
            Thrown.text {
                try Unusual(json: #"{"htmlURL": "a", "html_url": "b"}"#, options: .strict)
            }
                == "Unusual.htmlURL at $.html_url (line 1, column 30): expected each key once, "
                + #"found the key "html_url" with a second value for htmlURL."#
        )
        let claimed = try Claimed(json: #"{"htmlURL": "a"}"#)
        #expect(claimed.htmlURL == "" && claimed.other == "a")
        #expect(
            Thrown.text { try Unusual(json: #"{"htmlURL": null}"#) }
                == "Unusual.htmlURL at $.htmlURL (line 1, column 13): expected a string, found null.")
    }

    @Test("The flexible strategy ignores the case of ASCII letters only")
    func foldingNonASCII() throws {
        #expect(try Accents(json: #"{"GRößeÄ": 1}"#).größeÄ == 1)
        #expect(try Accents(json: #"{"grÖßeä": 1}"#).größeÄ == 0)
    }

    @Test("Explicit keys stay exact with the flexible strategy and take precedence")
    func explicitWithFlexible() throws {
        let exact = try FlexibleWithKey(json: #"{"Foo_Bar": 1, "fooBar": 2}"#)
        #expect((exact.other, exact.fooBar) == (1, 2))
        let folded = try FlexibleWithKey(json: #"{"foo_bar": 1}"#)
        #expect((folded.other, folded.fooBar) == (0, 1))
    }

    @Test(
        "An explicit key stays exact even if a flexible property shares it",
        arguments: [
            (#"{"fooBar": 1}"#, [1, 1]), (#"{"foo_bar": 1}"#, [1, 0]), (#"{"fooBar": 1, "fooBar": 2}"#, [2, 2]),
            (#"{"FOOBAR": 1, "fooBar": 2}"#, [2, 2]), (#"{"fooBar": 1, "FooBar": 2}"#, [2, 1]),
        ])
    func sharedWithFlexible(document: String, values: [Int]) throws {
        let object = try FlexibleSharing(json: document)
        #expect([object.fooBar, object.other] == values)
    }

    @Test("A custom strategy is called once per property without an explicit key")
    func askedOnce() throws {
        for _ in 0..<3 {
            let object = try Counting(json: #"{"key of first": 1, "2": 2, "key of third": 3, "key of second": 4}"#)
            #expect([object.first, object.second, object.third] == [1, 2, 3])
        }
        let names = askedNames.withLock { $0.sorted() }
        #expect(names.filter { $0 != "fourth" } == ["first", "third"])
    }

    @Test(
        "Two properties with the same derived key make the class invalid",
        arguments: [
            (Colliding.self, "imageURL", "imageUrl", "image_url"),
            (CollidingFlexible.self, "fooBar", "foobar", "foobar"),
            (CollidingCustom.self, "a", "b", "all"), (InheritedCollision.self, "imageURL", "imageUrl", "image_url"),
        ] as [(AbstractModel.Type, String, String, String)])
    func collisions(_ model: AbstractModel.Type, _ first: String, _ second: String, _ key: String) {
        let error = #expect(throws: ModelError.self) { try model.init(json: "{}") }
        #expect(
            error?.description
                == "\(model) cannot be mapped: \(first) and \(second) both have the key \"\(key)\"; give one of them another in "
                + "propertyKeys, or ignore one.")
        #expect(error?.modelFault?.property == second)
    }

    @Test("An explicit key or an ignored property resolves a key collision")
    func cured() throws {
        let both = try CollidingBelow(json: #"{"image_url": 5}"#)
        #expect([both.imageURL, both.imageUrl] == [5, 5])
        let one = try CollidingIgnored(json: #"{"image_url": 5}"#)
        #expect([one.imageURL, one.imageUrl] == [0, 5])
        let folded = try CollidingFlexibleIgnored(json: #"{"foo_bar": 5}"#)
        #expect([folded.fooBar, folded.foobar] == [0, 5])
    }
}
