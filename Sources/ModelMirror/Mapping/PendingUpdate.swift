/// What an update will do to objects that exist already, once all of its values have been converted.
struct PendingUpdate {
    /// One object that is updated.
    struct Part {
        let object: AbstractModel
        let table: PropertyTable
        let frame: ObjectFrame
        /// What each row will store; of duplicate keys the last.
        var stores: [Int: PropertyRow.Store] = [:]
    }

    /// The objects, children first.
    var parts: [Part] = []

    /// Stores everything, in declared order.
    ///
    /// - Returns: what takes it all back.
    func store() -> () -> Void {
        var undos: [() -> Void] = []
        for part in parts {
            for row in part.stores.keys.sorted() {
                if let undo = part.stores[row]?(part.object) { undos.append(undo) }
            }
        }
        return { for undo in undos.reversed() { undo() } }
    }
}
