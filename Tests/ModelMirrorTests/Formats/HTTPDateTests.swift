import Foundation
import Testing

@testable import ModelMirror

@Suite struct HTTPDateTests {
    /// RFC 9110's own example, 1994-11-06T08:49:37Z.
    private static let example = Date(timeIntervalSince1970: 784_111_777)
    private static let now = Date(timeIntervalSince1970: 1_453_573_800)

    @Test(arguments: [
        ("Sun, 06 Nov 1994 08:49:37 GMT", true), ("Sunday, 06-Nov-94 08:49:37 GMT", true),
        ("Sun Nov  6 08:49:37 1994", true), ("Sun Nov 06 08:49:37 1994", true),
        ("sun, 06 NOV 1994 08:49:37 gmt", true), ("Mon, 06 Nov 1994 08:49:37 GMT", true), ("", false), ("Sun", false),
        ("06 Nov 1994 08:49:37 GMT", false), ("Sun, 6 Nov 1994 08:49:37 GMT", false),
        ("Sun, 06 Nov 94 08:49:37 GMT", false), ("Sun, 06 Nov 1994 08:49:37", false),
        ("Sun, 06 Nov 1994 08:49:37 UTC", false), ("Sun, 06 Nov 1994 08:49:37 +0000", false),
        ("Sun, 06 Nov 1994 08:49:37 GMT ", false), (" Sun, 06 Nov 1994 08:49:37 GMT", false),
        ("Sun,06 Nov 1994 08:49:37 GMT", false), ("Sun, 06-Nov-1994 08:49:37 GMT", false),
        ("Sun, 06 November 1994 08:49:37 GMT", false), ("Sun, 06 Nov 1994 8:49:37 GMT", false),
        ("Sun, 31 Nov 1994 08:49:37 GMT", false), ("Sun, 06 Nov 1994 24:49:37 GMT", false),
        ("Sun, 06 Nov 1994 08:60:37 GMT", false), ("Sun, 06 Nov 1994 08:49:61 GMT", false),
        ("Sun, 06 Nov 1994 08:49:60 GMT", false), ("Xyz, 06 Nov 1994 08:49:37 GMT", false),
        ("Sun, 06 Xyz 1994 08:49:37 GMT", false), ("Sunday, 06 Nov 1994 08:49:37 GMT", false),
        ("Sun, 06-Nov-94 08:49:37 GMT", false), ("Sunday, 06-Nov-1994 08:49:37 GMT", false),
        ("Sunday, 6-Nov-94 08:49:37 GMT", false), ("Sunday 06-Nov-94 08:49:37 GMT", false),
        ("Sun Nov 6 08:49:37 1994", false), ("Sun Nov  06 08:49:37 1994", false),
        ("Sun Nov  6 08:49:37 1994 GMT", false), ("Sun Nov  6 08:49:37 94", false),
        ("Sunday Nov  6 08:49:37 1994", false), ("1994-11-06T08:49:37Z", false),
    ])
    func `HTTP dates are read in all three forms of RFC 9110, and in no other`(text: String, isDate: Bool) {
        let date = isDate ? Self.example : nil
        #expect(HTTPDate.parse(slice(text), now: Self.now) == date)
        #expect(Array(text.utf8).withUnsafeBufferPointer { HTTPDate.parse($0, now: Self.now) } == date)
    }

    @Test(arguments: [
        // Now is Saturday, 2016-01-23T18:30:00Z.
        ("Sunday, 06-Nov-65 08:49:37 GMT", "2065-11-06T08:49:37Z"),
        ("Sunday, 06-Nov-66 08:49:37 GMT", "1966-11-06T08:49:37Z"),
        ("Saturday, 23-Jan-66 18:30:00 GMT", "2066-01-23T18:30:00Z"),
        ("Saturday, 23-Jan-66 18:30:01 GMT", "1966-01-23T18:30:01Z"),
        ("Saturday, 22-Jan-66 23:59:59 GMT", "2066-01-22T23:59:59Z"),
        ("Saturday, 01-Feb-66 00:00:00 GMT", "1966-02-01T00:00:00Z"),
        ("Sunday, 06-Nov-67 08:49:37 GMT", "1967-11-06T08:49:37Z"),
        ("Sunday, 06-Nov-16 08:49:37 GMT", "2016-11-06T08:49:37Z"),
        ("Sunday, 06-Nov-00 08:49:37 GMT", "2000-11-06T08:49:37Z"),
    ])
    func `A two-digit year is read as at most 50 years in the future`(text: String, expected: String) {
        #expect(HTTPDate.parse(slice(text), now: Self.now).flatMap(ISO8601Date.text) == expected)
    }

    @Test func `A two-digit year is relative to the current date by default`() {
        #expect(HTTPDate.parse(slice("Sunday, 06-Nov-94 08:49:37 GMT")) == Self.example)
    }

    @Test func `HTTP dates are written in the fixed form of RFC 9110, without a fraction`() {
        for (date, text) in [
            (Self.example, "Sun, 06 Nov 1994 08:49:37 GMT"), (Self.example + 0.9, "Sun, 06 Nov 1994 08:49:37 GMT"),
            (Date(timeIntervalSince1970: 0), "Thu, 01 Jan 1970 00:00:00 GMT"),
            (Date(timeIntervalSince1970: 253_402_300_800), nil),
        ] as [(Date, String?)] {
            #expect(HTTPDate.text(date) == text)
        }
    }

    @Test func `Random HTTP dates are written as by DateFormatter and read back`() throws {
        var generator = SeededGenerator(seed: 6)
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(identifier: "UTC")
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        for _ in 0..<1000 {
            let seconds = Int64.random(in: -12_212_553_600...253_402_300_799, using: &generator)
            let date = Date(timeIntervalSince1970: Double(seconds))
            let text = try #require(HTTPDate.text(date))
            #expect(text == formatter.string(from: date))
            #expect(HTTPDate.parse(slice(text)) == date)
        }
    }
}
