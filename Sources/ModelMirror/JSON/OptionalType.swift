/// An Optional of any type, found by a cast.
protocol OptionalType {
    static var wrappedType: Any.Type { get }
    var wrappedValue: Any? { get }
    var isNone: Bool { get }
    static var none: Self { get }
}

extension Optional: OptionalType {
    static var wrappedType: Any.Type { Wrapped.self }
    var wrappedValue: Any? { self }
    var isNone: Bool { self == nil }
}
