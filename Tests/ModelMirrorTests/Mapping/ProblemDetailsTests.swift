import Foundation
import ModelMirror
import Testing

private class Person: AbstractModel {
    var age = 0
    var password = ""
    var child: Person?
    var ratio = 0.0
    override class var propertyRules: [String: any PropertyRule] { ["age": .inRange(0...150)] }
    override class var redactedProperties: Set<String> { ["password"] }
    override class var propertyKeys: [String: PropertyKey] { ["child": "a b/c"] }
}

private class Unmappable: AbstractModel {
    var age = 0
    override class var requiredProperties: Set<String> { ["agee"] }
}

@Suite("Problem documents")
struct ProblemDetailsTests {
    private func problem(_ map: () throws -> Void) -> ProblemDetails? {
        do { try map() } catch { return (error as? ModelError).map { ProblemDetails($0) } }
        return nil
    }

    @Test("A program can add failures of its own")
    func own() throws {
        var problem = ProblemDetails()
        problem.status = 422
        problem.errors = [
            .init(pointer: "#/title", code: "taken", parameters: ["by": "Ada"], detail: "the title is taken"), .init(),
        ]
        let data = problem.jsonData()
        let failure = ##"{"code":"taken","detail":"the title is taken","parameters":{"by":"Ada"},"pointer":"#/title"}"##
        #expect(String(decoding: data, as: UTF8.self) == #"{"errors":[\#(failure),{}],"status":422}"#)
        #expect(try ProblemDetails(json: data) == problem)
    }

    @Test("Invalid values are a 422 with a pointer, a code and a sentence for each")
    func values() throws {
        let problem = try #require(
            problem { _ = try Person(json: #"{"age": 151, "password": 7, "a b/c": {"age": -1}}"#, options: .strict) })
        #expect(
            String(decoding: problem.jsonData(), as: UTF8.self)
                == ##"{"detail":"3 values do not fit.","errors":[{"code":"maximum","detail":"expected an integer from 0 to 150, found the number 151","parameters":{"expected":["integer"],"maximum":150,"minimum":0},"pointer":"#/age"},{"code":"type","detail":"expected a string, found a number, redacted","parameters":{"expected":["string"],"found":"integer"},"pointer":"#/password"},{"code":"minimum","detail":"expected an integer from 0 to 150, found the number -1","parameters":{"expected":["integer"],"maximum":150,"minimum":0},"pointer":"#/a%20b~1c/age"}],"status":422,"title":"Unprocessable Content"}"##
        )
        #expect(ProblemDetails.mediaType == "application/problem+json")
    }

    @Test("A written problem is read back equal, with further members")
    func roundTrip() throws {
        var problem = try #require(problem { _ = try Person(json: #"{"age": 151}"#) })
        problem.type = "https://example.org/problems/age"
        problem.instance = "/orders/7"
        problem.extensions = ["balance": 30]
        #expect(try ProblemDetails(json: problem.jsonData()) == problem)
        #expect(problem.detail == "1 value does not fit.")
    }

    @Test(
        "Invalid JSON is a 400, and a document beyond a limit a 413",
        arguments: [
            (#"{"age" 1}"#, 400, "Bad Request"), (#"{"a b/c": {"a b/c": {"a b/c": {}}}}"#, 413, "Content Too Large"),
            (#"{"age": 1, "unknown": "12345678901234567890"}"#, 413, "Content Too Large"),
        ])
    func statuses(_ json: String, _ status: Int, _ title: String) throws {
        let problem = try #require(problem { _ = try Person(json: json, options: MappingOptions(depth: 3, bytes: 40)) })
        #expect(problem.status == status && problem.title == title)
        #expect(problem.detail?.hasPrefix("Invalid JSON at line 1") == true)
    }

    @Test("A class that cannot be mapped and a value that cannot be written are a 500 without details")
    func server() throws {
        let person = Person()
        person.ratio = .nan
        for problem in [
            problem { _ = try person.jsonData() }, problem { _ = try Unmappable(json: "{}") },
        ] {
            #expect((problem?.status, problem?.detail, problem?.errors) == (500, nil, []))
        }
    }

    @Test("Members of the wrong type are ignored")
    func wrong() throws {
        let problem = try ProblemDetails(
            json:
                #"{"title": 7, "status": "422", "detail": "x", "errors": [1, {"pointer": 2, "code": "a"}], "more": true}"#
        )
        #expect(problem.title == nil && problem.status == nil && problem.detail == "x")
        #expect(problem.errors.map(\.code) == ["a"] && problem.errors[0].pointer == nil)
        #expect(problem.extensions == ["more": true])
        #expect(try ProblemDetails(json: "[]") == ProblemDetails())
    }
}
