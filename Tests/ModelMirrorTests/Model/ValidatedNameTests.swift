import ModelMirror
import Testing

private class Person: AbstractModel {
    var fullName = ""
    var secret = 1
    let fixed = 2
    var computed: Int { 3 }

    override class var ignoredProperties: Set<String> { ["secret"] }

    override func validateModel(_ validation: inout ModelValidation) {
        let name = MappingContext.current as? String ?? "fullName"
        if name.hasPrefix("fail ") {
            validation.fail(String(name.dropFirst(5)), expected: "something else")
        } else {
            validation.require(name, 1, .inRange(0...1))
        }
    }
}

private class Listed: AbstractModel {
    var first = ""
    var whole: String {
        get { first }
        set { first = newValue }
    }

    override class var keyPathTable: KeyPathTable? { ["whole_name": KeyPathMapping(\Listed.whole, name: "whole")] }

    override func validateModel(_ validation: inout ModelValidation) {
        validation.require(MappingContext.current as? String ?? "whole", whole, .notEmpty)
    }
}

@Suite("Names in validateModel")
struct ValidatedNameTests {
    @Test("validateModel can name any stored property, mapped or not", arguments: ["fullName", "secret", "fixed"])
    func stored(name: String) throws {
        #expect(throws: Never.self) { try Person(json: "{}", options: MappingOptions(context: name)) }
    }

    @Test(
        "Any other name in validateModel makes the class invalid, whatever the value",
        arguments: ["fulName", "fail fulName"])
    func unknown(name: String) {
        let options = MappingOptions(context: name)
        let message =
            #"Person cannot be mapped: validateModel names "fulName""#
            + #", which is not a stored property of Person (did you mean "fullName"?)."#
        #expect(Thrown.text { try Person(json: "{}", options: options) } == message)
        #expect(Thrown.text { try [Person](json: "[{}]", options: options) } == message)
        let person = Person()
        person.fullName = "before"
        #expect(
            Thrown.text {
                try person.update(json: #"{"fullName": "after"}"#, options: options)
            } == message)
        #expect(person.fullName == "before")
    }

    @Test("validateModel cannot name a computed property")
    func computed() {
        let options = MappingOptions(context: "computed")
        #expect(
            Thrown.text { try Person(json: "{}", options: options) }
                == #"Person cannot be mapped: validateModel names "computed", which is not a stored property of Person."#
        )
    }

    @Test("validateModel can also name the entries of keyPathTable")
    func listed() throws {
        #expect(throws: Never.self) { try Listed(json: #"{"whole_name": "x"}"#) }
        #expect(throws: Never.self) {
            try Listed(json: #"{"whole_name": "x"}"#, options: MappingOptions(context: "first"))
        }
        #expect(
            Thrown.text { try Listed(json: #"{"whole_name": ""}"#) }
                == #"Listed.whole at $.whole_name (line 1, column 16)"#
                + #": expected a string that is not empty, found the string ""."#
        )
        #expect(
            Thrown.text {
                try Listed(json: "{}", options: MappingOptions(context: "whole_name"))
            }
                == #"Listed cannot be mapped: validateModel names "whole_name", which is not a stored property of Listed."#
        )
    }
}
