import Foundation
import ModelMirror

extension ArraySplitter {
    /// What the grammar demands next.
    enum Expectation {
        case value, elementOrEnd, keyOrEnd, key, colon, commaOrEnd

        /// The beginning of a document after which the grammar demands the same.
        fileprivate func example(isObject: Bool?) -> String {
            switch self {
            case .value: ""
            case .elementOrEnd: "["
            case .keyOrEnd: "{"
            case .key: #"{"":0,"#
            case .colon: #"{"""#
            case .commaOrEnd: isObject.map { $0 ? #"{"":0"# : "[0" } ?? "0 "
            }
        }
    }

    /// The error for a byte that the grammar does not allow, or for the end of the stream.
    ///
    /// The reader is asked about an example, so that it says what it says of whole documents.
    ///
    /// - Parameter isObject: Which container is open; nil for none.
    static func syntaxError(
        _ expectation: Expectation, isObject: Bool?, found byte: UInt8?, at place: ErrorPlace
    ) -> ModelError {
        var example = Array(expectation.example(isObject: isObject).utf8)
        if let byte { example.append(byte) }
        return syntaxError(in: example) { _ in place }
    }

    /// The error for nesting that is too deep.
    static func depthError(at place: ErrorPlace) -> ModelError {
        syntaxError(in: [UInt8](repeating: UInt8(ascii: "["), count: maximumDepth + 1)) { _ in place }
    }

    /// The error in bytes that are known to be no JSON.
    static func syntaxError(in bytes: [UInt8], place: (ErrorPlace) -> ErrorPlace) -> ModelError {
        do throws(ModelError) {
            try ValueReading.check(bytes, options: MappingOptions(depth: maximumDepth))
        } catch {
            return error.moved(path: { $0 }, place: place)
        }
        // Not reached, for what comes here is no JSON; were it reached, the stream would still end with an error.
        return .invalidValue(
            model: "JSON", path: .root, place: place(ErrorPlace(line: 1, column: 1, offset: 0)), expected: "JSON",
            found: "something else")
    }
}
