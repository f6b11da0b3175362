/// The members of a class in declared order, as plain structures in one block that the writing loop reaches without counting
/// references: with arrays of members, that was a quarter of its time.
///
/// Unsafe: the block and the key bytes are written once, in `init`, and freed with this object, which the class's table keeps.
/// Every access is by a number below `count`.
final class WritingSlots: @unchecked Sendable {  // nothing changes after init
    /// One member.
    struct Slot {
        /// What is to be written: a property of that type, `.other` through its row, `.shared` a member of the plan.
        let kind: KeySlot.Kind
        let row: Int32
        /// Bytes from the object's address to the property.
        let offset: Int32
        /// The key with a comma before it, in quotes, and a colon.
        let key: UnsafeBufferPointer<UInt8>
    }

    let count: Int
    private let slots: UnsafeMutablePointer<Slot>

    init(_ members: [WritingPlan.Member], _ rows: [PropertyRow]) {
        count = members.count
        slots = .allocate(capacity: max(count, 1))
        for (number, member) in members.enumerated() {
            let key = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: member.key.bytes.count + 1)
            _ = key.initialize(fromContentsOf: [UInt8(ascii: ",")] + member.key.bytes)
            var slot = Slot(kind: .shared, row: 0, offset: 0, key: UnsafeBufferPointer(key))
            if case .row(let row) = member.node {
                slot = Slot(kind: rows[row].kind, row: Int32(row), offset: Int32(rows[row].offset), key: slot.key)
            }
            (slots + number).initialize(to: slot)
        }
    }

    deinit {
        for number in 0..<count { slots[number].key.deallocate() }
        slots.deallocate()
    }

    /// The member with a number below `count`.
    @inline(__always)
    subscript(number: Int) -> Slot { slots[number] }
}
