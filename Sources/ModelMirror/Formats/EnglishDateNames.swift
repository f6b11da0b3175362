/// The English names of months and days of the week, which dates bear whatever the machine's language: those of the
/// `en_US_POSIX` locale, RFC 9110 and RFC 5322.
enum EnglishDateNames {
    /// January to December.
    static let months: [[UInt8]] = [
        "January", "February", "March", "April", "May", "June",
        "July", "August", "September", "October", "November", "December",
    ].map { Array($0.utf8) }

    /// Sunday to Saturday.
    static let weekdays: [[UInt8]] = [
        "Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday",
    ].map { Array($0.utf8) }

    /// Which spelling of a name a text may have.
    enum Length {
        /// The first three letters: `Sep`, `Wed`.
        case abbreviated
        /// The whole name.
        case full
        /// Either of the two.
        case any
    }

    /// Passes a name, in any case.
    ///
    /// ```swift
    /// var cursor = ASCIICursor(Array("sep 1".utf8))
    /// EnglishDateNames.read(months, length: .any, from: &cursor)  // 9; the place is before the space
    /// ```
    ///
    /// - Returns: its number in the list from 1, or `nil` if there is none of that length.
    static func read<Bytes>(_ names: [[UInt8]], length: Length, from cursor: inout ASCIICursor<Bytes>) -> Int? {
        for (index, name) in names.enumerated() {
            var attempt = cursor
            guard attempt.skip(ignoringCase: name.prefix(3)) else { continue }
            // No two names begin with the same three letters, so the rest decides nothing but the length.
            let isFull = length != .abbreviated && attempt.skip(ignoringCase: name.dropFirst(3))
            if length == .full, !isFull { return nil }
            cursor = attempt
            return index + 1
        }
        return nil
    }
}
