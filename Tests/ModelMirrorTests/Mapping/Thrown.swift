import ModelMirror
import Testing

/// The `ModelError` that a call throws, so that one expectation compares what it says.
enum Thrown {
    /// One line for each problem; nil if the call throws no error.
    static func lines(_ call: () throws -> some Any) -> [String]? { error(call)?.lines }

    /// The whole description; nil if the call throws no error.
    static func text(_ call: () throws -> some Any) -> String? { error(call)?.description }

    /// The error; one of another type is an issue of the test.
    static func error(_ call: () throws -> some Any) -> ModelError? {
        do {
            _ = try call()
        } catch let error as ModelError {
            return error
        } catch {
            Issue.record(error, "expected a ModelError")
        }
        return nil
    }
}
