import ModelMirror
import Testing

private class Gist: AbstractModel {
    var id = 0
    var title: String?

    override class var requiredProperties: Set<String> { ["id"] }
}

private class Misnamed: AbstractModel {
    var createdAt = 0

    override class var propertyKeys: [String: PropertyKey] { ["createdat": "created_at"] }
}

@Suite("ModelError")
struct ModelErrorTests {
    @Test("Failures print as one sentence per line")
    func values() {
        let error = #expect(throws: ModelError.self) { try [Gist](json: "[{\"id\": \"x\"},\n {},\n 5]") }
        #expect(
            error?.description == """
                Gist.id at $[0].id (line 1, column 9): expected an integer, found the string "x".
                Gist.id at $[1].id (line 2, column 2): expected an integer, found no such key.
                Gist at $[2] (line 3, column 2): expected an object for Gist, found the number 5.
                """)
        #expect(error.map { "\($0)" } == error?.description)
    }

    @Test("An invalid class prints as one sentence with the reason")
    func model() throws {
        let error = #expect(throws: ModelError.self) { try Misnamed(json: "{}") }
        let sentence =
            "Misnamed cannot be mapped: propertyKeys names \"createdat\", which is not a stored property of Misnamed "
            + "(did you mean \"createdAt\"?)."
        #expect(error?.description == sentence)
        let fault = try #require(error?.modelFault)
        #expect((fault.model, fault.property) == ("Misnamed", "createdat"))
        #expect(
            fault.reason
                == "propertyKeys names \"createdat\", which is not a stored property of Misnamed (did you mean "
                + "\"createdAt\"?)"
        )
        #expect("\(fault)" == sentence)
        let again = #expect(throws: ModelError.self) { try Misnamed(dictionary: [:]) }
        #expect(again?.modelFault == fault)
    }

    @Test("Typed throws allows catching the cases of ModelError without naming the type")
    func typedThrows() {
        func outcome(_ json: String) -> String {
            do {
                let gist = try Gist(json: json)
                return "\(gist.id)"
            } catch .invalidValues(let failures) {
                return failures.map { "\($0.path)" }.joined()
            } catch .invalidJSON(let error) {
                return "byte \(error.offset)"
            } catch {
                return error.description
            }
        }
        #expect(outcome(#"{"id": 5}"#) == "5")
        #expect(outcome("{}") == "$.id")
        #expect(outcome("{") == "byte 1")
        do throws(ModelError) {
            _ = try Misnamed(json: "{}")
            Issue.record("The class was mapped.")
        } catch {
            #expect(error.modelFault?.model == "Misnamed")
        }
    }
}
