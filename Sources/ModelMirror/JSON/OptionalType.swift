/// An Optional, asked for by a cast.
protocol OptionalType {
    /// The type inside.
    static var wrappedType: Any.Type { get }
    /// The value inside, if there is one.
    var wrappedValue: Any? { get }
    /// Whether there is none.
    var isNone: Bool { get }
    /// `nil` of this type.
    static var none: Self { get }
}

extension Optional: OptionalType {
    static var wrappedType: Any.Type { Wrapped.self }
    var wrappedValue: Any? { self }
    var isNone: Bool { self == nil }
}
