/// How the values that were converted for an object are stored, by row; of duplicate keys the last.
///
/// A class, since a row that is settled before the others are stored is taken away while the frame is only read.
final class PreparedStores {
    var stores: [Int: PropertyRow.Store] = [:]
}

/// What an update will do to objects that exist already, once all of its values have been converted.
struct PendingUpdate {
    /// One object that is updated.
    struct Part {
        let object: AbstractModel
        let table: PropertyTable
        let frame: ObjectFrame
    }

    /// The objects, children first.
    var parts: [Part] = []

    /// Stores everything, in declared order.
    ///
    /// - Returns: what takes it all back.
    func store() -> () -> Void {
        var undos: [() -> Void] = []
        for part in parts {
            let stores = part.frame.prepared?.stores ?? [:]
            for row in stores.keys.sorted() {
                if let stored = stores[row]?(part.object) { undos.append(stored.putBack) }
            }
        }
        return { for undo in undos.reversed() { undo() } }
    }
}
