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

extension Optional {
    /// Stores the value; false if there is none.
    @inline(__always)
    consuming func isStored(by store: (consuming Wrapped) -> Void) -> Bool {
        guard let value = consume self else { return false }
        store(value)
        return true
    }
}

extension RawRepresentable {
    /// The type of the raw values, for a type that is known at run time only.
    static var rawType: Any.Type { RawValue.self }
}
