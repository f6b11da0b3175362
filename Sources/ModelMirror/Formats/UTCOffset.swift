/// The end of a date text: how far its fields are ahead of UTC, in seconds.
enum UTCOffset {
    /// Reads `Z`, `+01`, `+0130` or `+01:30` (the sign `+` or `-`, hours 00...23, minutes 00...59).
    ///
    /// `-00:00`, by which RFC 3339 says "UTC, the local offset unknown", is UTC.
    ///
    /// ```swift
    /// var cursor = ASCIICursor(Array("-06:30".utf8))
    /// UTCOffset.read(&cursor)  // -23400
    /// ```
    ///
    /// Source: RFC 3339 section 5.6, and ISO 8601's shorter forms.
    static func read<Bytes>(_ cursor: inout ASCIICursor<Bytes>) -> Int? {
        if cursor.skip("Z") || cursor.skip("z") { return 0 }
        return readSigned(&cursor, hourDigits: 2...2)
    }

    /// Reads what ``read(_:)`` reads, and `GMT` or `UTC` in any case, alone or before a signed offset, as in
    /// `GMT+01:00` and the short `GMT+1`.
    ///
    /// Other zone names, such as `PST`, stand for several zones each and are refused.
    static func readNamed<Bytes>(_ cursor: inout ASCIICursor<Bytes>) -> Int? {
        guard cursor.skip(ignoringCase: "GMT".utf8) || cursor.skip(ignoringCase: "UTC".utf8) else {
            return read(&cursor)
        }
        guard cursor.next == UInt8(ascii: "+") || cursor.next == UInt8(ascii: "-") else { return 0 }
        return readSigned(&cursor, hourDigits: 1...2)
    }

    private static func readSigned<Bytes>(
        _ cursor: inout ASCIICursor<Bytes>, hourDigits: ClosedRange<Int>
    ) -> Int? {
        let sign: Int
        if cursor.skip("+") {
            sign = 1
        } else if cursor.skip("-") {
            sign = -1
        } else {
            return nil
        }
        guard let (hours, digitCount) = cursor.digits(hourDigits), hours <= 23 else { return nil }
        var minutes = 0
        if cursor.skip(":") {
            guard let stated = cursor.digits(2) else { return nil }
            minutes = stated
        } else if digitCount == 2, let stated = cursor.digits(2) {
            minutes = stated
        }
        guard minutes <= 59 else { return nil }
        return sign * (hours * 3600 + minutes * 60)
    }
}
