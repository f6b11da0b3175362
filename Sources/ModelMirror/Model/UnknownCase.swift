/// An enum (or other raw-representable type) that has a case for raw values it does not know.
///
/// Without it, an unknown raw value is a value of the wrong kind. With it, the value becomes ``unknownCase``, and the
/// mapping report says so (`.coerced`).
///
/// ```swift
/// enum Plan: String, UnknownCase {
///     case free, pro, other
///     static var unknownCase: Plan { .other }
/// }
/// ```
public protocol UnknownCase: SendableMetatype {
    /// What unknown raw values become.
    static var unknownCase: Self { get }
}
