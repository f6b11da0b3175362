/// How the keys of documents are spelled, for ``ClassInference``.
///
/// The raw values are the words of a command line: `KeyStyle(rawValue: "snake")`.
public enum KeyStyle: String, CaseIterable, Sendable {
    /// The key is the property's name.
    case exact
    /// `created_at`.
    case snake
    /// `created-at`.
    case kebab
    /// `CreatedAt`.
    case pascal
}
