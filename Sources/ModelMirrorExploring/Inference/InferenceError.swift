public import ModelMirror
public import Foundation

/// Why classes cannot be inferred.
public enum InferenceError: LocalizedError, SentenceError, Hashable, Sendable, CustomStringConvertible {
    /// There is no document.
    case noDocuments
    /// A document is not JSON.
    ///
    /// - Parameters:
    ///   - number: The number of the document, from 1.
    ///   - count: The number of documents.
    ///   - reason: A sentence with line and column.
    case invalidDocument(number: Int, count: Int, reason: String)
    /// The root is not an object, or a list or dictionary of objects.
    case noClass(found: String)
    /// The name cannot be that of a class.
    case invalidName(String)
    /// A JSON Schema or an OpenAPI document that cannot be read; the reason is a sentence.
    case invalidSchema(reason: String)

    /// One sentence.
    public var description: String {
        switch self {
        case .noDocuments: "There is no document to infer classes from; give at least one."
        case .invalidDocument(_, count: 1, let reason): reason
        case .invalidDocument(let number, let count, let reason):
            "Document \(number) of \(count): \(reason)"
        case .noClass(let found):
            "The root is \(found), which no class can be; give a document whose root is an object, or a list or dictionary of "
                + "objects."
        case .invalidName(let name):
            "\"\(name)\" cannot be the name of a class, or begin one; use letters, digits and underscores, a letter first, "
                + "and no keyword or common type of Swift or ModelMirror, such as Error."
        case .invalidSchema(let reason): reason
        }
    }
}
