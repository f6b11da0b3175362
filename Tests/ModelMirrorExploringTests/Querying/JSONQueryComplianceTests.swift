import Foundation
import ModelMirror
import ModelMirrorExploring
import Testing

/// The public compliance suite of RFC 9535, whole; its README says where it is from.
struct JSONQueryComplianceTests {
    private struct Case {
        let name: String
        let selector: String
        let isInvalid: Bool
        let document: JSONValue?
        /// The allowed results, and the allowed paths in the same order.
        let results: [JSONValue]
        let paths: [JSONValue]

        init(_ value: JSONValue) {
            name = value["name"]?.string ?? ""
            selector = value["selector"]?.string ?? ""
            isInvalid = value["invalid_selector"]?.bool ?? false
            document = value["document"]
            results = value["results"]?.array ?? value["result"].map { [$0] } ?? []
            paths = value["results_paths"]?.array ?? value["result_paths"].map { [$0] } ?? []
        }
    }

    private func cases() throws -> [Case] {
        let folder = try #require(Bundle.module.resourceURL)
        let suite = try JSONValue(json: try Data(contentsOf: folder.appending(components: "Compliance", "cts.json")))
        return (suite["tests"]?.array ?? []).map(Case.init)
    }

    @Test func theSuiteIsWhole() throws {
        let cases = try cases()
        #expect(cases.count == 703)
        #expect(cases.count { $0.isInvalid } == 247)
        #expect(cases.count { $0.document != nil && !$0.results.isEmpty && $0.results.count == $0.paths.count } == 456)
        #expect(cases.allSatisfy { !$0.name.isEmpty })
    }

    @Test func everyQueryFindsWhatTheSuiteExpects() throws {
        for test in try cases() {
            guard let document = test.document, !test.isInvalid else { continue }
            do {
                let query = try JSONQuery(test.selector)
                let values = JSONValue.array(try query.values(in: document))
                let paths = JSONValue.array(try query.paths(in: document).map { .string($0.normalized) })
                let isExpected = zip(test.results, test.paths).contains { $0 == values && $1 == paths }
                #expect(isExpected, "\(test.name): \(test.selector) found \(values) at \(paths)")
            } catch {
                Issue.record("\(test.name): \(test.selector): \(error)")
            }
        }
    }

    @Test func everyTextThatIsNoQueryIsRefused() throws {
        for test in try cases() where test.isInvalid {
            do throws(JSONQueryError) {
                _ = try JSONQuery(test.selector)
                Issue.record("\(test.name): \(test.selector) is accepted")
            } catch {
                guard case .invalidQuery(let position, _, _, _) = error else {
                    Issue.record("\(test.name): \(error)")
                    continue
                }
                #expect((1...test.selector.unicodeScalars.count + 1).contains(position), "\(test.name): \(error)")
            }
        }
    }
}
