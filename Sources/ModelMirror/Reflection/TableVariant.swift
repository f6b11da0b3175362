import Synchronization

/// A plan that is made once for all calls.
final class KnownPlan<Value>: Sendable {
    let plan: TypePlan<Value>
    /// The class whose options apply to a call.
    let model: AbstractModel.Type?
    /// Whether the type can be read, not only written.
    let isReadable: Bool

    init(_ plan: TypePlan<Value>, isReadable: Bool = true) {
        self.plan = plan
        self.isReadable = isReadable
        model = plan.held as? AbstractModel.Type
    }
}

/// The property tables for one set of table rules: a call's own (date forms, keys, coders) or, for ``standard``, only those of
/// the classes.
///
/// No lock is held while a table is made, because that runs user code: two threads may build the same table, and the first one
/// published wins. A refused class keeps its error. Rules that can be compared (all but closures and coders) share one variant
/// program-wide, so options may be made anew for each call; other rules have one variant per value of ``MappingOptions``. The
/// options retain the variant and the session retains the options, so the tables outlive each call that uses them.
final class TableVariant: Sendable {
    let rules: TableRules
    private let tables = Mutex<[ObjectIdentifier: MadeTable]>([:])
    /// The plans of types that are not properties, and those of arrays, by the class of their models.
    private let plans = Mutex<[ObjectIdentifier: any AnyObject & Sendable]>([:])

    /// The tables that follow only the rules of the classes.
    static let standard = TableVariant(TableRules())

    private init(_ rules: TableRules) { self.rules = rules }

    /// The variant for the rules of a call; nil if it has none.
    static func of(_ options: MappingOptions) -> TableVariant? {
        guard let shared = options.shared else { return nil }
        return shared.tables.withLock { tables in
            if let known = tables as? TableVariant { return known }
            let made = variant(for: shared.rules)
            tables = made
            return made
        }
    }

    /// The table of a class, if it was made.
    func known(_ type: AbstractModel.Type) throws(InvalidModel) -> PropertyTable? {
        try tables.withLock { $0[ObjectIdentifier(type)] }?.get()
    }

    /// The table of an object's class. If there is none yet, it is made and compared with this object.
    func table(for object: AbstractModel) throws(InvalidModel) -> PropertyTable {
        let key = ObjectIdentifier(type(of: object))
        if let known = tables.withLock({ $0[key] }) { return try known.get() }
        guard StackRoom().isLeft else { throw InvalidModel(type(of: object), PlanBuilder.lessStack, isTransient: true) }
        let making = (thread: StackRoom.thread, model: key)
        let isFirst = TableVariant.making.withLock { all in
            if all.contains(where: { $0 == making }) { return false }
            all.append(making)
            return true
        }
        guard isFirst else {
            let reason = "its customMirror or one of its rules maps, copies or writes an object of the class itself"
            throw InvalidModel(type(of: object), reason)
        }
        defer { TableVariant.making.withLock { $0.removeAll { $0 == making } } }
        let made: MadeTable
        do throws(InvalidModel) {
            let table = try PropertyTableBuilder(object, self).makeTable()
            made = MadeTable { () throws(InvalidModel) in table }
        } catch {
            // Another thread may have room.
            if error.isTransient { throw error }
            made = MadeTable { () throws(InvalidModel) in throw error }
        }
        return try tables.withLock { tables in
            if let first = tables[key] { return first }
            tables[key] = made
            return made
        }.get()
    }

    /// The plan of a type for calls by these rules; nil if nothing converts it.
    func plan<Value>(for type: Value.Type) throws(InvalidModel) -> KnownPlan<Value>? {
        let key = ObjectIdentifier(type)
        if let known = plans.withLock({ $0[key] }) as? KnownPlan<Value> { return known }
        // Over none of a class: those of the call, for the models inside of a `Codable` value.
        let builder = PlanBuilder(rules: rules.over(TableRules()))
        guard let plan = try builder.plan(for: type) else { return nil }
        let made = KnownPlan(plan, isReadable: builder.limits.unreadable == nil)
        plans.withLock { $0[key] = made }
        return made
    }

    /// The tables that threads are making. A `customMirror` or a rule of the class that needs its table itself would make it
    /// again, in an endless recursion. Few at a time. (To be in a set, the runtime would search for a conformance.)
    private static let making = Mutex<[(thread: UInt, model: ObjectIdentifier)]>([])

    /// Returns the table of a class, or throws why there is none. (In a structure, since a function in a dictionary is called through
    /// thunks.)
    private struct MadeTable: Sendable { let get: @Sendable () throws(InvalidModel) -> PropertyTable }

    // MARK: Rules that can be compared

    /// Equal for rules that make equal tables.
    private struct Identity: Hashable {
        let dates: String
        let keyStrategy: String
        let nonFiniteNumbers: NonFiniteNumbers?
    }

    private static let known = Mutex<[Identity: TableVariant]>([:])
    /// A program has a handful; more than that are probably made from data, and are not kept.
    private static let knownLimit = 64

    private static func variant(for rules: TableRules) -> TableVariant {
        let dates = rules.dates.map { $0.ownIdentity } ?? ""
        let strategy = rules.keyStrategy.map(\.identity) ?? ""
        guard let dates, let strategy, rules.decoder == nil, rules.encoder == nil else { return TableVariant(rules) }
        let identity = Identity(dates: dates, keyStrategy: strategy, nonFiniteNumbers: rules.nonFiniteNumbers)
        return known.withLock { known in
            if let variant = known[identity] { return variant }
            let variant = TableVariant(rules)
            if known.count < knownLimit { known[identity] = variant }
            return variant
        }
    }
}
