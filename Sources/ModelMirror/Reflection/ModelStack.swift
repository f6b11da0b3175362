/// The objects of the arrays that are being read, those of outer arrays first.
///
/// Collected here, the objects of an array are moved into an array of their own type that is allocated once and in its size, and
/// one loop serves all classes.
///
/// Unsafe: one block of references, the first `count` of which are initialised.
struct ModelStack: ~Copyable {
    private var base: UnsafeMutablePointer<AbstractModel>?
    private var capacity = 0
    private(set) var count = 0

    @inline(__always)
    mutating func push(_ object: consuming AbstractModel) {
        if count == capacity { grow() }
        base.unsafelyUnwrapped.advanced(by: count).initialize(to: object)
        count += 1
    }

    @inline(never)
    private mutating func grow() {
        let larger = UnsafeMutablePointer<AbstractModel>.allocate(capacity: max(capacity * 2, 16))
        if let base {
            larger.moveInitialize(from: base, count: count)
            base.deallocate()
        }
        (base, capacity) = (larger, max(capacity * 2, 16))
    }

    /// Takes away the objects from a number on, all of which were made by this very class.
    mutating func pop<Model: AbstractModel>(_ type: Model.Type, from first: Int) -> [Model] {
        guard let base, first < count else { return [] }
        let taken = count - first
        count = first
        return [Model](unsafeUninitializedCapacity: taken) { buffer, initialised in
            guard let target = buffer.baseAddress else { return }
            for index in 0..<taken {
                (target + index).initialize(to: unsafeDowncast((base + first + index).move(), to: Model.self))
            }
            initialised = taken
        }
    }

    deinit {
        base?.deinitialize(count: count)
        base?.deallocate()
    }
}
