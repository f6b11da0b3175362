import Foundation
import Testing

@testable import ModelMirror

@Suite struct ISO8601DateTests {
    @Test(
        arguments: [
            // 1453573800 is 2016-01-23T18:30:00Z.
            ("2016-01-23T18:30:00Z", 1_453_573_800), ("2016-01-23t18:30:00z", 1_453_573_800),
            ("2016-01-23 18:30:00Z", 1_453_573_800), ("2016-01-23T18:30:00", 1_453_573_800),
            ("2016-01-23T18:30Z", 1_453_573_800), ("2016-01-23T18:30", 1_453_573_800),
            ("2016-01-23T19:30:00+01:00", 1_453_573_800), ("2016-01-23T19:30:00+0100", 1_453_573_800),
            ("2016-01-23T19:30:00+01", 1_453_573_800), ("2016-01-23T19:30+01", 1_453_573_800),
            ("2016-01-23T12:00:00-06:30", 1_453_573_800), ("2016-01-24T00:00:00+05:30", 1_453_573_800),
            ("2016-01-23T18:30:00-00:00", 1_453_573_800), ("2016-01-23T18:30:00+00:00", 1_453_573_800),
            ("20160123T183000Z", 1_453_573_800), ("20160123T1830Z", 1_453_573_800), ("20160123T183000", 1_453_573_800),
            ("20160123T193000+0100", 1_453_573_800), ("20160123T193000+01:00", 1_453_573_800),
            ("20160123 183000Z", 1_453_573_800), ("2016-01-23", 1_453_507_200), ("20160123", 1_453_507_200),
            ("2016-12-31T23:59:60Z", 1_483_228_800), ("2016-12-31T15:59:60-08:00", 1_483_228_800),
            ("0000-01-01T00:00:00Z", -62_167_219_200), ("9999-12-31T23:59:59Z", 253_402_300_799),
            ("1969-12-31T23:59:59Z", -1), ("2016-02-29T00:00:00Z", 1_456_704_000),
            // Other texts, and dates that do not exist.
            ("", nil), ("2", nil), ("2016", nil), ("2016-01", nil), ("2016-1-23", nil), ("2016-01-2", nil),
            ("16-01-23", nil), ("02016-01-23", nil), ("2016-01-23T", nil), ("2016-01-23Z", nil),
            ("2016-01-23T18", nil), ("2016-01-23T18Z", nil), ("2016-01-23T18:3Z", nil), ("2016-01-23T18:30:0Z", nil),
            ("2016-01-23T18:30:", nil), ("2016-00-23T18:30:00Z", nil), ("2016-13-23T18:30:00Z", nil),
            ("2016-01-00T18:30:00Z", nil), ("2016-01-32T18:30:00Z", nil), ("2016-02-30T18:30:00Z", nil),
            ("2015-02-29T18:30:00Z", nil), ("2016-04-31", nil), ("2016-01-23T24:00:00Z", nil),
            ("2016-01-23T18:60:00Z", nil), ("2016-01-23T18:30:60Z", nil), ("2016-01-23T18:30:61Z", nil),
            ("2016-01-23T18:30:00.Z", nil), ("2016-01-23T18:30:00.", nil), ("2016-01-23T18:30:00.1234567890Z", nil),
            ("2016-01-23T18:30:00:5Z", nil), ("2016-01-23T18:30.5Z", nil), ("2016-01-23T18:30:00ZZ", nil),
            ("2016-01-23T18:30:00Z ", nil), (" 2016-01-23T18:30:00Z", nil), ("2016-01-23T18:30:00 Z", nil),
            ("2016-01-23T18:30:00+", nil), ("2016-01-23T18:30:00+1", nil), ("2016-01-23T18:30:00+1:00", nil),
            ("2016-01-23T18:30:00+01:", nil), ("2016-01-23T18:30:00+01:0", nil), ("2016-01-23T18:30:00+010", nil),
            ("2016-01-23T18:30:00+24:00", nil), ("2016-01-23T18:30:00+01:60", nil),
            ("2016-01-23T18:30:00+01:00Z", nil), ("2016-01-23T18:30:00±01:00", nil), ("2016-01-23_18:30:00Z", nil),
            ("2016-01-23  18:30:00Z", nil), ("2016/01/23T18:30:00Z", nil), ("2016-0123T18:30:00Z", nil),
            ("201601-23T18:30:00Z", nil), ("20160123T18:30:00Z", nil), ("2016-01-23T183000Z", nil),
            ("2016-01-23T18:3000Z", nil), ("20160123T18300Z", nil), ("-2016-01-23T18:30:00Z", nil),
            ("+2016-01-23T18:30:00Z", nil), ("2O16-01-23T18:30:00Z", nil), ("2016-01-23T18:30:0/Z", nil),
            ("2016-01-23T18:30:0:Z", nil), ("２016-01-23T18:30:00Z", nil), ("2016-W03-6", nil), ("2016-023", nil),
            ("null", nil),
        ] as [(String, Double?)])
    func `ISO 8601 dates are read in extended and basic form, with and without an offset, and no other texts`(
        text: String, seconds: Double?
    ) {
        let date = seconds.map { Date(timeIntervalSince1970: $0) }
        #expect(ISO8601Date.parse(slice(text)) == date)
        #expect(ISO8601Date.parse(Array(text.utf8)) == date)
        #expect(Array(text.utf8).withUnsafeBufferPointer { ISO8601Date.parse($0) } == date)
    }

    @Test(arguments: [
        ("2016-01-23T18:30:00.5Z", 0.5), ("2016-01-23T18:30:00,5Z", 0.5), ("2016-01-23T18:30:00.500Z", 0.5),
        ("2016-01-23T18:30:00.25", 0.25), ("2016-01-23T19:30:00.125+01:00", 0.125), ("20160123T183000.5Z", 0.5),
        ("2016-01-23T18:30:00.000000000Z", 0), ("2016-01-23T18:30:00.123456789Z", 0.123456789),
        ("2016-01-23T18:30:00.123Z", 0.123), ("2016-01-23T18:30:00.000001Z", 0.000_001),
    ])
    func `A fraction of a second is read as the nearest date`(text: String, fraction: Double) {
        #expect(ISO8601Date.parse(slice(text)) == Date(timeIntervalSinceReferenceDate: 475_266_600 + fraction))
    }

    @Test(
        arguments: [
            ("0000-01-01T00:00:00+00:01", -62_167_219_260, "0000-01-01T23:58:00+23:59"),
            ("0000-01-01T00:00:00.25+23:59", -62_167_305_539.75, "0000-01-01T00:00:00.25+23:59"),
            ("9999-12-31T23:59:59-23:59", 253_402_387_139, "9999-12-31T23:59:59-23:59"),
            ("9999-12-31T23:59:59-00:01", 253_402_300_859, "9999-12-31T00:01:59-23:59"),
        ] as [(String, Double, String)])
    func `A date whose year differs in UTC is read and written with an offset`(
        text: String, seconds: Double, written: String
    ) throws {
        let date = try #require(ISO8601Date.parse(slice(text)))
        #expect(date == Date(timeIntervalSince1970: seconds))
        #expect(ISO8601Date.text(date) == written)
        #expect(ISO8601Date.parse(slice(written)) == date)
    }

    @Test func `A wrong byte at any position makes an ISO 8601 date invalid`() {
        let text = Array("2016-01-23T18:30:00Z".utf8)
        for index in text.indices {
            for byte in UInt8.min...UInt8.max where byte != text[index] {
                var changed = text
                changed[index] = byte
                let isDigit = 0x30...0x39 ~= text[index] && 0x30...0x39 ~= byte
                let isOtherForm = [(10, UInt8(ascii: "t")), (10, 0x20), (19, UInt8(ascii: "z"))].contains {
                    $0.0 == index && $0.1 == byte
                }
                if !isDigit, !isOtherForm {
                    #expect(ISO8601Date.parse(changed) == nil, "byte \(byte) at \(index)")
                }
            }
        }
    }

    @Test(
        arguments: [
            (1_453_573_800, "2016-01-23T18:30:00Z"), (0, "1970-01-01T00:00:00Z"), (0.5, "1970-01-01T00:00:00.5Z"),
            (0.25, "1970-01-01T00:00:00.25Z"), (-0.25, "1969-12-31T23:59:59.75Z"), (-1, "1969-12-31T23:59:59Z"),
            (-62_167_219_200, "0000-01-01T00:00:00Z"), (253_402_300_799, "9999-12-31T23:59:59Z"),
            (1_483_228_800, "2017-01-01T00:00:00Z"),
            // Years that RFC 3339 cannot represent.
            (-62_167_305_541, nil), (253_402_387_140, nil), (.infinity, nil), (-.infinity, nil), (.nan, nil),
        ] as [(Double, String?)])
    func `A date that RFC 3339 can represent is written with as many fraction digits as it needs`(
        seconds: Double, text: String?
    ) {
        #expect(ISO8601Date.text(Date(timeIntervalSince1970: seconds)) == text)
    }

    @Test(arguments: [
        (475_266_600.123, "2016-01-23T18:30:00.123Z"), (475_266_600.123_456, "2016-01-23T18:30:00.123456Z"),
        (475_266_600.05, "2016-01-23T18:30:00.05Z"), (475_266_600.999_999, "2016-01-23T18:30:00.999999Z"),
        // Less than a nanosecond from the second: the nearest nine digits are all zero and are left out.
        (-1e-12, "2001-01-01T00:00:00Z"), (1e-12, "2001-01-01T00:00:00Z"), (1e-9, "2001-01-01T00:00:00.000000001Z"),
    ])
    func `A fraction is written with the fewest digits that read back as the same date`(seconds: Double, text: String) {
        #expect(ISO8601Date.text(Date(timeIntervalSinceReferenceDate: seconds)) == text)
    }

    @Test func `Random dates are written in ISO 8601 and read back equal`() throws {
        var generator = SeededGenerator(seed: 2)
        for _ in 0..<5000 {
            let seconds = Double(Int64.random(in: CivilDate.secondsSinceReferenceDate, using: &generator))
            let fraction = Double.random(in: 0..<1, using: &generator)
            // Near 2001 a date is finer than nine digits; half a year away it is not.
            let date = Date(timeIntervalSinceReferenceDate: seconds + (abs(seconds) > 16_777_216 ? fraction : 0))
            let text = try #require(ISO8601Date.text(date))
            #expect(ISO8601Date.parse(slice(text)) == date, "\(text)")
        }
    }

    @Test(arguments: 1...6)
    func `A date read with one to six fraction digits is written with the same digits`(digits: Int) throws {
        var generator = SeededGenerator(seed: 3)
        let steps = Int(pow(10, Double(digits)))
        for _ in 0..<1000 {
            // The years 1900 to 2100. The last digit is not 0, which would be left out.
            let seconds = Int64.random(in: -2_208_988_800...4_102_444_800, using: &generator)
            let fraction =
                Int.random(in: 0..<steps / 10, using: &generator) * 10 + Int.random(in: 1...9, using: &generator)
            let whole = try #require(ISO8601Date.text(Date(timeIntervalSince1970: Double(seconds)))).dropLast()
            let padded = String(String(fraction + steps).dropFirst())
            let text = "\(whole).\(padded)Z"
            let date = try #require(ISO8601Date.parse(slice(text)))
            #expect(ISO8601Date.text(date) == text)
        }
    }

    @Test func `ISO8601Date agrees with Foundation's ISO8601FormatStyle on 4000 random dates`() throws {
        var generator = SeededGenerator(seed: 4)
        let style = Date.ISO8601FormatStyle()
        let styleWithFraction = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        // The years 1583 to 9999; before, Foundation's calendar is the Julian one, whatever RFC 3339 says.
        let range: ClosedRange<Int64> = -12_212_553_600...253_402_300_799
        for _ in 0..<2000 {
            let date = Date(timeIntervalSince1970: Double(Int64.random(in: range, using: &generator)))
            let expected = style.format(date)
            #expect(ISO8601Date.text(date) == expected)
            #expect(ISO8601Date.parse(slice(expected)) == date)
        }
        for _ in 0..<2000 {
            let seconds = Int64.random(in: range, using: &generator)
            let milliseconds = Int.random(in: 0...999, using: &generator)
            let whole = style.format(Date(timeIntervalSince1970: Double(seconds))).dropLast()
            let text = "\(whole).\(String(1000 + milliseconds).dropFirst())Z"
            #expect(ISO8601Date.parse(slice(text)) == (try styleWithFraction.parse(text)), "\(text)")
        }
    }
}
