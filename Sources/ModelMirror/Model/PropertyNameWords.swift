/// The words of a property's name, by the rules that ``KeyStrategy`` states.
///
/// ```swift
/// PropertyNameWords("_isHTTPSOnly").joined(separator: "_")  // "_is_https_only"
/// ```
struct PropertyNameWords {
    /// A word, and what stood before it.
    private struct Word {
        /// How many underscores; 0 for the first word and where a capital alone begins the word.
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

    /// All words with their first letter in upper case and the others as they are, without anything between them.
    var capitalised: String {
        var result = String(repeating: "_", count: leadingUnderscores)
        for word in words {
            result += String(word.letters.prefix(1)).uppercased() + String(word.letters.dropFirst())
        }
        return result + String(repeating: "_", count: trailingUnderscores)
    }

    /// Divides a part of a name that has no underscores.
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

    /// Whether a new word begins at an index, which is not the first.
    private static func beginsWord(at index: Int, in part: ArraySlice<Character>) -> Bool {
        guard isCapital(part[index]) else { return false }
        guard isCapital(part[index - 1]) else { return true }
        // Within capitals: the last one belongs to the small letters that follow, unless these are a plural's s.
        guard index + 1 < part.endIndex, isSmall(part[index + 1]) else { return false }
        let isPlural = part[index + 1] == "s" && (index + 2 == part.endIndex || isCapital(part[index + 2]))
        return !isPlural
    }

    /// Whether a character is a capital. ASCII is answered here, for asking Unicode makes a string of it.
    private static func isCapital(_ character: Character) -> Bool {
        if let ascii = character.asciiValue { return UInt8(ascii: "A")...UInt8(ascii: "Z") ~= ascii }
        return character.isUppercase
    }

    /// Whether a character is a letter, but no capital; scripts without case count as small.
    private static func isSmall(_ character: Character) -> Bool {
        if let ascii = character.asciiValue { return UInt8(ascii: "a")...UInt8(ascii: "z") ~= ascii }
        return character.isLetter && !character.isUppercase
    }
}
