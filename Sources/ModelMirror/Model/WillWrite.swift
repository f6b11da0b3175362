/// A model class that prepares its objects for writing.
///
/// ```swift
/// class Draft: AbstractModel, WillWrite {
///     var title = ""
///     var slug = ""
///     func willWrite() throws {
///         guard !title.isEmpty else { throw ConversionError(expected: "a title") }
///         slug = title.lowercased()
///     }
/// }
/// ```
///
/// Comparing, copying, printing, updating and ``AbstractModel/merge(patch:options:)`` do not call it.
public protocol WillWrite: AbstractModel, SendableMetatype {
    /// Called on the writing thread each time the object is written as JSON, before its properties and the objects in them.
    ///
    /// - Throws: Any error fails the write, as a failure with the object's path.
    func willWrite() throws
}
