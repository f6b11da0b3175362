import Synchronization

/// The tables of all classes, for all threads: those of ``TableVariant/standard``, and those for the table rules of a call.
enum PropertyTableCache {
    /// The table that was used last: programs that map many small objects mostly map one class.
    private static let recent = TableReference()

    /// The table of an object's class by the table rules of a call. If there is none yet, it is made and compared with this object,
    /// which nobody has written to.
    static func table(for object: AbstractModel, _ variant: TableVariant? = nil) throws(InvalidModel) -> PropertyTable {
        if let variant { return try variant.table(for: object) }
        if let table = recent.known, table.model == type(of: object) { return table }
        let table = try TableVariant.standard.table(for: object)
        recent.remember(table)
        return table
    }

    /// The table of a class, made with a new object if the class was never mapped.
    static func table(for type: AbstractModel.Type) throws(InvalidModel) -> PropertyTable {
        if let table = recent.known, table.model == type { return table }
        let known = try TableVariant.standard.known(type)
        let table = if let known { known } else { try TableVariant.standard.table(for: type.init()) }
        recent.remember(table)
        return table
    }
}

/// Finds the table of a class once and then returns it without a lock or reference counting.
///
/// Every plan of a nested model has one, so that recursive classes need no special care: the table is looked up when the
/// first object is read, not when the outer table is made.
///
/// Unsafe: the address of the table is kept as an atomic integer, since the standard library's `AtomicLazyReference` asks the
/// runtime for type metadata at every load, which cost a tenth of the time of small objects. Sound because the cache never
/// releases a table, and a ``TableVariant`` outlives the plans of its tables.
final class TableReference: Sendable {
    private let address = Atomic<UInt>(0)
    /// Whether it serves calls with different table rules, so that no table is remembered.
    private let isShared: Bool

    init(isShared: Bool = false) { self.isShared = isShared }

    /// The table, if it was found before.
    @inline(__always)
    var known: PropertyTable? {
        UnsafeRawPointer(bitPattern: address.load(ordering: .acquiring)).map {
            Unmanaged<PropertyTable>.fromOpaque($0).takeUnretainedValue()
        }
    }

    func remember(_ table: PropertyTable) {
        if isShared { return }
        address.store(UInt(bitPattern: Unmanaged.passUnretained(table).toOpaque()), ordering: .releasing)
    }

    /// The table for an object that an initializer of `model` made.
    ///
    /// The object's class is always compared: an initializer may make an object of another class (`self = …` in a protocol
    /// extension), whose properties lie elsewhere.
    ///
    /// - Parameters:
    ///   - model: The class that this reference is for.
    ///   - variant: The table rules of the call; always the same, unless the reference is shared.
    @inline(__always)
    func table(
        for object: AbstractModel, madeAs model: AbstractModel.Type, _ variant: TableVariant? = nil
    ) throws(InvalidModel) -> PropertyTable {
        if let known, known.model == type(of: object) { return known }
        return try findTable(for: object, madeAs: model, variant)
    }

    @inline(never)
    private func findTable(
        for object: AbstractModel, madeAs model: AbstractModel.Type, _ variant: TableVariant?
    ) throws(InvalidModel) -> PropertyTable {
        guard type(of: object).isSubclass(of: model) else {
            throw InvalidModel(
                model, "its initializer makes an object of \(type(of: object)), which is not a subclass of it")
        }
        let table = try PropertyTableCache.table(for: object, variant)
        if table.model == model { remember(table) }
        return table
    }
}
