import ModelMirror
import Testing

private class Event: AbstractModel {
    var id = 0
    var createdAt = ""
    var state = ""
    var stats = 0
    var city = ""
    override class var propertyKeys: [String: PropertyKey] {
        ["createdAt": "created_at", "city": .path("address", "city")]
    }
    override class var requiredProperties: Set<String> { ["id", "createdAt", "state"] }
}

private class Loose: AbstractModel {
    var imageURL = ""
    override class var keyStrategy: KeyStrategy { .flexible }
    override class var requiredProperties: Set<String> { ["imageURL"] }
}

@Suite("Misspelled keys")
struct MisspelledKeysTests {
    /// What was found for each failure of a document.
    private func found(_ json: String, options: MappingOptions = .init()) -> [String]? {
        #expect(throws: ModelError.self) { try Event(json: json, options: options) }?.valueFailures.map(\.found)
    }

    @Test(
        "The message about a missing key names a similar unknown key",
        arguments: [
            (#"{"id": 1, "state": "", "creatd_at": ""}"#, #"; the object has "creatd_at""#),
            (#"{"id": 1, "state": "", "createdAt": ""}"#, #"; the object has "createdAt""#),
            (#"{"id": 1, "state": "", "cr\u0065ated-at": ""}"#, #"; the object has "created-at""#),
            (#"{"id": 1, "state": "", "creatd": "", "create_at": {"a": [1]}}"#, #"; the object has "create_at""#),
            (#"{"id": 1, "created_at": "", "State": ""}"#, #"; the object has "State""#),
            (#"{"id": 1, "created_at": "", "stat": ""}"#, #"; the object has "stat""#),
            (#"{"id": 1, "created_at": "", "satte": ""}"#, #"; the object has "satte""#),
            // Known keys, those of other objects, and those that differ too much.
            (#"{"id": 1, "created_at": "", "stats": 1}"#, ""),
            (#"{"id": 1, "created_at": "", "stats": 1, "x": {"State": ""}}"#, ""),
            (#"{"id": 1, "created_at": "", "st": ""}"#, ""),
            (#"{"state": "", "created_at": "", "ix": 1}"#, ""),
            (#"{"state": "", "created_at": "", "x": 1}"#, ""),
        ])
    func likely(json: String, rest: String) {
        #expect(found(json) == ["no such key" + rest])
    }

    @Test("Each failure of an object has its own key, in arrays too")
    func several() {
        let json = #"[{"ID": 1, "stat": "", "create_at": ""}, {"Id": 1, "state": "", "created_at": ""}]"#
        let sentences = """
            Event.id at $[0].id (line 1, column 2): expected an integer, found no such key; the object has "ID".
            Event.createdAt at $[0].created_at (line 1, column 2): expected a string, found no such key; the object has "create_at".
            Event.state at $[0].state (line 1, column 2): expected a string, found no such key; the object has "stat".
            Event.id at $[1].id (line 1, column 42): expected an integer, found no such key; the object has "Id".
            """
        #expect(Thrown.text { try [Event](json: json) } == sentences)
    }

    @Test("Only the first 64 keys of an object are compared, and of those only short ones")
    func limits() {
        func json(_ count: Int) -> String {
            #"{"id": 1, "created_at": "", "# + (0..<count).map { #""k\#($0)": 0, "# }.joined() + #""State": ""}"#
        }
        #expect(found(json(61)) == [#"no such key; the object has "State""#])
        #expect(found(json(62)) == ["no such key"])
        let long = String(repeating: "_", count: 40)
        #expect(found(#"{"id": 1, "created_at": "", "State\#(long)": ""}"#) == ["no such key"])
    }

    @Test("Keys within paths are not compared; keys of the flexible strategy are")
    func others() {
        let options = MappingOptions(requiresNonOptional: true)
        let json = #"{"id": 1, "created_at": "", "state": "", "stats": 1, "adress": {"city": ""}}"#
        #expect(found(json, options: options) == ["no such key"])
        #expect(
            Thrown.error { try Loose(json: #"{"image_uri": ""}"#) }?.valueFailures.map(\.found) == [
                #"no such key; the object has "image_uri""#
            ])
    }

    @Test(
        "The message about a missing key on the path of a call names a similar key, or the path of a key with dots",
        arguments: [
            (#"{"Data": {"items": []}}"#, ["data", "items"], #"no such key or index; the object has "Data""#),
            (
                #"{"data": {"itms": [], "other": 1}}"#, ["data", "items"],
                #"no such key or index; the object has "itms""#
            ),
            (#"{"berht": 1}"#, "berth", #"no such key or index; the object has "berht""#),
            // Only one that differs too much.
            (#"{"data": {"other": 1}}"#, ["data", "items"], "no such key or index"),
            (#"{"data": {}}"#, "data.x", #"no such key (a text is one key; the path is ["data", "x"])"#),
        ] as [(String, JSONPath, String)])
    func path(json: String, path: JSONPath, found: String) {
        #expect(Thrown.error { try [Event](json: json, at: path) }?.valueFailures.map(\.found) == [found])
    }
}
