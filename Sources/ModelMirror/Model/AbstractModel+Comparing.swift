extension AbstractModel {
    /// The rows of the object's class that say what it is: all but those of ``ignoredProperties``. Nil if the class cannot be
    /// mapped.
    fileprivate var comparedRows: [PropertyRow]? {
        (try? PropertyTableCache.table(for: self))?.rows.filter { $0.isRead || $0.isWritten }
    }

    /// What ``isEqual(to:)`` does unless it is overridden.
    func isEqualByTable(_ other: AbstractModel) -> Bool {
        if self === other { return true }
        guard type(of: self) == type(of: other), let rows = comparedRows else { return false }
        let pair = ModelPair(left: ObjectIdentifier(self), right: ObjectIdentifier(other))
        // Where two graphs have cycles, what is being compared already is equal unless something else differs.
        guard !ModelPair.open.contains(pair) else { return true }
        return ModelPair.$open.withValue(ModelPair.open.union([pair])) {
            rows.allSatisfy { $0.areEqual(self, other) }
        }
    }

    /// What ``copy()`` does unless it is overridden.
    func copyByTable<Model: AbstractModel>(as type: Model.Type) throws(ModelError) -> Model {
        let copies = ModelCopies.current ?? ModelCopies()
        if let known = copies.objects[ObjectIdentifier(self)] as? Model { return known }
        let table: PropertyTable
        do throws(InvalidModel) { table = try PropertyTableCache.table(for: self) } catch { throw .invalidModel(error) }
        let object = type.init()
        copies.objects[ObjectIdentifier(self)] = object
        let failure = ModelCopies.$current.withValue(copies) { () -> ModelError? in
            do throws(ModelError) {
                for row in table.rows { try row.copy(self, object) }
                return nil
            } catch {
                return error
            }
        }
        if let failure { throw failure }
        return object
    }

    /// Feeds the values that a hash may depend on: those of the class's own standard types. Nested objects are left out, so
    /// that cycles do no harm.
    func hashByTable(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(type(of: self)))
        guard let rows = comparedRows else { return hasher.combine(ObjectIdentifier(self)) }
        for row in rows {
            if let value = row.value(self) as? any JSONScalar { value.hash(into: &hasher) }
        }
    }
}

/// Two objects that are being compared.
private struct ModelPair: Hashable, Sendable {
    let left: ObjectIdentifier
    let right: ObjectIdentifier

    @TaskLocal static var open: Set<ModelPair> = []
}

/// The copies that one deep copy has made so far, so that an object that is met twice is copied once.
///
/// `@unchecked Sendable`, as a task-local value must be: it lives on one thread, within one call of `copy()`.
private final class ModelCopies: @unchecked Sendable {
    var objects: [ObjectIdentifier: AbstractModel] = [:]

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

    /// Feeds the class and its simple properties.
    public func hash(into hasher: inout Hasher) { hashByTable(into: &hasher) }
}
