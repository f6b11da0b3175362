import Foundation

/// Runs tasks on one thread, in an order drawn from a seed, so that a run of any number of tasks can be repeated exactly.
///
/// The jobs that the thread's tasks enqueue stay on the thread, since a hook of the runtime is asked for each; those of other
/// threads are not affected. When no job is left, everybody waits for somebody else: then one of the tasks that wait for
/// ``settled()`` continues, and without one the simulation ends, finished or not.
final class Simulation: TaskExecutor, @unchecked Sendable {
    private typealias Original = @convention(thin) (UnownedJob) -> Void
    private typealias Hook = @convention(thin) (UnownedJob, Original) -> Void

    private var jobs: [UnownedJob] = []
    private var settling: [CheckedContinuation<Void, Never>] = []
    private var random: SplitMix64

    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        pthread_key_create(&key, nil)
        return key
    }()

    /// Whether the runtime has the hook.
    static let isAvailable: Bool = {
        guard let symbol = dlsym(dlopen(nil, RTLD_NOW), "swift_task_enqueueGlobal_hook") else { return false }
        // The runtime declares it as a pointer to a function with these arguments.
        symbol.assumingMemoryBound(to: Hook?.self).pointee = { job, original in
            if let current = Simulation.current { current.jobs.append(job) } else { original(job) }
        }
        return true
    }()

    /// The simulation of this thread.
    static var current: Simulation? {
        pthread_getspecific(key).map { Unmanaged<Simulation>.fromOpaque($0).takeUnretainedValue() }
    }

    init(seed: UInt64) { random = SplitMix64(seed: seed) }

    func enqueue(_ job: UnownedJob) { jobs.append(job) }

    /// Runs work to its end.
    ///
    /// - Returns: Whether it ended; false if it waits for something that will never happen.
    func run(_ work: @escaping @Sendable () async -> Void) -> Bool {
        precondition(Simulation.isAvailable && Simulation.current == nil)
        pthread_setspecific(Simulation.key, Unmanaged.passUnretained(self).toOpaque())
        defer { pthread_setspecific(Simulation.key, nil) }
        let end = End()
        Task.detached {
            await work()
            end.isReached = true
        }
        while true {
            if !jobs.isEmpty {
                jobs.swapAt(random.below(jobs.count), jobs.count - 1)
                jobs.removeLast().runSynchronously(on: asUnownedTaskExecutor())
            } else if !settling.isEmpty {
                settling.remove(at: random.below(settling.count)).resume()
            } else {
                return end.isReached
            }
        }
    }

    /// Waits until no other task can continue.
    static func settled() async {
        guard let current else { return await Task.yield() }
        await withCheckedContinuation { current.settling.append($0) }
    }

    /// Used on one thread.
    private final class End: @unchecked Sendable {
        var isReached = false
    }
}

/// Steele, Lea and Flood, "Fast splittable pseudorandom number generators", 2014.
struct SplitMix64: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(limit)) }

    /// True in some of a hundred cases.
    mutating func chance(_ percent: Int) -> Bool { below(100) < percent }

    mutating func one<Element>(of elements: [Element]) -> Element { elements[below(elements.count)] }
}
