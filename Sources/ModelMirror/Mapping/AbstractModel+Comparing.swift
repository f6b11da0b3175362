extension AbstractModel: TableBacked {
    /// The rows that are compared: all but those of ``ignoredProperties``. Nil if the class cannot be mapped.
    fileprivate var comparedRows: [PropertyRow]? {
        (try? PropertyTableCache.table(for: self))?.rows.filter { $0.isRead || $0.isWritten || $0.takesUnknownKeys }
    }

    /// The default implementation of ``isEqual(to:)``.
    func isEqualByTable(_ other: AbstractModel) -> Bool {
        if self === other { return true }
        guard type(of: self) == type(of: other) else { return false }
        if let comparison = ModelComparison.current, comparison.isOfThisCall { return comparison.areEqual(self, other) }
        let comparison = ModelComparison()
        defer { comparison.end() }
        return ModelComparison.$current.withValue(comparison) { comparison.areWhollyEqual(self, other) }
    }

    /// The default implementation of ``copy()``.
    func copyByTable<Model: AbstractModel>(as type: Model.Type) throws(ModelError) -> Model {
        let outer = ModelCopies.current.flatMap { $0.isOfThisCall ? $0 : nil }
        let copies = outer ?? ModelCopies()
        if let known = copies.objects[ObjectIdentifier(self)]?.copy as? Model { return known }
        guard copies.stack.isLeft else { throw .lessStack(for: type) }
        let (table, object) = try copies.outside { () throws(ModelError) in (try propertyTable(), type.init()) }
        // Offsets are valid for one class only.
        let made = Swift.type(of: object)
        if made != table.model {
            let reason = "its initializer makes an object of another class, \(made), which only reading allows"
            throw .invalidModel(InvalidModel(table.model, reason))
        }
        copies.objects[ObjectIdentifier(self)] = (self, object)
        if outer != nil {
            try copies.fill(object, from: self, table)
            return object
        }
        defer { copies.end() }
        try ModelCopies.$current.withValue(copies) {
            Result { () throws(ModelError) in try copies.fill(object, from: self, table) }
        }.get()
        return object
    }

    /// Hashes the values of standard types, `Decodable` ones and raw values: of other types, such as colors, values with other hashes may
    /// be equal. Nested objects are left out, so that cycles cannot recurse.
    func hashByTable(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(type(of: self)))
        guard let rows = comparedRows else { return hasher.combine(ObjectIdentifier(self)) }
        for row in rows where !row.values.isDeep {
            let value = row.values.value(of: self)
            guard value is any JSONScalar || value is any Decodable || value is any RawRepresentable else { continue }
            (value as? any Hashable)?.hash(into: &hasher)
        }
    }
}

/// The state of one call of `isEqual(to:)` or `copy()`, which nested calls find in a task-local value.
///
/// `@unchecked Sendable`, since a task-local value must be Sendable: a task that is started inside the call inherits it, and
/// must not use it unless ``isOfThisCall``, which reads nothing mutable on another thread.
private class CallState: @unchecked Sendable {
    final let stack = StackRoom()
    private final let thread = StackRoom.thread
    private final var isOpen = true

    /// Whether the caller runs inside the call: on its thread, before it ends.
    final var isOfThisCall: Bool { thread == StackRoom.thread && isOpen }

    final func end() { isOpen = false }

    /// Runs code whose own calls are not part of this one, as those of an initializer.
    final func outside<Value>(_ body: () throws(ModelError) -> Value) throws(ModelError) -> Value {
        isOpen = false
        defer { isOpen = true }
        return try body()
    }
}

/// The pairs that one comparison takes for equal so far: those being compared, and those found equal.
private final class ModelComparison: CallState, @unchecked Sendable {
    private struct Pair: Hashable {
        let left, right: ObjectIdentifier

        init(_ left: AbstractModel, _ right: AbstractModel) {
            (self.left, self.right) = (ObjectIdentifier(left), ObjectIdentifier(right))
        }
    }

    private var pairs: Set<Pair> = []
    /// The same in order, kept alive so that no other objects take their addresses.
    private var order: [(left: AbstractModel, right: AbstractModel)] = []
    /// The pairs taken for equal because the stack was too small to compare them.
    private var postponed: [(left: AbstractModel, right: AbstractModel)] = []

    @TaskLocal static var current: ModelComparison?

    /// Whether two objects of one class are equal, including all postponed pairs.
    func areWhollyEqual(_ left: AbstractModel, _ right: AbstractModel) -> Bool {
        guard compare(left, right) else { return false }
        while let (left, right) = postponed.popLast() { guard compare(left, right) else { return false } }
        return true
    }

    /// Whether two objects of one class are equal, or taken for equal: a pair that is already being compared (a cycle) or was
    /// found equal before is not compared again, and a pair for which the stack is too small is compared later.
    func areEqual(_ left: AbstractModel, _ right: AbstractModel) -> Bool {
        if stack.isLeft { return compare(left, right) }
        postponed.append((left, right))
        return true
    }

    private func compare(_ left: AbstractModel, _ right: AbstractModel) -> Bool {
        guard pairs.insert(Pair(left, right)).inserted else { return true }
        order.append((left, right))
        let (mark, later) = (order.count - 1, postponed.count)
        guard let rows = left.comparedRows else { return false }
        if rows.allSatisfy({ $0.values.areEqual(left, right) }) { return true }
        // Also forgets the pairs found equal while this one was taken for equal.
        for (left, right) in order[mark...] { pairs.remove(Pair(left, right)) }
        order.removeSubrange(mark...)
        postponed.removeSubrange(later...)
        return false
    }
}

/// The copies that one deep copy has made so far, so that an object that occurs twice is copied once.
private final class ModelCopies: CallState, @unchecked Sendable {
    /// The originals are kept alive so that no other object takes their address.
    var objects: [ObjectIdentifier: (original: AbstractModel, copy: AbstractModel)] = [:]

    @TaskLocal static var current: ModelCopies?

    /// Copies the values of an object to a new object of its class.
    func fill(_ object: AbstractModel, from source: AbstractModel, _ table: PropertyTable) throws(ModelError) {
        // Simple values first: in a cycle through a set an object is hashed before all of it has been copied.
        for row in table.rows where !row.values.isDeep { try row.values.copy(from: source, to: object) }
        for row in table.rows where row.values.isDeep { try row.values.copy(from: source, to: object) }
    }
}

/// A model class whose objects are equal if their properties are.
///
/// ```swift
/// extension Gist: ModelHashable {}
/// ```
///
/// The objects are compared by ``AbstractModel/isEqual(to:)``. As with every mutable key, do not change an object while a set or
/// dictionary holds it.
public protocol ModelHashable: AbstractModel, Hashable {}

extension ModelHashable {
    /// Whether the objects are of one class and have equal properties.
    public static func == (left: Self, right: Self) -> Bool { left.isEqual(to: right) }

    /// Hashes the class and its simple properties.
    public func hash(into hasher: inout Hasher) { hashByTable(into: &hasher) }
}
