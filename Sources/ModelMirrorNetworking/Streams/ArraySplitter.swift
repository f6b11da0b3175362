import ModelMirror

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Finds the elements of one array in a JSON document that arrives in chunks.
///
/// ```text
/// {"total": 2, "items": [ {"id": 1}, {"id": 2} ], "cursor": null}
/// └ grammar, byte by byte ┘└ gathered, mapped ┘ └ grammar again ┘
/// ```
///
/// Outside the array, every byte is checked against the grammar, and only the current key or value is kept, plus the envelope
/// if it is wanted. Inside, an element is gathered until its brackets close; the reader that maps it checks its JSON. Its
/// buffer is enclosed in `[` and `]`, so that the rules for arrays apply.
struct ArraySplitter<Model: AbstractModel>: StreamSplitter {
    /// A container that is open outside elements.
    struct Frame {
        let isObject: Bool
        /// The number of path steps matched down to it; nil if it is off the path.
        let matched: Int?
        /// Whether its elements are delivered.
        var isTarget = false
        var index = 0
    }

    enum State {
        case expecting(ArraySplitter.Expectation)
        /// Within a string outside elements.
        case string(isKey: Bool, isEscaped: Bool)
        /// Within a number or a word outside elements.
        case word
        case element(ElementScan)
    }

    /// Why the path does not lead to an array. Thrown at the end, after syntax errors and errors of the envelope.
    struct Obstacle {
        let json: [UInt8]
        let matched: Int
        let place: ErrorPlace
    }

    static var maximumDepth: Int { 512 }

    let path: [JSONPath.Step]
    let limit: Int
    private let options: MappingOptions
    let keepsEnvelope: Bool

    private var mark = ByteOrderMark()
    var position = TextPosition()
    var chunk: [UInt8] = []
    var cursor = 0

    var state = State.expecting(.value)
    var frames: [Frame] = []
    /// The number of path steps matched down to the next value; nil if it is off the path.
    var matched: Int? = 0
    var token: [UInt8] = []
    var tokenPlace = ErrorPlace(line: 1, column: 1, offset: 0)
    private var element: [UInt8] = []
    var obstacle: Obstacle?
    var isFound = false
    private var envelope: [UInt8] = []

    /// - Parameters:
    ///   - path: The path of the array.
    ///   - limit: The largest element in bytes, and the largest amount kept outside elements.
    ///   - keepsEnvelope: Whether the document without its elements is needed at the end.
    init(at path: JSONPath, limit: Int, options: MappingOptions, keepsEnvelope: Bool = false) {
        self.path = path.steps
        self.limit = max(limit, 1)
        self.options = options
        self.keepsEnvelope = keepsEnvelope
    }

    // MARK: Bytes

    mutating func take(_ chunk: Data) { take(mark.strip(chunk)) }

    mutating func finish() { take(mark.finish()) }

    private mutating func take(_ bytes: [UInt8]) {
        if position.place.offset == 0, mark.length > 0 { position = TextPosition(offset: mark.length) }
        chunk = bytes
        cursor = 0
    }

    private mutating func pass(to end: Int) {
        position.advance(over: chunk[cursor..<end])
        cursor = end
    }

    /// Advances outside elements, keeping the bytes if the envelope is wanted.
    mutating func passEnvelope(to end: Int) throws {
        if keepsEnvelope, frames.last?.isTarget != true {
            guard end - cursor <= limit - envelope.count else {
                throw tooLarge(.envelope, .root, ErrorPlace(line: 1, column: 1, offset: 0))
            }
            envelope += chunk[cursor..<end]
        }
        pass(to: end)
    }

    func tooLarge(_ kind: StreamError.Part.Kind, _ path: JSONPath, _ place: ErrorPlace) -> StreamError {
        .tooLarge(.init(kind: kind, path: path, line: place.line, offset: place.offset), limit: limit)
    }

    // MARK: Elements

    mutating func next() throws -> Handoff<Model>? {
        while cursor < chunk.count {
            switch state {
            case .element(let scan):
                guard try gather(scan) else { return nil }
                if let object = try mapped() { return object }
            case .string(let isKey, let isEscaped): try scanString(isKey: isKey, isEscaped: isEscaped)
            case .word: try scanWord()
            case .expecting(let expectation):
                switch chunk[cursor] {
                case 0x20, 0x09, 0x0A, 0x0D: try passEnvelope(to: cursor + 1)
                case let byte: try take(byte, expecting: expectation)
                }
            }
        }
        return nil
    }

    mutating func conclude(_ judge: (Data) throws -> Void) throws {
        if case .word = state { try endToken(isKey: false) }
        switch state {
        case .expecting(.commaOrEnd) where frames.isEmpty: break
        case .expecting(let expectation):
            throw Self.syntaxError(
                expectation, isObject: frames.last?.isObject, found: nil, at: position.place)
        case .string, .word: throw Self.syntaxError(in: token) { tokenPlace.moved(to: $0) }
        case .element: throw Self.syntaxError(in: element) { elementPlace($0) }
        }
        if keepsEnvelope { try judge(Data(envelope)) }
        if let obstacle { throw error(for: obstacle) }
    }

    /// The error for a path that does not lead to an array, with the same text as for whole documents.
    ///
    /// A value below the root is wrapped in an array, because the reader words a null at the root differently.
    private func error(for obstacle: Obstacle) -> any Error {
        let isRoot = obstacle.matched == 0
        let rest = path[obstacle.matched...]
        let json = isRoot ? obstacle.json : [UInt8(ascii: "[")] + obstacle.json + [UInt8(ascii: "]")]
        do throws(ModelError) {
            _ = try [Model](json: json, at: JSONPath((isRoot ? [] : [.index(0)]) + rest))
        } catch {
            return error.moved {
                JSONPath(Array(path[..<obstacle.matched]) + $0.steps[(isRoot ? 0 : 1)...])
            } place: {
                obstacle.place.moved(to: isRoot ? $0 : $0.withoutBracket)
            }
        }
        // Unreachable, since there is no array.
        return ModelError.invalidValue(
            model: "\(Model.self)", path: JSONPath(path), place: obstacle.place, expected: "an array",
            found: "something else")
    }

    mutating func beginElement(_ scan: ElementScan) {
        element.removeAll(keepingCapacity: true)
        element.append(UInt8(ascii: "["))
        tokenPlace = position.place
        state = .element(scan)
    }

    /// Gathers an element.
    ///
    /// - Returns: Whether it is complete.
    private mutating func gather(_ scan: ElementScan) throws -> Bool {
        var scan = scan
        let (end, isWhole) = scan.end(in: chunk, from: cursor)
        guard end - cursor <= limit - (element.count - 1) else {
            throw tooLarge(.element, elementPath, tokenPlace)
        }
        element += chunk[cursor..<end]
        pass(to: end)
        state = isWhole ? .expecting(.commaOrEnd) : .element(scan)
        return isWhole
    }

    private var elementPath: JSONPath { JSONPath(path + [.index(frames.last?.index ?? 0)]) }

    /// The object made from the gathered element; nil if it is skipped.
    private mutating func mapped() throws(ModelError) -> Handoff<Model>? {
        element.append(UInt8(ascii: "]"))
        do throws(ModelError) {
            let objects = try [Model](json: element, options: options)
            guard let object = objects.first else { return nil }
            return Handoff(object)
        } catch {
            throw error.moved {
                JSONPath(elementPath.steps + $0.steps.dropFirst())
            } place: {
                elementPlace($0)
            }
        }
    }

    /// Converts a place in an element's buffer to a place in the stream.
    private func elementPlace(_ inner: ErrorPlace) -> ErrorPlace {
        tokenPlace.moved(to: inner.withoutBracket)
    }
}

/// Scans for the end of one element across chunks without checking its JSON: closing brackets, the end of a string, or the end
/// of a word.
enum ElementScan: Sendable {
    /// An object, an array or a string.
    case value(depth: Int = 0, isString: Bool = false, isEscaped: Bool = false)
    /// A number, `true`, `false`, `null` or an invalid word.
    case word

    /// Continues in a chunk.
    ///
    /// - Returns: The end of the element or the chunk, and whether the element is complete.
    mutating func end(in chunk: [UInt8], from start: Int) -> (end: Int, isWhole: Bool) {
        guard case .value(var depth, var isString, var isEscaped) = self else {
            let end = chunk[start...].firstIndex { !$0.isOfWord }
            return (end ?? chunk.count, end != nil)
        }
        for index in start..<chunk.count {
            let byte = chunk[index]
            if isString {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isString = false
                    if depth == 0 { return (index + 1, true) }
                }
            } else if byte == UInt8(ascii: "\"") {
                isString = true
            } else if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") {
                depth += 1
            } else if byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") {
                depth -= 1
                if depth == 0 { return (index + 1, true) }
            }
        }
        self = .value(depth: depth, isString: isString, isEscaped: isEscaped)
        return (chunk.count, false)
    }
}

extension UInt8 {
    /// Whether the byte can be part of a number or a word.
    var isOfWord: Bool {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
            true
        default: false
        }
    }
}
