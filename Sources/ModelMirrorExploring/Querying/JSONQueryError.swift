public import Foundation
public import ModelMirror

// Indirect, so that it is one word in the frames of the recursive parser.
/// Why a query cannot be compiled or run.
public indirect enum JSONQueryError: LocalizedError, SentenceError, Sendable, CustomStringConvertible {
    /// The text is not a query of RFC 9535.
    ///
    /// - Parameters:
    ///   - position: The position in the text in Unicode scalars, from 1.
    ///   - expected: What the grammar or the types of functions require there.
    ///   - found: A part of the text, or "the end of the query".
    ///   - advice: What to write instead; nil if that is plain from what is expected.
    case invalidQuery(position: Int, expected: String, found: String, advice: String?)
    /// The document is not JSON, or exceeds a limit of depth, size or stack.
    case invalidDocument(ModelError)
    /// The query takes more than the given number of steps on this document.
    case tooManySteps(Int)
    /// A regular expression has more than the given number of states, or groups inside each other too deep.
    case largePattern(String, states: Int)

    /// One sentence.
    public var description: String {
        switch self {
        case .invalidQuery(let position, let expected, let found, let advice):
            "Invalid JSONPath at position \(position): expected \(expected), found \(found)"
                + (advice.map { "; \($0)." } ?? ".")
        case .invalidDocument(let error): "\(error)"
        case .tooManySteps(let limit):
            "The query takes more than \(limit) steps on this document; use fewer \"..\" and \"*\", or raise stepLimit."
        case .largePattern(let pattern, let states):
            "The regular expression \(String(pattern.prefix(40)).quotedForMessage) has more than \(states) states; use smaller counts in "
                + "braces, and fewer groups inside each other."
        }
    }
}
