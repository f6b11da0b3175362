#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// A thread that can be joined; ``join()`` returns after the system has released it.
struct ServerThread: Sendable {
    private final class Body {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    #if canImport(Glibc)
    private let thread: pthread_t
    #else
    // pthread_t is a pointer on this platform; it is only passed back to the system.
    private nonisolated(unsafe) let thread: pthread_t
    #endif

    init(_ run: @escaping @Sendable () -> Void) throws {
        let body = Unmanaged.passRetained(Body(run))
        #if canImport(Glibc)
        var started = pthread_t()
        #else
        var started: pthread_t?
        #endif
        let code = pthread_create(&started, nil, { ServerThread.enter($0) }, body.toOpaque())
        guard code == 0 else {
            body.release()
            throw SocketFailure("pthread_create", code: code)
        }
        #if canImport(Glibc)
        thread = started
        #else
        guard let started else { throw SocketFailure("pthread_create", code: EAGAIN) }
        thread = started
        #endif
    }

    // Optional on some systems only.
    private static func enter(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        if let argument { Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run() }
        return nil
    }

    /// Waits until the thread has ended. Called on the thread itself, it detaches the thread instead.
    func join() {
        if pthread_equal(thread, pthread_self()) != 0 {
            pthread_detach(thread)
        } else {
            pthread_join(thread, nil)
        }
    }
}
