/// The English names of months, weekdays and halves of a day, independent of the machine's language: those of the
/// `en_US_POSIX` locale, RFC 9110 and RFC 5322.
enum EnglishDateNames {
    /// January to December.
    static let months = names("January February March April May June July August September October November December")

    /// Sunday to Saturday.
    static let weekdays = names("Sunday Monday Tuesday Wednesday Thursday Friday Saturday")

    /// The halves of a day.
    static let dayPeriods = names("AM PM")

    private static func names(_ text: String) -> [[UInt8]] { text.split(separator: " ").map { Array($0.utf8) } }

    /// Reads a name, or its first three letters (`Sep`, `Wed`), in any case.
    ///
    /// ```swift
    /// var cursor = ASCIICursor(Array("sep 1".utf8))
    /// EnglishDateNames.read(months, from: &cursor)  // (number: 9, letters: 3); the cursor is before the space
    /// ```
    ///
    /// - Returns: its number in the list from 1 and how many of its letters were read, or `nil` if there is none.
    static func read(
        _ names: [[UInt8]], from cursor: inout ASCIICursor<some ByteString>
    ) -> (number: Int, letters: Int)? {
        for (index, name) in names.enumerated() where cursor.skip(ignoringCase: name.prefix(3)) {
            // No two names of a list share their first three letters, so the rest only decides the length.
            return (index + 1, cursor.skip(ignoringCase: name.dropFirst(3)) ? name.count : 3)
        }
        return nil
    }
}

/// The offset at the end of a date text: the seconds that its fields are ahead of UTC.
enum UTCOffset {
    /// Reads `Z`, `+01`, `+0130` or `+01:30` (the sign `+` or `-`, hours 00...23, minutes 00...59).
    ///
    /// `-00:00`, in RFC 3339 "UTC, local offset unknown", is UTC.
    ///
    /// ```swift
    /// var cursor = ASCIICursor(Array("-06:30".utf8))
    /// UTCOffset.read(&cursor)  // -23400
    /// ```
    ///
    /// Source: RFC 3339 section 5.6, and ISO 8601's shorter forms.
    static func read(_ cursor: inout ASCIICursor<some ByteString>) -> Int? {
        if cursor.skip("Z") || cursor.skip("z") { return 0 }
        return readSigned(&cursor, hourDigits: 2...2)
    }

    /// Reads the offsets of ``read(_:)``, and `GMT` or `UTC` in any case, alone or before a signed offset, as in `GMT+01:00` and
    /// the short `GMT+1`.
    ///
    /// Other zone names, such as `PST`, are ambiguous and refused.
    static func readNamed(_ cursor: inout ASCIICursor<some ByteString>) -> Int? {
        guard cursor.skip(ignoringCase: "GMT".utf8) || cursor.skip(ignoringCase: "UTC".utf8) else {
            return read(&cursor)
        }
        guard cursor.next == UInt8(ascii: "+") || cursor.next == UInt8(ascii: "-") else { return 0 }
        return readSigned(&cursor, hourDigits: 1...2)
    }

    private static func readSigned(_ cursor: inout ASCIICursor<some ByteString>, hourDigits: ClosedRange<Int>) -> Int? {
        let isAhead = cursor.skip("+")
        guard isAhead || cursor.skip("-"), let (hours, digitCount) = cursor.digits(hourDigits), hours <= 23 else {
            return nil
        }
        let needsMinutes = cursor.skip(":")
        let stated = needsMinutes || digitCount == 2 ? cursor.digits(2) : nil
        guard let minutes = needsMinutes ? stated : stated ?? 0, minutes <= 59 else { return nil }
        return (isAhead ? 1 : -1) * (hours * 3600 + minutes * 60)
    }
}

/// Zero-padded decimal numbers, for the date writers.
enum DecimalDigits {
    /// Appends a number with at least `width` digits, padded with zeros.
    ///
    /// ```swift
    /// var text: [UInt8] = []
    /// DecimalDigits.append(7, width: 2, to: &text)  // "07"
    /// ```
    ///
    /// - Parameters:
    ///   - value: 0...999,999,999.
    ///   - width: 1...9; a number with more digits is written in full.
    static func append(_ value: Int, width: Int, to output: inout [UInt8]) {
        // Most numbers are months, days and times, which need no text.
        if width == 2, value < 100 {
            output.append(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: value / 10))
            output.append(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: value % 10))
            return
        }
        let digits = String(value).utf8
        output.append(contentsOf: repeatElement(UInt8(ascii: "0"), count: max(width - digits.count, 0)))
        output.append(contentsOf: digits)
    }
}
