import ModelMirror
import Testing

/// The `ModelError` that a call throws, so that one expectation compares what it says.
enum Thrown {
    /// One line for each problem; nil if the call throws no error.
    static func lines(
        at source: Testing.SourceLocation = #_sourceLocation, _ call: () throws -> some Any
    ) -> [String]? { error(at: source, call)?.lines }

    /// The whole description; nil if the call throws no error.
    static func text(
        at source: Testing.SourceLocation = #_sourceLocation, _ call: () throws -> some Any
    ) -> String? { error(at: source, call)?.description }

    /// The error; one of another type is an issue of the test.
    static func error(
        at source: Testing.SourceLocation = #_sourceLocation, _ call: () throws -> some Any
    ) -> ModelError? {
        do {
            _ = try call()
        } catch let error as ModelError {
            return error
        } catch {
            Issue.record(error, "expected a ModelError", sourceLocation: source)
        }
        return nil
    }
}
