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
    ///
    /// An array of objects has the same storage whatever their class; made as one of `Model`, the runtime would look up the storage's
    /// type for each array. (Measured: 6 % of the instructions of citm.)
    @inline(__always)
    mutating func pop<Model: AbstractModel>(_ type: Model.Type, from first: Int) -> [Model] {
        unsafeBitCast(pop(from: first), to: [Model].self)
    }

    private mutating func pop(from first: Int) -> [AbstractModel] {
        guard let base, first < count else { return [] }
        let taken = count - first
        count = first
        return [AbstractModel](unsafeUninitializedCapacity: taken) { buffer, initialized in
            buffer.baseAddress?.moveInitialize(from: base + first, count: taken)
            initialized = taken
        }
    }

    deinit {
        base?.deinitialize(count: count)
        base?.deallocate()
    }
}
