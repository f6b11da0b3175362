import ModelMirror

/// Writes the Swift source of model classes for JSON documents.
///
/// The source begins with a comment, the call that reads the documents. It imports what it needs and can be pasted as is.
///
/// ```swift
/// let documents = [Array(#"[{"id": "1", "created_at": "2016-01-23T18:30:00Z"}]"#.utf8)]
/// print(try ClassInference.source(documents: documents, name: "Gist"))
/// // let gists = try [Gist](json: data)
///
/// class Gist: AbstractModel {
///     var id = ""
///     var createdAt: Date!
///
///     override class var keyStrategy: KeyStrategy { .snakeCase }
/// }
/// ```
///
/// The classes map the documents strictly, with unknown keys as failures, and write them back equal, except that dates, UUIDs
/// and URLs may be spelled differently, and that a `null` may be left out where other objects of the class lack the key.
public enum ClassInference {
    /// Writes the source of the classes for documents, which are all samples of one root class.
    ///
    /// - Parameters:
    ///   - documents: JSON texts in UTF-8.
    ///   - name: The name of the root class, or of the class of the elements of a root array or dictionary. Defaults to `Root`,
    ///     or `Item` for elements. Common types of Swift, such as `Error`, are not valid names.
    ///   - prefix: What the names of all other classes and enums begin with, such as `GitHub`.
    ///   - keys: How the keys are spelled: `keyStrategy` is used where it makes every key of a class, otherwise `propertyKeys`. Defaults
    ///     to the first style that makes every key of a class.
    /// - Throws: ``InferenceError`` if there is no document, one is not JSON, no class can be their root, or the name or prefix is not
    ///   valid for a class.
    public static func source(
        documents: [[UInt8]], name: String? = nil, prefix: String = "", keys: KeyStyle? = nil
    ) throws(InferenceError) -> String {
        try source(documents: documents, ClassNaming(root: name, prefix: prefix), keys: keys)
    }

    /// - Parameter progress: Called with each new percentage.
    static func source(
        documents: [[UInt8]], _ naming: ClassNaming, keys: KeyStyle?, progress: @escaping (Int) -> Void = { _ in }
    ) throws(InferenceError) -> String {
        guard !documents.isEmpty else { throw .noDocuments }
        try naming.check()
        var samples: [Sample] = []
        for (index, document) in documents.enumerated() {
            samples.append(try sample(document, number: index + 1, of: documents.count))
        }
        let shapes = try SampleShapes.shapes(of: KeyForms.marked(samples), progress: progress)
        return SwiftText(ClassPlanner.plan(shapes, naming, keys: keys)).source
    }

    /// Reads a document.
    ///
    /// - Throws: ``InferenceError/invalidDocument(number:count:reason:)``.
    static func sample(_ document: [UInt8], number: Int = 1, of count: Int = 1) throws(InferenceError) -> Sample {
        do {
            return try Sample(json: document)
        } catch {
            throw .invalidDocument(number: number, count: count, reason: "\(error)")
        }
    }
}
