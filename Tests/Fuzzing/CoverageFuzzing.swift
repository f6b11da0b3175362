#if LIBFUZZER
import Foundation

/// libFuzzer's driver, which calls a function with inputs that reach new code.
@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
    _ count: UnsafeMutablePointer<Int32>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ callback: @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32
) -> Int32

/// Runs a target with inputs chosen by libFuzzer: `Fuzzing TARGET [libFuzzer's arguments]`, built by `Tests/Fuzzing/coverage.sh`.
enum CoverageFuzzing {
    nonisolated(unsafe) private static var target = FuzzTarget.documents

    static func run(_ arguments: [String]) -> Never {
        guard let name = arguments.first, let found = FuzzTarget.all.first(where: { $0.name == name }) else {
            print("expected a target: \(FuzzTarget.all.map(\.name).joined(separator: ", "))")
            exit(1)
        }
        // Written here, before the driver's first call, and read by it alone.
        target = found
        var count = Int32(arguments.count)
        var words = arguments.map { strdup($0) } + [nil]
        let status = words.withUnsafeMutableBufferPointer { words in
            // The driver takes the address of a pointer to the arguments; the array has at least one element and a nil.
            var base = words.baseAddress.unsafelyUnwrapped
            return runDriver(&count, &base) { bytes, size in
                let input = Array(UnsafeBufferPointer(start: bytes, count: size))
                guard case .broken(let rule) = CoverageFuzzing.target.check(input) else { return 0 }
                print("\(CoverageFuzzing.target.name): a rule is broken: \(rule)")
                abort()
            }
        }
        exit(status)
    }
}
#endif
