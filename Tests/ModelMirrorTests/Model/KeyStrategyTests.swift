import Testing

@testable import ModelMirror

@Suite struct KeyStrategyTests {
    @Test(
        arguments: [
            ("id", "id", "id", "Id"), ("url", "url", "url", "Url"),
            ("createdAt", "created_at", "created-at", "CreatedAt"),
            ("imageURL", "image_url", "image-url", "ImageURL"), ("URLString", "url_string", "url-string", "URLString"),
            ("userID", "user_id", "user-id", "UserID"),
            ("isHTTPSOnly", "is_https_only", "is-https-only", "IsHTTPSOnly"),
            ("html5Page", "html5_page", "html5-page", "Html5Page"), ("userIDs", "user_ids", "user-ids", "UserIDs"),
            ("imageURLsByName", "image_urls_by_name", "image-urls-by-name", "ImageURLsByName"),
            ("URL", "url", "url", "URL"),
            ("aB", "a_b", "a-b", "AB"), ("aBC", "a_bc", "a-bc", "ABC"), ("ABc", "a_bc", "a-bc", "ABc"),
            ("isSet", "is_set", "is-set", "IsSet"),
            ("HTTPSession", "http_session", "http-session", "HTTPSession"),
            ("HTTPSServer", "https_server", "https-server", "HTTPSServer"),
            ("address2Line", "address2_line", "address2-line", "Address2Line"),
            ("mp3URL", "mp3_url", "mp3-url", "Mp3URL"),
            ("HTTP2Server", "http2_server", "http2-server", "HTTP2Server"), ("utf8", "utf8", "utf8", "Utf8"),
            ("line1", "line1", "line1", "Line1"),
            ("sha256sum", "sha256sum", "sha256sum", "Sha256sum"), ("x86_64", "x86_64", "x86-64", "X8664"),
            ("created_at", "created_at", "created-at", "CreatedAt"),
            ("image_URL", "image_url", "image-url", "ImageURL"),
            ("user_loginName", "user_login_name", "user-login-name", "UserLoginName"), ("a__b", "a__b", "a--b", "AB"),
            ("_id", "_id", "_id", "_Id"), ("__typeName", "__type_name", "__type-name", "__TypeName"),
            ("class_", "class_", "class_", "Class_"),
            ("_imageURL_", "_image_url_", "_image-url_", "_ImageURL_"), ("_", "_", "_", "_"),
            ("___", "___", "___", "___"),
            ("", "", "", ""), ("größeMaxÄußerst", "größe_max_äußerst", "größe-max-äußerst", "GrößeMaxÄußerst"),
            ("URLTür", "url_tür", "url-tür", "URLTür"), ("名前URL", "名前_url", "名前-url", "名前URL"), ("i", "i", "i", "I"),
            ("X", "x", "x", "X"),
        ] as [(String, String, String, String)])
    func `Key strategies derive keys from property names`(
        property: String, snake: String, kebab: String, pascal: String
    ) {
        #expect(KeyStrategy.exact.jsonKey(forProperty: property) == property)
        #expect(KeyStrategy.flexible.jsonKey(forProperty: property) == property)
        #expect(KeyStrategy.snakeCase.jsonKey(forProperty: property) == snake)
        #expect(KeyStrategy.kebabCase.jsonKey(forProperty: property) == kebab)
        #expect(KeyStrategy.pascalCase.jsonKey(forProperty: property) == pascal)
        #expect(KeyStrategy.snakeCase.jsonKey(forProperty: snake) == snake)
    }

    @Test(arguments: [
        ("id", "id"), ("imageURL", "imageURL"), ("image_url", "imageUrl"), ("URLString", "urlString"),
        ("ImageURL", "imageURL"), ("_created_at_", "_createdAt_"), ("userIDs", "userIDs"), ("", ""), ("_", "_"),
    ])
    func `The camel-case strategy joins words with capitals`(property: String, key: String) {
        #expect(KeyStrategy.camelCase.jsonKey(forProperty: property) == key)
    }

    @Test func `Closures derive keys from names, or from their words`() {
        #expect(KeyStrategy.custom { "x-" + $0.uppercased() }.jsonKey(forProperty: "id") == "x-ID")
        let screaming = KeyStrategy.words { $0.map { $0.uppercased() }.joined(separator: "_") }
        #expect(screaming.jsonKey(forProperty: "_isHTTPSOnly") == "_IS_HTTPS_ONLY")
        #expect(
            KeyStrategy.words { $0.joined(separator: "|") }.jsonKey(forProperty: "userIDs_by_name")
                == "user|IDs|by|name")
    }

    @Test func `Strategies of camel case and words make the keys of classes and Codable properties`() throws {
        let options = MappingOptions(keyStrategy: .words { $0.map { $0.lowercased() }.joined(separator: ".") })
        let json = #"{"is.on":true,"inner.part":{"is.on":true}}"#
        let switched = try Switch(json: json, options: options)
        #expect(switched.isOn && switched.innerPart?.isOn == true)
        #expect(try switched.jsonString(mapping: options) == json)
        let camel = try Switch(json: #"{"isOn": true}"#, options: MappingOptions(keyStrategy: .camelCase))
        #expect(camel.isOn)
    }

    private class Switch: AbstractModel {
        struct Part: Codable { var isOn = false }
        var isOn = false
        var innerPart: Part?
    }

    @Test(arguments: [
        ("image_url", "imageurl"), ("imageURL", "imageurl"), ("ImageUrl", "imageurl"), ("image-url", "imageurl"),
        ("IMAGE URL", "imageurl"), ("image.url", "imageurl"), ("__image_url_", "imageurl"), ("", ""), ("_-. ", ""),
        ("größeÄ", "größeÄ"), ("a@[`{z/:0", "a@[`{z/:0"), ("AZ", "az"), ("image+url", "image+url"),
    ])
    func `Keys that differ only in case and separators fold alike`(key: String, folded: String) {
        #expect(KeyStrategy.folded(key.utf8) == Array(folded.utf8))
        #expect(KeyStrategy.folded(slice(key)) == Array(folded.utf8))
    }
}
