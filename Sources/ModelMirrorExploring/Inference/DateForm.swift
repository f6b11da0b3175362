import Foundation
import ModelMirror

/// A format of dates that a property can have.
enum DateForm: Hashable {
    /// The format that `Date` reads without a rule.
    case iso8601
    /// The same, with times that have no UTC offset.
    case localISO8601
    case httpDate
    case pattern(String)
    case secondsSince1970
    case millisecondsSince1970

    /// The formats of strings, the most specific first.
    static let texts: [DateForm] =
        [
            "yyyy-MM-dd", "yyyy-MM-dd'T'HH:mm:ss", "yyyy-MM-dd'T'HH:mm:ss.SSS", "yyyy-MM-dd'T'HH:mm:ss.SSSSSS",
            "yyyy-MM-dd'T'HH:mm", "yyyy-MM-dd HH:mm:ss", "yyyy-MM-dd HH:mm:ss.SSS", "yyyy-MM-dd HH:mm",
        ].map { .pattern($0) } + [.localISO8601, .iso8601, .httpDate]
        + [
            "EEE MMM dd HH:mm:ss Z yyyy", "EEE, dd MMM yyyy HH:mm:ss Z", "yyyy/MM/dd", "yyyy/MM/dd HH:mm:ss",
            "dd.MM.yyyy", "dd.MM.yyyy HH:mm", "dd.MM.yyyy HH:mm:ss", "dd-MM-yyyy", "MM-dd-yyyy", "dd-MMM-yyyy",
            "dd MMM yyyy", "d MMM yyyy", "d MMMM yyyy", "MMM d, yyyy", "MMMM d, yyyy", "MM/dd/yyyy", "dd/MM/yyyy",
            "M/d/yyyy", "d/M/yyyy", "MM/dd/yyyy HH:mm", "dd/MM/yyyy HH:mm", "MM/dd/yyyy HH:mm:ss",
            "dd/MM/yyyy HH:mm:ss", "MM/dd/yyyy h:mm a", "dd/MM/yyyy h:mm a", "M/d/yyyy h:mm a", "d/M/yyyy h:mm a",
        ].map { .pattern($0) }

    /// The format with day and month swapped; nil if there is none.
    var mirrored: DateForm? {
        guard case .pattern(let pattern) = self else { return nil }
        let swaps = [("MM/dd/", "dd/MM/"), ("M/d/", "d/M/"), ("MM-dd-", "dd-MM-")]
        for (one, other) in swaps + swaps.map({ ($1, $0) }) where pattern.hasPrefix(one) {
            return .pattern(other + pattern.dropFirst(one.count))
        }
        return nil
    }

    /// Whether a text can be a date at all: 8 to 40 bytes with at least five digits and another character.
    static func isCandidate(_ text: String) -> Bool {
        let utf8 = text.utf8
        guard 8...40 ~= utf8.count else { return false }
        let digits = utf8.count { 0x30...0x39 ~= $0 }
        return digits >= 5 && digits < utf8.count
    }

    /// Whether the format reads a text and, if it is a pattern without a UTC offset, writes it back unchanged.
    func matches(_ text: String) -> Bool {
        let json = JSONValue.string(text)
        switch self {
        case .iso8601:
            // Rejects the basic format, which may be mere digits.
            return text.utf8.count { $0 == UInt8(ascii: "-") } >= 2
                && (text.utf8.contains(UInt8(ascii: ":")) || text.utf8.count == 10)
                && (try? AnyConverter<Date>.iso8601.value(from: json)) != nil
        case .localISO8601:
            return DateForm.iso8601.matches(text) && text.utf8.contains(UInt8(ascii: ":"))
                && !text.utf8.dropFirst(10).contains { "Zz+-".utf8.contains($0) }
        case .httpDate: return (try? AnyConverter<Date>.httpDate.value(from: json)) != nil
        case .pattern(let pattern):
            let converter = AnyConverter<Date>.format(pattern)
            guard let date = try? converter.value(from: json) else { return false }
            return pattern.contains(" Z") || (try? converter.json(from: date)) == json
        case .secondsSince1970, .millisecondsSince1970: return false
        }
    }

    /// Whether it is a time of day without an offset.
    var isLocal: Bool {
        if case .pattern(let pattern) = self { return pattern.contains("mm") && !pattern.contains("Z") }
        return self == .localISO8601
    }

    /// The converter as Swift source; nil for patterns, which are date formats, and for the format that needs no rule.
    var converter: String? {
        switch self {
        case .iso8601, .localISO8601, .pattern: nil
        case .httpDate: ".httpDate"
        case .secondsSince1970: ".secondsSince1970"
        case .millisecondsSince1970: ".millisecondsSince1970"
        }
    }
}
