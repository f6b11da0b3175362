#if os(Linux)
import Foundation
import ModelMirrorTesting
import Synchronization
import Testing

@testable import ModelMirrorNetworking

/// What a process with a ``CurlTransport`` may do: exit, fork and handle signals.
@Suite(.timeLimit(.hung), .network)
struct CurlTransportProcessTests {
    @Test(
        "A process that exits while requests are under way ends by itself, and its children have no connections of it")
    func exits() async throws {
        await #expect(processExitsWith: .exitCode(7)) {
            let server = try LoopbackServer()
            let gate = Gate()
            server.on(.get, "/", LoopbackResponse.text("a").held(at: gate))
            let transport = CurlTransport()
            for _ in 0..<4 {
                Task { _ = try await transport.response(to: TransportRequest(.get, server.url("/"))) }
            }
            try await gate.arrivals(atLeast: 4)
            let (process, output) = (Process(), Pipe())
            process.executableURL = URL(fileURLWithPath: "/bin/sh")
            process.arguments = [
                "-c",
                "ls -l /proc/$$/fd | sed -n 's/.*socket:.\\([0-9]*\\).*/\\1/p' | while read s; do grep -w $s /proc/net/tcp; done; echo end",
            ]
            process.standardOutput = output
            try process.run()
            process.waitUntilExit()
            let count = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
            if count != "end\n" { exit(8) }
            exit(7)
        }
    }

    @Test func aForkedChildJoinsNoThread() async {
        await #expect(processExitsWith: .success) {
            let server = try LoopbackServer()
            let gate = Gate()
            server.on(.get, "/", LoopbackResponse.text("a").held(at: gate))
            let transport = CurlTransport()
            Task { _ = try await transport.response(to: TransportRequest(.get, server.url("/"))) }
            try await gate.arrivals(atLeast: 1)
            // Not declared for Swift, since little is allowed in the child.
            let fork = try #require(dlsym(nil, "fork").map { unsafeBitCast($0, to: (@convention(c) () -> pid_t).self) })
            let child = fork()
            if child == 0 { _exit(Int32(CurlEngine.endAll())) }
            var status: Int32 = -1
            #expect(waitpid(child, &status, 0) == child)
            #expect(status == 0)
            #expect(CurlEngine.endAll() == 1)
        }
    }

    @Test func aForkedChildRunsAnotherProgram() async {
        await #expect(processExitsWith: .exitCode(7)) {
            let server = try LoopbackServer()
            let gate = Gate()
            server.on(.get, "/", LoopbackResponse.text("a").held(at: gate))
            let transport = CurlTransport()
            let held = Task { try await transport.text(server.url("/")) }
            try await gate.arrivals(atLeast: 1)
            let fork = try #require(dlsym(nil, "fork").map { unsafeBitCast($0, to: (@convention(c) () -> pid_t).self) })
            // Made before, since the child may not allocate.
            var arguments: [UnsafeMutablePointer<CChar>?] = [strdup("sh"), strdup("-c"), strdup("exit 3"), nil]
            let child = fork()
            if child == 0 {
                execv("/bin/sh", &arguments)
                _exit(127)
            }
            var status: Int32 = -1
            #expect(waitpid(child, &status, 0) == child)
            #expect(status == 3 << 8)
            gate.open()
            #expect(try await held.value == "a")
            exit(7)
        }
    }

    @Test func aProcessWithoutARequestEnds() async {
        await #expect(processExitsWith: .exitCode(7)) {
            let transport = CurlTransport()
            withExtendedLifetime(transport) { exit(7) }
        }
    }

    /// Otherwise a fault there would end the process without its handler. Other signals are for the program's threads.
    @Test func leavesFaultsOfItsThreadUnblocked() async throws {
        let server = try LoopbackServer()
        server.on(.get, "/", .text("a"))
        let blocked = Mutex<[Int32]>([])
        var options = CurlTransport.Options()
        options.willSend = {
            var signals = sigset_t()
            pthread_sigmask(SIG_BLOCK, nil, &signals)
            blocked.withLock { $0 = (1..<32).filter { sigismember(&signals, $0) == 1 } }
        }
        #expect(try await CurlTransport(options).text(server.url("/")) == "a")
        let unblocked = [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGKILL, SIGSEGV, SIGSTOP, SIGSYS]
        #expect(blocked.withLock(\.self) == (1..<32).filter { !unblocked.contains($0) })
    }
}
#endif
