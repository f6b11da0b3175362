/// The words of a property's name, by the rules of ``KeyStrategy``.
///
/// ```swift
/// PropertyNameWords("_isHTTPSOnly").joined(separator: "_")  // "_is_https_only"
/// ```
struct PropertyNameWords {
    /// A word, and the underscores in front of it.
    private struct Word {
        /// The number of underscores; 0 for the first word, and for a word that only a capital sets off.
        let underscores: Int
        let letters: ArraySlice<Character>
    }

    private let leadingUnderscores: Int
    private let trailingUnderscores: Int
    private let words: [Word]

    init(_ name: String) {
        let characters = Array(name)
        let start = characters.firstIndex { $0 != "_" } ?? characters.endIndex
        let end = (characters[start...].lastIndex { $0 != "_" } ?? start - 1) + 1
        leadingUnderscores = start
        trailingUnderscores = characters.count - end
        words = characters[start..<end].split(separator: "_").enumerated().flatMap { index, part in
            let previousEnd = characters[..<part.startIndex].lastIndex { $0 != "_" } ?? part.startIndex - 1
            return Self.words(of: part, underscores: index == 0 ? 0 : part.startIndex - previousEnd - 1)
        }
    }

    /// All words in lower case, with as many separators between two as there were underscores, at least one.
    func joined(separator: Character) -> String {
        var result = String(repeating: "_", count: leadingUnderscores)
        for (index, word) in words.enumerated() {
            if index > 0 { result += String(repeating: separator, count: max(1, word.underscores)) }
            result += String(word.letters).lowercased()
        }
        return result + String(repeating: "_", count: trailingUnderscores)
    }

    /// The text that a function makes of the words, between the underscores at either end.
    func text(_ join: ([String]) -> String) -> String {
        String(repeating: "_", count: leadingUnderscores) + join(words.map { String($0.letters) })
            + String(repeating: "_", count: trailingUnderscores)
    }

    private static func words(of part: ArraySlice<Character>, underscores: Int) -> [Word] {
        var words: [Word] = []
        var wordStart = part.startIndex
        for index in part.indices.dropFirst() where beginsWord(at: index, in: part) {
            words.append(Word(underscores: words.isEmpty ? underscores : 0, letters: part[wordStart..<index]))
            wordStart = index
        }
        words.append(Word(underscores: words.isEmpty ? underscores : 0, letters: part[wordStart...]))
        return words
    }

    /// Whether a new word begins at an index other than the first.
    private static func beginsWord(at index: Int, in part: ArraySlice<Character>) -> Bool {
        guard part[index].isUppercase else { return false }
        guard part[index - 1].isUppercase else { return true }
        // The last of several capitals begins a word if lower-case letters other than a plural's s follow. Letters without case count
        // as lower-case.
        guard index + 1 < part.endIndex, part[index + 1].isLetter, !part[index + 1].isUppercase else { return false }
        let isPlural = part[index + 1] == "s" && (index + 2 == part.endIndex || part[index + 2].isUppercase)
        return !isPlural
    }
}

extension String {
    /// The text with an upper-case first letter.
    var capitalised: String { prefix(1).uppercased() + dropFirst() }
}
