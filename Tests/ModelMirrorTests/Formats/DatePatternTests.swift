import Foundation
import Testing

@testable import ModelMirror

@Suite struct DatePatternTests {
    /// 2016-01-23T18:30:00Z.
    private static let saturday = Date(timeIntervalSince1970: 1_453_573_800)

    @Test(
        arguments: [
            ("2016-01-23 18:30:00Z", 1_453_573_800), ("2016-01-23 18:30:00z", 1_453_573_800),
            ("2016-01-23 18:30:00+0000", 1_453_573_800), ("2016-01-23 18:30:00+00:00", 1_453_573_800),
            ("2016-01-23 18:30:00+00", 1_453_573_800), ("2016-01-23 12:30:00-0600", 1_453_573_800),
            ("2016-01-24 00:00:00+05:30", 1_453_573_800), ("2016-01-23 18:30:00GMT", 1_453_573_800),
            ("2016-01-23 18:30:00 GMT", 1_453_573_800), ("2016-01-23 18:30:00 UTC", 1_453_573_800),
            ("2016-01-23 18:30:00utc", 1_453_573_800), ("2016-01-23 18:30:00 +0000", 1_453_573_800),
            ("2016-01-23 19:30:00GMT+01:00", 1_453_573_800), ("2016-01-23 19:30:00GMT+0100", 1_453_573_800),
            ("2016-01-23 17:30:00GMT-1", 1_453_573_800), ("2016-01-23 17:30:00UTC-1:00", 1_453_573_800),
            ("2016-1-3 8:30:00Z", 1_451_809_800), ("2016-1-3 8:3:9Z", 1_451_808_189),
            ("16-01-23 18:30:00Z", 1_453_573_800),
            ("0016-01-23 18:30:00Z", -61_660_330_200), ("2016-12-31 23:59:60Z", 1_483_228_800),
            // Other texts, and dates that do not exist.
            ("", nil), ("2016-01-23", nil), ("2016-01-23 18:30:00", nil), ("2016-01-23 18:30:00 ", nil),
            ("2016-13-23 18:30:00Z", nil), ("2016-00-23 18:30:00Z", nil), ("2016-02-30 18:30:00Z", nil),
            ("2015-02-29 18:30:00Z", nil), ("2016-01-23 24:00:00Z", nil), ("2016-01-23 18:60:00Z", nil),
            ("2016-01-23 18:30:60Z", nil), ("2016-01-23 18:30:00Zjunk", nil), ("2016-01-23 18:30:00Z ", nil),
            (" 2016-01-23 18:30:00Z", nil), ("2016-01-23_18:30:00Z", nil), ("2016-01-23T18:30:00Z", nil),
            ("2016-01-23  18:30:00Z", nil), ("2016-01-23 18:30:00  GMT", nil), ("2016-01-23 18:30:00PST", nil),
            ("2016-01-23 18:30:00GM", nil), ("2016-01-23 18:30:00+1", nil), ("2016-01-23 18:30:00+24:00", nil),
            ("2016-01-23 18:30:00+00:60", nil), ("2016-01-23 18:30:00GMT+", nil), ("2016-01-23 18:30:00.5Z", nil),
            ("2016-001-23 18:30:00Z", nil), ("12016-01-23 18:30:00Z", nil), ("-2016-01-23 18:30:00Z", nil),
            ("2016-+1-23 18:30:00Z", nil), ("2016-01-23 118:30:00Z", nil), ("２016-01-23 18:30:00Z", nil),
        ] as [(String, Double?)])
    func `Apic's date pattern reads the dates that Apic read`(text: String, seconds: Double?) throws {
        let pattern = try DatePattern("y-MM-dd HH:mm:ssZ")
        let date = seconds.map { Date(timeIntervalSince1970: $0) }
        #expect(pattern.parse(slice(text)) == date)
        #expect(Array(text.utf8).withUnsafeBufferPointer { pattern.parse($0) } == date)
    }

    @Test(arguments: [
        // Apic's pattern.
        ("y-MM-dd HH:mm:ssZ", "2016-01-23 18:30:00+0000"),
        ("yyyy-MM-dd'T'HH:mm:ss.SSSXXX", "2016-01-23T18:30:00.000Z"),
        ("yyyy-MM-dd'T'HH:mm:ssZZZZZ", "2016-01-23T18:30:00Z"),
        ("yyyyMMddHHmmss", "20160123183000"), ("yMMddHHmm", "201601231830"), ("yyyyMMdd'T'HHmmssX", "20160123T183000Z"),
        ("yyyyMMddHHmmssSSS", "20160123183000000"), ("ddMMyyHHmm", "2301161830"), ("yyyyMMddHHm", "201601231830"),
        ("EEE, dd MMM yyyy HH:mm:ss zzz", "Sat, 23 Jan 2016 18:30:00 GMT"),
        ("EEEE, d MMMM y, h:mm a", "Saturday, 23 January 2016, 6:30 PM"),
        ("E d.M.yy K:mm a", "Sat 23.1.16 6:30 PM"), ("LLL LLLL LL L d y HH:mm", "Jan January 01 1 23 2016 18:30"),
        ("uuuu-DDD HH:mm ZZZZ", "2016-023 18:30 GMT"), ("u-D kk:mm", "2016-23 18:30"),
        ("y-MM-dd HH:mm x", "2016-01-23 18:30 +00"), ("y-MM-dd HH:mm xx", "2016-01-23 18:30 +0000"),
        ("y-MM-dd HH:mm xxx", "2016-01-23 18:30 +00:00"), ("y-MM-dd HH:mm XX", "2016-01-23 18:30 Z"),
        ("y-MM-dd 'at' h 'o''clock' mm a ''", "2016-01-23 at 6 o'clock 30 PM '"),
        ("y年M月d日 HH:mm", "2016年1月23日 18:30"), ("''yyyy-MM-dd HH:mm", "'2016-01-23 18:30"),
    ])
    func `A date pattern writes a date and reads it back`(pattern: String, text: String) throws {
        let compiled = try DatePattern(pattern)
        #expect(compiled.text(Self.saturday) == text)
        #expect(compiled.parse(slice(text)) == Self.saturday)
    }

    @Test(
        arguments: [
            ("yyyy-MM-dd", "2016-1-3", 1_451_779_200), ("yyyy-MM-dd", "2016-01-03", 1_451_779_200),
            ("d MMM yyyy", "3 JANUARY 2016", 1_451_779_200), ("d MMMM yyyy", "3 jan 2016", 1_451_779_200),
            ("EEE d MMM yyyy", "SUNDAY 3 jan 2016", 1_451_779_200), ("d MMM y", "1 May 2016", 1_462_060_800),
            ("dMMMyyyy", "3Jan2016", 1_451_779_200),
            ("yyyyMMd", "2016013", 1_451_779_200), ("yyyyMMd", "20160103", 1_451_779_200),
            ("ddMMy", "030116", 1_451_779_200),
            ("yy", "49", 2_493_072_000), ("yy", "50", -631_152_000), ("yy", "00", 946_684_800),
            ("yy", "99", 915_148_800),
            ("y", "49", 2_493_072_000), ("y", "0049", -60_620_832_000), ("y", "5", -62_009_366_400),
            ("MM", "2", 949_363_200),
            ("HH:mm", "08:30", 946_715_400), ("kk:mm", "24:00", 946_684_800), ("kk:mm", "01:00", 946_688_400),
            ("h a", "12 AM", 946_684_800), ("h a", "12 pm", 946_728_000), ("K a", "0 PM", 946_728_000),
            ("K:mm a", "11:59 am", 946_727_940), ("HH a", "18 PM", 946_749_600), ("a", "PM", 946_728_000),
            ("s.S", "1.5", 946_684_801.5), ("s.SSS", "1.5", 946_684_801.5), ("s.S", "1.25", 946_684_801.25),
            ("ssSS", "0125", 946_684_801.25), ("dd D", "29 60", 951_782_400), ("y D", "2015 60", 1_425_168_000),
            ("y D", "2016 366", 1_483_142_400), ("HH:mm Z", "08:30 -01:00", 946_719_000),
            ("HH:mmX", "08:30-01", 946_719_000),
            ("HH:mmz", "08:30 gmt+1", 946_711_800), ("M M", "2 02", 949_363_200),
            ("EEE HH:mm", "Mon 08:30", 946_715_400),
            ("EEE d MMM", "Mon 1 Jan", 946_684_800), ("EEE y D", "Sat 2016 23", 1_453_507_200), ("", "", 946_684_800),
            // Texts that do not match the pattern, or contradict themselves.
            ("yyyy-MM-dd", "216-01-03", nil), ("yyyy-MM-dd", "16-01-03", nil), ("yyyy-MM-dd", "2016-01-03Z", nil),
            ("yy", "2016", nil), ("yy", "5", nil), ("yyyyMMdd", "2016013", nil), ("yyyyMMdd", "201601 3", nil),
            ("HHmmss", "12345", nil), ("HHmm", "123", nil), ("ssSS", "015", nil), ("ssSS", "01255", nil),
            ("h a", "13 PM", nil), ("h a", "0 PM", nil), ("K a", "12 PM", nil), ("k", "0", nil), ("k", "25", nil),
            ("a", "XM", nil), ("a", "P", nil), ("HH a", "06 PM", nil), ("HH a", "18 AM", nil),
            ("H h a", "18 7 PM", nil), ("MMM", "Jux", nil), ("MMMM", "Janu", nil),
            ("EEE d MMM yyyy", "Mon 23 Jan 2016", nil), ("EEE", "Xyz", nil), ("EEE y D", "Sun 2016 23", nil),
            ("M MMM", "1 Feb", nil), ("y yy", "2016 17", nil), ("y D", "2015 366", nil), ("y D", "2016 367", nil),
            ("y D", "2016 0", nil), ("y-MM-dd D", "2016-01-23 24", nil), ("s.S", "1.", nil),
            ("s.S", "1.1234567890", nil), ("HH:mm ZZ X", "08:30 +0100 Z", nil), ("'T'HH", "t08", nil),
            ("HH:mm Z", "08:30  Z", nil), ("HH:mm Z", "08:30Z", nil), ("", "x", nil),
        ] as [(String, String, Double?)])
    func `A date pattern reads more forms than it writes, and rejects others`(
        pattern: String, text: String, seconds: Double?
    ) throws {
        #expect(try DatePattern(pattern).parse(slice(text)) == seconds.map { Date(timeIntervalSince1970: $0) })
    }

    @Test func `A fraction is rounded to the pattern's S letters, or cut if there are none`() throws {
        let date = Date(timeIntervalSinceReferenceDate: 475_266_600.9996)
        #expect(try DatePattern("HH:mm:ss").text(date) == "18:30:00")
        #expect(try DatePattern("HH:mm:ss.S").text(date) == "18:30:01.0")
        #expect(try DatePattern("HH:mm:ss.SSSS").text(date) == "18:30:00.9996")
        let read = try #require(try DatePattern("ss.SSS").parse(slice("00.123")))
        #expect(try DatePattern("ss.SSS").text(read) == "00.123")
        #expect(try DatePattern("ss.SSSSSSSSS").text(Date(timeIntervalSinceReferenceDate: 0.5)) == "00.500000000")
    }

    @Test func `Twelve-hour fields begin at midnight and noon`() throws {
        let midnight = Date(timeIntervalSince1970: 0)
        let noon = Date(timeIntervalSince1970: 43_200)
        let pattern = try DatePattern("H k h K a")
        #expect(pattern.text(midnight) == "0 24 12 0 AM")
        #expect(pattern.text(noon) == "12 12 12 0 PM")
        #expect(pattern.parse(slice("0 24 12 0 AM")) == Date(timeIntervalSince1970: 946_684_800))
    }

    @Test func `The year 16 is written as 0016, which is not read as a two-digit year`() throws {
        let date = try #require(CivilDate(year: 16, month: 1, day: 2)).date
        let pattern = try DatePattern("y-MM-dd")
        #expect(pattern.text(date) == "0016-01-02")
        #expect(pattern.parse(slice("0016-01-02")) == date)
    }

    @Test(
        arguments: [
            -62_167_219_201, 253_402_300_800,
            .nan,
        ] as [Double])
    func `A date outside the years 0 to 9999 is not written`(seconds: Double) throws {
        let date = Date(timeIntervalSince1970: seconds)
        #expect(try DatePattern("y").text(date) == nil)
    }

    @Test(arguments: [
        "y-MM-dd HH:mm:ssZ", "yyyy-MM-dd'T'HH:mm:ss.SSSXXX", "EEE, dd MMM yyyy HH:mm:ss z",
        "EEEE d MMMM yyyy h:mm:ss a",
        "yyyyMMddHHmmssSSS", "yyyy-DDD kk:mm:ss xxx", "d/M/y K 'o''clock' a m s S ZZZZ", "E LLL L d xx XX ZZZZZ yyyy H",
    ])
    func `Random dates are written as by DateFormatter and read back`(pattern: String) throws {
        var generator = SeededGenerator(seed: 5)
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(identifier: "UTC")
        formatter.dateFormat = pattern
        let compiled = try DatePattern(pattern)
        for _ in 0..<300 {
            // The years 1583 to 9999; before, DateFormatter's calendar is the Julian one.
            let seconds = Double(Int64.random(in: -12_212_553_600...253_402_300_799, using: &generator))
            let date = Date(timeIntervalSince1970: seconds + 0.5)
            let text = try #require(compiled.text(date))
            #expect(text == formatter.string(from: date))
            let read = try #require(compiled.parse(slice(text)))
            #expect(compiled.text(read) == text)
        }
    }
}
