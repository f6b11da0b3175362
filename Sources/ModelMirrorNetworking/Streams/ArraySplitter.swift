import ModelMirror
import ModelMirrorFoundation

/// Finds the elements of one array in a JSON document that arrives in chunks.
///
/// ```text
/// {"total": 2, "items": [ {"id": 1}, {"id": 2} ], "cursor": null}
/// └ token by token ──────┘└ gathered, mapped ┘  └ tokens again ┘
/// ```
///
/// Keys, scalars and elements are gathered to their ends, and then read. Outside the array, only the current key or scalar is
/// kept, plus the envelope if it is wanted. The reader also checks a token: after a short text that leaves the grammar as the
/// document so far does, such as `{"":""` after a member.
struct ArraySplitter<Element>: StreamSplitter {
    /// A container that is open outside elements.
    private struct Frame {
        let isObject: Bool
        /// The number of path steps matched down to it; nil if it is off the path.
        let matched: Int?
        /// Whether its elements are delivered.
        let isTarget: Bool
        var index = 0
    }

    private enum Part { case key, value, element }

    /// Why the path does not lead to an array. Thrown at the end, after syntax errors and errors of the envelope.
    private typealias Obstacle = (json: [UInt8], matched: Int, place: ErrorPlace)

    private static var maximumDepth: Int { 512 }

    private let path: [JSONPath.Step]
    private let limit: Int
    private var options: MappingOptions
    /// The largest element in bytes by the options.
    private let byteLimit: Int
    private let keepsEnvelope: Bool

    private var input = StreamInput()
    private var frames: [Frame] = []
    /// The innermost open container so far, with an empty string for each key and value.
    private var context: [UInt8] = []
    /// The number of path steps matched down to the next value; nil if it is off the path.
    private var matched: Int? = 0
    /// What is being gathered; nil between tokens.
    private var part: Part?
    private var scan = TokenScan.word
    /// The bytes gathered so far, of an element after an opening bracket, so that the rules for arrays apply, of others after the
    /// context.
    private var text: [UInt8] = []
    /// The number of bytes before the gathered ones.
    private var prefix = 0
    private var start = ErrorPlace()
    private var obstacle: Obstacle?
    private var isFound = false
    private var envelope: [UInt8] = []

    /// - Parameters:
    ///   - path: The path of the array.
    ///   - limit: The largest element in bytes, and the largest amount kept outside elements.
    ///   - keepsEnvelope: Whether the document without its elements is needed at the end.
    init(at path: JSONPath, limit: Int, options: MappingOptions, keepsEnvelope: Bool = false) {
        self.path = path.steps
        self.limit = max(limit, 1)
        self.options = options
        byteLimit = options.byteLimit(of: Element.self)
        // The brackets around an element do not count.
        self.options.bytes = .max
        self.keepsEnvelope = keepsEnvelope
    }

    // MARK: Bytes

    mutating func take(_ chunk: Data?) { input.take(chunk) }

    /// Advances, and keeps the bytes outside elements if the envelope is wanted.
    private mutating func pass(to end: Int) throws {
        if keepsEnvelope, frames.last?.isTarget != true {
            guard end - input.cursor <= limit - envelope.count else {
                throw StreamError.tooLarge(.envelope, at: .root, ErrorPlace(), limit: limit)
            }
            envelope += input.unread[..<end]
        }
        input.advance(to: end)
    }

    mutating func next() throws -> SendingBox<Element>? {
        while let byte = input.next {
            if let part {
                guard try gather(part) else { return nil }
                if let object = try end(part) { return object }
            } else if [0x20, 0x09, 0x0A, 0x0D].contains(byte) {
                try pass(to: input.cursor + 1)
            } else {
                try begin(byte)
            }
        }
        return nil
    }

    mutating func conclude(_ checkEnvelope: (Data) throws -> Void) throws {
        if part != nil {
            // Passes a number or a word at the root only.
            try check(text) { outerPlace($0) }
            try noteOnPath(gathered, at: start)
            context = contextOfEnd
        }
        try check(context) { _ in input.place }
        if keepsEnvelope { try checkEnvelope(Data(envelope)) }
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
            _ = try JSONMapper.value([Element].self, from: json, at: JSONPath((isRoot ? [] : [.index(0)]) + rest))
        } catch {
            return error.moved {
                JSONPath(Array(path[..<obstacle.matched]) + $0.steps[(isRoot ? 0 : 1)...])
            } place: {
                obstacle.place.moved(to: isRoot ? $0 : $0.without(prefix: 1))
            }
        }
        // Unreachable, since there is no array.
        return ModelError.invalidValue(
            model: "\(Element.self)", path: JSONPath(path), place: obstacle.place, expected: "an array",
            found: "something else")
    }

    // MARK: Tokens

    /// Begins a token, or passes it if it is a single byte.
    private mutating func begin(_ byte: UInt8) throws {
        // A number may begin wherever a word may.
        if !(context + [byte.isWordByte ? UInt8(ascii: "0") : byte]).canBeginDocument {
            try check(context + [byte]) { _ in input.place }
        }
        let frame = frames.last
        switch byte {
        case UInt8(ascii: ","), UInt8(ascii: ":"):
            if byte == UInt8(ascii: ",") { frames[frames.count - 1].index += 1 }
            context.append(byte)
            try pass(to: input.cursor + 1)
        case UInt8(ascii: "]"), UInt8(ascii: "}"):
            frames.removeLast()
            context = contextOfEnd
            try pass(to: input.cursor + 1)
        case UInt8(ascii: "\"") where frame?.isObject == true && context.last != UInt8(ascii: ":"): begin(.key, byte)
        default:
            if let frame, !frame.isObject { matched = step(.index(frame.index), in: frame) }
            if frame?.isTarget == true {
                begin(.element, byte)
            } else if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") {
                try open(byte)
            } else {
                begin(.value, byte)
            }
        }
    }

    private mutating func begin(_ part: Part, _ byte: UInt8) {
        text.removeAll(keepingCapacity: true)
        text += part == .element ? [UInt8(ascii: "[")] : context
        prefix = text.count
        start = input.place
        scan = byte.isWordByte ? .word : .value()
        self.part = part
    }

    /// Opens a container outside elements.
    private mutating func open(_ byte: UInt8) throws {
        let isObject = byte == UInt8(ascii: "{")
        if frames.count == Self.maximumDepth {
            try check([UInt8](repeating: UInt8(ascii: "["), count: frames.count + 1)) { _ in input.place }
        }
        try noteOnPath(Array((isObject ? "{}" : "[]").utf8), at: input.place)
        let isTarget = !isObject && matched == path.count
        if isTarget { (isFound, obstacle) = (true, nil) }
        try pass(to: input.cursor + 1)
        frames.append(Frame(isObject: isObject, matched: matched, isTarget: isTarget))
        context = [byte]
    }

    /// Notes a value that is on the path.
    ///
    /// - Throws: An error if the array occurred before. The last of duplicate keys wins, but delivered elements cannot be taken
    ///   back.
    private mutating func noteOnPath(_ json: [UInt8], at place: ErrorPlace) throws(ModelError) {
        guard let matched else { return }
        if isFound {
            throw .invalidValue(
                model: "\(Element.self)", path: JSONPath(Array(path[..<matched])), place: place,
                expected: "the path's key only once", found: "it again after elements were delivered")
        }
        obstacle = (json, matched, place)
    }

    /// Gathers a part.
    ///
    /// - Returns: Whether it is complete.
    private mutating func gather(_ part: Part) throws -> Bool {
        let (end, isWhole) = scan.end(in: input.bytes, from: input.cursor)
        guard end - input.cursor <= limit - (text.count - prefix) else {
            let isElement = part == .element
            throw StreamError.tooLarge(
                isElement ? .element : .envelope, at: isElement ? elementPath : .root, start, limit: limit)
        }
        text += input.unread[..<end]
        try pass(to: end)
        return isWhole
    }

    /// Reads a complete part.
    ///
    /// - Returns: The object made from an element; nil if it is skipped.
    private mutating func end(_ part: Part) throws -> SendingBox<Element>? {
        self.part = nil
        if part == .element {
            context = contextOfEnd
            if text.count - prefix > byteLimit {
                try check(gathered, MappingOptions(bytes: byteLimit)) { start.moved(to: $0) }
            }
            text.append(UInt8(ascii: "]"))
            return try SendingBox(element: text, at: elementPath, start, options: options)
        }
        // The byte after a number tells whether it is complete.
        let checked = text + input.unread.prefix(1)
        if !checked.canBeginDocument { try check(checked) { outerPlace($0) } }
        if part == .key {
            let key = try JSONMapper.value(String.self, from: gathered)
            matched = frames.last.flatMap { step(.key(key), in: $0) }
            context += "\"\"".utf8
        } else {
            try noteOnPath(gathered, at: start)
            context = contextOfEnd
        }
        return nil
    }

    private var gathered: [UInt8] { Array(text.dropFirst(prefix)) }

    /// The context after a value.
    private var contextOfEnd: [UInt8] {
        Array((frames.last.map { $0.isObject ? "{\"\":\"\"" : "[\"\"" } ?? "\"\"").utf8)
    }

    private var elementPath: JSONPath { JSONPath(path + [.index(frames.last?.index ?? 0)]) }

    /// Converts a place in the gathered text to a place in the stream.
    private func outerPlace(_ inner: ErrorPlace) -> ErrorPlace { start.moved(to: inner.without(prefix: prefix)) }

    /// Throws the error of a text that is not JSON.
    private func check(
        _ text: [UInt8], _ options: MappingOptions = MappingOptions(depth: Self.maximumDepth),
        place: (ErrorPlace) -> ErrorPlace
    ) throws(ModelError) {
        do throws(ModelError) {
            try ValueReading.check(text, options: options)
        } catch {
            throw error.moved(path: { $0 }, place: place)
        }
    }

    /// The number of path steps matched down to a member or element of a container; nil if it is off the path.
    private func step(_ step: JSONPath.Step, in frame: Frame) -> Int? {
        guard let matched = frame.matched, matched < path.count, path[matched] == step else { return nil }
        // Equal texts may be different keys.
        return path[matched].text.utf8.elementsEqual(step.text.utf8) ? matched + 1 : nil
    }
}

/// Scans for the end of a token or an element across chunks without checking its JSON: closing brackets, the end of a string, or
/// the end of a word.
enum TokenScan: Sendable {
    /// An object, an array or a string.
    case value(depth: Int = 0, isString: Bool = false, isEscaped: Bool = false)
    /// A number, `true`, `false`, `null` or an invalid word.
    case word

    /// Continues in a chunk.
    ///
    /// - Returns: The end of the token or the chunk, and whether the token is complete.
    mutating func end(in chunk: [UInt8], from start: Int) -> (end: Int, isWhole: Bool) {
        guard case .value(var depth, var isString, var isEscaped) = self else {
            let end = chunk[start...].firstIndex { !$0.isWordByte }
            return (end ?? chunk.count, end != nil)
        }
        for index in start..<chunk.count {
            switch chunk[index] {
            case _ where isEscaped: isEscaped = false
            case UInt8(ascii: "\\") where isString: isEscaped = true
            case UInt8(ascii: "\""): isString.toggle()
            case _ where isString: continue
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            default: continue
            }
            if depth == 0, !isString { return (index + 1, true) }
        }
        self = .value(depth: depth, isString: isString, isEscaped: isEscaped)
        return (chunk.count, false)
    }
}

extension UInt8 {
    /// Whether the byte can be part of a number or a word.
    fileprivate var isWordByte: Bool {
        isLetterOrDigit || self == UInt8(ascii: "+") || self == UInt8(ascii: "-") || self == UInt8(ascii: ".")
    }
}
