import Foundation
import ModelMirror

/// What all strings at one place have in common.
struct TextSamples {
    private(set) var count = 0
    /// The distinct strings in document order; nil if they cannot be the cases of an enum.
    private var distinct: [String]? = []
    private var known: Set<String> = []
    private var haveSpaces = false
    private var dates: [DateForm]?
    private var colors = ColorForm.allCases
    private var areURLs = true
    private var areUUIDs = true

    /// The largest number of cases of an enum.
    private static let mostCases = 16

    mutating func add(_ text: String) {
        count += 1
        if distinct != nil {
            let isName = TextSamples.isName(text)
            if isName, !known.insert(text).inserted { return }  // seen before
            if isName, known.count <= TextSamples.mostCases {
                distinct?.append(text)
                haveSpaces = haveSpaces || text.contains(" ")
            } else {
                (distinct, known) = (nil, [])
            }
        }
        if dates?.isEmpty != true {
            dates = DateForm.isCandidate(text) ? (dates ?? DateForm.texts).filter { $0.matches(text) } : []
        }
        if !colors.isEmpty { colors = colors.filter { $0.matches(text) } }
        if areURLs { areURLs = TextSamples.isURL(text) }
        if areUUIDs { areUUIDs = text.utf8.count == 36 && UUID(uuidString: text) != nil }
    }

    private static func isURL(_ text: String) -> Bool {
        // By bytes: characters of many combining marks are compared in quadratic time.
        let utf8 = text.utf8
        guard let colon = utf8.prefix(13).firstIndex(of: UInt8(ascii: ":")), colon > utf8.startIndex,
            utf8[colon...].starts(with: "://".utf8), !utf8.reversed().starts(with: "//:".utf8),
            utf8[..<colon].allSatisfy({ 0x30...0x39 ~= $0 || 0x61...0x7A ~= $0 | 0x20 || "+-.".utf8.contains($0) }),
            !utf8.contains(UInt8(ascii: "{"))
        else { return false }
        return URLText.url(from: text) != nil
    }

    /// Whether a text reads like the name of a case.
    private static func isName(_ text: String) -> Bool {
        guard text.utf8.count <= 32, let first = text.utf8.first,
            0x41...0x5A ~= first || 0x61...0x7A ~= first
        else { return false }
        return text.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x20, 0x2D, 0x2E, 0x2F, 0x3A, 0x5F: true
            default: false
            }
        }
    }

    /// The type of a property that can hold all of them.
    ///
    /// - Parameters:
    ///   - key: The key of the property.
    ///   - isElement: Whether the strings are elements of lists.
    func shape(key: String, isElement: Bool) -> ValueShape {
        if count == 0 { return .string }
        let forms = dates ?? []
        // A date whose day and month could be swapped would be a guess.
        if let form = forms.first(where: { form in form.mirrored.map { !forms.contains($0) } ?? true }) {
            return .date(form)
        }
        if areUUIDs { return .uuid }
        if areURLs { return .url }
        let words = KeyWords(key)
        // Digits alone match upper and lower case; the first form, which needs no rule, is taken.
        if let form = colors.first, form == .upperHash || form == .lowerHash || words.suggestsColor {
            return .color(form)
        }
        if let cases = distinct, isEnumeration(cases, words, isElement: isElement) {
            return .enumeration(cases.sorted())
        }
        return .string
    }

    /// Whether there are so few strings, repeated so often, that they are the cases of an enum.
    private func isEnumeration(_ cases: [String], _ words: KeyWords, isElement: Bool) -> Bool {
        guard cases.count >= 2, !cases.allSatisfy(KeyLooks.isLanguage) else { return false }
        // Capitalised words and texts with spaces are names of things rather than cases, unless the key says otherwise.
        let areCodes = cases.allSatisfy {
            $0 == $0.lowercased() || $0 == $0.uppercased() || $0.first?.isLowercase == true
        }
        guard words.suggestsChoice || !haveSpaces && areCodes else { return false }
        let repeats = isElement ? 4 : words.suggestsChoice ? 2 : 3
        return count >= max(repeats * cases.count, words.suggestsChoice ? 4 : 6)
    }
}
