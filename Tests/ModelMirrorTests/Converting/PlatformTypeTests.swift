import Foundation
import Testing

@testable import ModelMirror

/// Stands for a whole number of dozens.
private final class Dozens {
    let count: Int
    init(_ count: Int) { self.count = count }
}

@Suite("Bridged plans")
struct PlatformTypeTests {
    private let plan = Int.plan.bridged(to: { Dozens($0) }, from: { $0.count >= 0 ? $0.count : nil })

    @Test("A bridged plan reads the underlying type and reports its failures")
    func reading() throws {
        #expect(try MappingSession.run("7", MappingCall(options: .init()), plan.value).result.count == 7)
        let error = try #require(throws: ModelError.self) {
            try MappingSession.run(#""x""#, MappingCall(options: .init()), plan.value)
        }
        #expect(error.description == #"JSON at $ (line 1, column 1): expected an integer, found the string "x"."#)
    }

    @Test("A bridged plan writes the underlying value and fails if there is none")
    func writing() throws {
        func text(_ value: Dozens) throws(ModelError) -> String {
            try WritingSession.run([], for: nil) { plan.write(value, &$0, $1) }
                .withBytes { String(decoding: $0, as: UTF8.self) }
        }
        #expect(try text(Dozens(7)) == "7")
        let error = try #require(throws: ModelError.self) { try text(Dozens(-1)) }
        #expect(error.description == "JSON at $: expected an integer, found a value of type Dozens.")
    }

    @Test("Bridged values are equal if their underlying values are")
    func equality() {
        #expect(plan.isEqual?(Dozens(1), Dozens(1)) == true)
        #expect(plan.isEqual?(Dozens(1), Dozens(2)) == false)
        #expect(plan.isEqual?(Dozens(-1), Dozens(-1)) == false)
        // The plan of dates compares by `Equatable`, as those without a comparison of their own do.
        let dates = DateConverter([.iso8601], expected: DateExpectation(format: .date)).plan.bridged(
            to: { Dozens(Int($0.timeIntervalSince1970)) }, from: { Date(timeIntervalSince1970: Double($0.count)) })
        #expect(dates.areEqual(Dozens(1), Dozens(1)))
        #expect(!dates.areEqual(Dozens(1), Dozens(2)))
    }

    #if !canImport(FoundationEssentials)
    private final class Bridged: AbstractModel {
        var url: NSURL?
        var date: NSDate?
        var price: NSDecimalNumber = 0
    }

    @Test("Foundation's reference types can be properties")
    func foundation() throws {
        let json = #"{"url":"https://x.org/a","date":"2016-01-23T18:30:00Z","price":0.10000000000000000001}"#
        let model = try Bridged(json: json)
        #expect(model.url?.path == "/a")
        #expect(model.date?.timeIntervalSince1970 == 1_453_573_800)
        #expect(model.price.stringValue == "0.10000000000000000001")
        #expect(try model.jsonString() == json)
    }
    #endif
}
