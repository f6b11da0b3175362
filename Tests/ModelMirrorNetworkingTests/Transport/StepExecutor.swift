import Dispatch

/// Runs the jobs of tasks one after the other, so that a test knows when its tasks are waiting.
///
/// ```swift
/// let executor = StepExecutor()
/// let task = Task(executorPreference: executor) { try await transport.response(to: request) }
/// await executor.settle()  // the task waits for something that is not on this executor
/// ```
final class StepExecutor: TaskExecutor {
    private let queue = DispatchQueue(label: "StepExecutor")

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }

    /// Waits until all ready jobs have run, and those that they made ready.
    func settle() async {
        for _ in 0..<8 {
            await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
        }
    }
}
