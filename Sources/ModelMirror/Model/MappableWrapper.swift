/// A property wrapper whose properties are mapped by their own name and type.
///
/// A wrapper with a stored `wrappedValue` needs no conformance. A wrapper that computes it must conform:
///
/// ```swift
/// @propertyWrapper struct Clamped: MappableWrapper {
///     private var number = 0
///     var wrappedValue: Int {
///         get { number }
///         set { number = min(max(newValue, 0), 100) }
///     }
///     init(wrappedValue: Int) { self.wrappedValue = wrappedValue }
/// }
/// class Vote: AbstractModel {
///     @Clamped var share = 50            // {"share": 250} makes it 100
/// }
/// ```
///
/// The wrapper is copied, its `wrappedValue` set, and the copy stored.
public protocol MappableWrapper<WrappedValue>: SendableMetatype {
    /// The type of the properties.
    associatedtype WrappedValue
    /// The value of a property.
    var wrappedValue: WrappedValue { get set }
}
