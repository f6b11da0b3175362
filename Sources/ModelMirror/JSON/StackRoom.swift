import ModelMirrorFoundation

/// Tells when a recursion must stop because the stack of the calling thread is nearly used up.
///
/// The bounds of the stack are looked up once per thread; afterwards a level costs one comparison with an address in its own
/// frame. The stack below the ``floor`` is reserved for what a level calls: the user's converters and hooks, and the steps of
/// building a property table, which takes more in all when it is not optimized.
///
/// Use it only on the thread that made it.
struct StackRoom {
    /// The lowest address at which a level may begin.
    private let floor: UInt

    @inline(__always)
    init() { floor = StackRoom.floorOfThread }

    /// Whether there is room for another level.
    @inline(__always)
    var isLeft: Bool { StackRoom.position > floor || !StackRoom.isOnStack }

    /// A number that identifies the calling thread while it runs.
    static var thread: UInt {
        #if canImport(Glibc)
        pthread_self()
        #else
        UInt(bitPattern: pthread_self())
        #endif
    }

    /// The number of levels of `bytes` each that there is room for.
    func levels(of bytes: Int) -> Int {
        let position = StackRoom.position
        guard position > floor else { return StackRoom.isOnStack ? 0 : .max }
        return Int(clamping: position - floor) / bytes
    }

    /// An address in the frame of the caller.
    @inline(__always)
    private static var position: UInt {
        var mark: UInt8 = 0
        return withUnsafeMutablePointer(to: &mark) { UInt(bitPattern: $0) }
    }

    /// Whether locals are on the thread's stack. The address sanitizer moves them elsewhere.
    @inline(never)
    private static var isOnStack: Bool { bounds().map { $0.contains(position) } ?? false }

    // MARK: The thread's stack

    /// The bytes reserved for what a level calls: an eighth of the stack, at least 24 KB and at most 128 KB.
    private static func reserve(of size: UInt) -> UInt { min(max(size / 8, 24 << 10), 128 << 10) }

    /// Caches the floor of each thread, because Linux reads a file to find the bounds of the main thread.
    private static let key: pthread_key_t? = {
        var key = pthread_key_t()
        return pthread_key_create(&key, nil) == 0 ? key : nil
    }()

    @inline(__always)
    private static var floorOfThread: UInt {
        guard let key, let known = pthread_getspecific(key) else { return findFloor() }
        return UInt(bitPattern: known)
    }

    /// The floor of the calling thread; 1, which nothing is below, if its bounds are unknown.
    @inline(never)
    private static func findFloor() -> UInt {
        let floor = bounds().map { $0.lowerBound + reserve(of: $0.upperBound - $0.lowerBound) } ?? 1
        if let key { pthread_setspecific(key, UnsafeMutableRawPointer(bitPattern: floor)) }
        return floor
    }

    /// The addresses of the calling thread's stack, without its guard pages.
    private static func bounds() -> Range<UInt>? {
        #if canImport(Darwin)
        let top = UInt(bitPattern: pthread_get_stackaddr_np(pthread_self()))
        let size = UInt(pthread_get_stacksize_np(pthread_self()))
        return size < top ? top - size..<top : nil
        #else
        var attributes = pthread_attr_t()
        guard getAttributes(pthread_self(), &attributes) == 0 else { return nil }
        defer { pthread_attr_destroy(&attributes) }
        var base: UnsafeMutableRawPointer?
        var size = 0
        var unused = 0
        guard pthread_attr_getstack(&attributes, &base, &size) == 0, let base,
            pthread_attr_getguardsize(&attributes, &unused) == 0, unused < size
        else { return nil }
        return UInt(bitPattern: base) + UInt(unused)..<UInt(bitPattern: base) + UInt(size)
        #endif
    }
}

#if !canImport(Darwin)
/// `pthread_getattr_np`, which Swift's C library module omits because the header requires `_GNU_SOURCE`.
@_silgen_name("pthread_getattr_np")
private func getAttributes(_ thread: pthread_t, _ attributes: UnsafeMutablePointer<pthread_attr_t>) -> Int32
#endif
