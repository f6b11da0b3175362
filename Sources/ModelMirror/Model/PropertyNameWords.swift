/// The words of a property's name, by the rules of ``KeyStrategy``.
///
/// ```swift
/// PropertyNameWords("_isHTTPSOnly").joined(separator: "_")  // "_is_https_only"
/// ```
struct PropertyNameWords {
    /// The words at their places in the name, so that what lies between two is the underscores between them.
    private let words: [ArraySlice<Character>]
    private let length: Int

    init(_ name: String) {
        let characters = Array(name)
        length = characters.count
        words = characters.split(separator: "_").flatMap(Self.words)
    }

    /// All words in lower case, with as many separators between two as there were underscores, at least one.
    func joined(separator: Character) -> String {
        // No `joined()`, with which the first property of a process would search all conformances.
        text { texts in
            texts.indices.reduce(into: "") { text, index in
                let gap = index == 0 ? 0 : max(1, words[index].startIndex - words[index - 1].endIndex)
                text += String(repeating: separator, count: gap) + texts[index].lowercased()
            }
        }
    }

    /// The words without separators, with a capital for each but the first.
    var camelCased: String { text { ($0.first?.lowercased() ?? "") + $0.dropFirst().map(\.capitalised).joined() } }

    /// The text that a function makes of the words, between the underscores at either end.
    func text(_ join: ([String]) -> String) -> String {
        // No `String($0)` of characters, with which the runtime would search all conformances, either.
        String(repeating: "_", count: words.first?.startIndex ?? length)
            + join(words.map { word in word.reduce(into: "") { $0.append($1) } })
            + String(repeating: "_", count: length - (words.last?.endIndex ?? length))
    }

    private static func words(of part: ArraySlice<Character>) -> [ArraySlice<Character>] {
        let starts = [part.startIndex] + part.indices.dropFirst().filter { beginsWord(at: $0, in: part) }
        let bounds = starts + [part.endIndex]
        return starts.indices.map { part[bounds[$0]..<bounds[$0 + 1]] }
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
    package var capitalised: String { prefix(1).uppercased() + dropFirst() }
}
