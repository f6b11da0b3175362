/// What is wrong with a class, so that nothing is mapped onto it: a programmer's mistake, not the data's.
///
/// ```text
/// Gist cannot be mapped: propertyKeys names "createdat", which is no stored property of Gist (did you mean "createdAt"?).
/// ```
public struct InvalidModel: Error, Hashable, Sendable, CustomStringConvertible {
    /// The class.
    public let model: String
    /// The property in question; nil where it is the class as a whole.
    public let property: String?
    /// What is wrong and how to mend it, one sentence without the class and the full stop.
    public let reason: String

    /// One sentence.
    public var description: String { "\(model) cannot be mapped: \(reason)." }
}
