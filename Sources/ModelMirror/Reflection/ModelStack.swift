/// The objects of the arrays that are being read, outer arrays first.
///
/// Objects are collected here and then moved into an array of their own type, allocated once in its final size; so one loop
/// serves all classes.
///
/// Unsafe: one block of references, the first `count` of which are initialized.
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

    /// Removes and returns the objects from index `first` on, all of which `type.init()` made.
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
