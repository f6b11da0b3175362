extension AbstractModel: TableBacked {
    /// The rows of the object's class that say what it is: all but those of ``ignoredProperties``. Nil if the class cannot be
    /// mapped.
    fileprivate var comparedRows: [PropertyRow]? {
        (try? PropertyTableCache.table(for: self))?.rows.filter { $0.isRead || $0.isWritten || $0.takesUnknownKeys }
    }

    /// What ``isEqual(to:)`` does unless it is overridden.
    func isEqualByTable(_ other: AbstractModel) -> Bool {
        if self === other { return true }
        guard type(of: self) == type(of: other), let rows = comparedRows else { return false }
        // What is being compared already, in a cycle, or was found equal before, by another way, is not compared again.
        let comparison = ModelComparison.current ?? ModelComparison()
        guard let mark = comparison.assume(self, other) else { return true }
        let areEqual = ModelComparison.$current.withValue(comparison) {
            rows.allSatisfy { $0.values.areEqual(self, other) }
        }
        if !areEqual { comparison.forget(from: mark) }
        return areEqual
    }

    /// What ``copy()`` does unless it is overridden.
    func copyByTable<Model: AbstractModel>(as type: Model.Type) throws(ModelError) -> Model {
        let copies = ModelCopies.current ?? ModelCopies()
        if let known = copies.objects[ObjectIdentifier(self)]?.copy as? Model { return known }
        let table: PropertyTable
        do throws(InvalidModel) { table = try PropertyTableCache.table(for: self) } catch { throw .invalidModel(error) }
        let object = type.init()
        copies.objects[ObjectIdentifier(self)] = (self, object)
        let failure = ModelCopies.$current.withValue(copies) { () -> ModelError? in
            do throws(ModelError) {
                // Simple values first: in a cycle through a set an object is hashed before all of it has been copied.
                for row in table.rows where !row.values.isDeep { try row.values.copy(from: self, to: object) }
                for row in table.rows where row.values.isDeep { try row.values.copy(from: self, to: object) }
                return nil
            } catch {
                return error
            }
        }
        if let failure { throw failure }
        return object
    }

    /// Hashes the values of standard types. Nested objects are left out, so
    /// that cycles do no harm.
    func hashByTable(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(type(of: self)))
        guard let rows = comparedRows else { return hasher.combine(ObjectIdentifier(self)) }
        for row in rows {
            if let value = row.values.value(of: self) as? any JSONScalar { value.hash(into: &hasher) }
        }
    }
}

/// What one comparison takes for equal so far: the pairs that are being compared, and those that were found equal.
///
/// `@unchecked Sendable`, as a task-local value must be: it lives on one thread, within one call of `isEqual(to:)`.
private final class ModelComparison: @unchecked Sendable {
    /// Two objects, kept alive so that no other object takes their address.
    private struct Pair: Hashable {
        let left: AbstractModel
        let right: AbstractModel

        static func == (one: Pair, two: Pair) -> Bool { one.left === two.left && one.right === two.right }

        func hash(into hasher: inout Hasher) {
            hasher.combine(ObjectIdentifier(left))
            hasher.combine(ObjectIdentifier(right))
        }
    }

    private var pairs: Set<Pair> = []
    private var order: [Pair] = []

    @TaskLocal static var current: ModelComparison?

    /// Takes two objects for equal while they are compared.
    ///
    /// - Returns: what ``forget(from:)`` wants if they are not; nil if they were taken for equal before.
    func assume(_ left: AbstractModel, _ right: AbstractModel) -> Int? {
        let pair = Pair(left: left, right: right)
        guard pairs.insert(pair).inserted else { return nil }
        order.append(pair)
        return order.count - 1
    }

    /// Forgets a pair that is not equal, and all that were found equal while it was taken for equal.
    func forget(from mark: Int) {
        for pair in order[mark...] { pairs.remove(pair) }
        order.removeSubrange(mark...)
    }
}

/// The copies that one deep copy has made so far, so that an object that is met twice is copied once.
///
/// `@unchecked Sendable`, as a task-local value must be: it lives on one thread, within one call of `copy()`.
private final class ModelCopies: @unchecked Sendable {
    /// The originals are kept alive so that no other object takes their address.
    var objects: [ObjectIdentifier: (original: AbstractModel, copy: AbstractModel)] = [:]

    @TaskLocal static var current: ModelCopies?
}

/// A model class whose objects are equal if their properties are, in one line:
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
