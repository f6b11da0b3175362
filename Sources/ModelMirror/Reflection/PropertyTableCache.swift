import Synchronization

/// The tables of all classes, for all threads: those of ``TableVariant/standard``, and those by the table rules of a call.
enum PropertyTableCache {
    /// The table that was used last: programs that map one small object after the other mostly map one class.
    private static let recent = TableReference()

    /// The table of an object's class; made, if it is the first, by comparing it with this object, which nobody has written
    /// to yet.
    static func table(for object: AbstractModel) throws(InvalidModel) -> PropertyTable {
        if let table = recent.known, table.model == type(of: object) { return table }
        let table = try TableVariant.standard.table(for: object)
        recent.remember(table)
        return table
    }

    /// The table of a class; made with an object of its own, if the class was never mapped.
    static func table(for type: AbstractModel.Type) throws(InvalidModel) -> PropertyTable {
        if let table = recent.known, table.model == type { return table }
        if let known = try TableVariant.standard.known(type) { return known }
        return try TableVariant.standard.table(for: type.init())
    }

    /// The table of an object's class by the table rules of a call.
    static func table(
        for object: AbstractModel, _ variant: TableVariant?
    ) throws(InvalidModel) -> PropertyTable {
        if let variant { return try variant.table(for: object) }
        return try table(for: object)
    }
}

/// A place that finds a class's table once and then remembers it, without a lock and without counting references.
///
/// Every codec of a nested model has one, so that recursive classes need no special care: the table is looked up when the
/// first object is read, not when the outer table is made.
///
/// Unsafe: the address of the table is kept as an atomic integer, since the standard library's `AtomicLazyReference` asks the
/// runtime for type metadata at every load, which cost a tenth of the time of small objects. Sound because the cache never
/// lets a table go, and a ``TableVariant`` outlives the codecs of its tables.
final class TableReference: Sendable {
    private let address = Atomic<UInt>(0)
    /// Whether different tables are asked for through it, so that none is remembered.
    private let isShared: Bool

    init(isShared: Bool = false) { self.isShared = isShared }

    /// The table, if it was found already.
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

    /// The table for an object that an initialiser of a class has made.
    ///
    /// Its class is compared always: an initialiser may make an object of another class (`self = …` in an extension of a protocol),
    /// whose properties lie elsewhere.
    ///
    /// - Parameters:
    ///   - model: The class that this place is for.
    ///   - variant: The table rules of the call; always the same, unless the place is shared.
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
                model: "\(model)", property: nil,
                reason: "its initialiser makes an object of \(type(of: object)), which is no subclass of it")
        }
        let table = try PropertyTableCache.table(for: object, variant)
        if table.model == model { remember(table) }
        return table
    }
}
