import ModelMirror
import Testing

/// A document in a heap block of exactly its size, so that the address sanitizer sees a read of one byte too many.
struct ExactBytes: JSONInput {
    let bytes: [UInt8]

    init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }
    init(_ text: String) { bytes = Array(text.utf8) }

    func withJSONBytes(_ body: (UnsafePointer<UInt8>, Int) -> Void) {
        let block = UnsafeMutablePointer<UInt8>.allocate(capacity: bytes.count)
        defer { block.deallocate() }
        block.initialize(from: bytes, count: bytes.count)
        body(block, bytes.count)
    }
}

/// The syntax error that `body` throws; nil if it throws none. Any other error is recorded as an issue.
func syntaxError<Result>(
    at source: Testing.SourceLocation = #_sourceLocation, _ body: () throws(ModelError) -> Result
) -> JSONSyntaxError? {
    do throws(ModelError) {
        _ = try body()
        return nil
    } catch {
        guard case .invalidJSON(let syntaxError) = error else {
            Issue.record("not a syntax error: \(error)", sourceLocation: source)
            return nil
        }
        return syntaxError
    }
}

/// The syntax error of reading a document as a JSON value; nil if there is none.
func syntaxError(
    in json: some JSONInput, _ options: MappingOptions = MappingOptions(),
    at source: Testing.SourceLocation = #_sourceLocation
) -> JSONSyntaxError? {
    syntaxError(at: source) { () throws(ModelError) in try JSONValue(json: json, options: options) }
}

/// Reads the member `value` as one type.
final class ValueMember<Value>: AbstractModel {
    var value: Value?
}

/// The syntax error in a document whose member `value` is read as a type; nil if there is none.
func memberError<Value>(
    _ type: Value.Type, _ document: ExactBytes, _ options: MappingOptions = MappingOptions(),
    at source: Testing.SourceLocation = #_sourceLocation
) -> JSONSyntaxError? {
    syntaxError(at: source) { () throws(ModelError) in try ValueMember<Value>(json: document, options: options) }
}
