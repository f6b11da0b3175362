import ModelMirror

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The grammar outside elements, byte by byte.
extension ArraySplitter {
    mutating func take(_ byte: UInt8, expecting expectation: Expectation) throws {
        switch (expectation, byte) {
        case (.elementOrEnd, UInt8(ascii: "]")), (.keyOrEnd, UInt8(ascii: "}")): try close()
        case (.value, _), (.elementOrEnd, _): try beginValue(byte, expectation)
        case (.keyOrEnd, UInt8(ascii: "\"")), (.key, UInt8(ascii: "\"")): try beginToken(isKey: true)
        case (.colon, UInt8(ascii: ":")):
            try passEnvelope(to: cursor + 1)
            state = .expecting(.value)
        case (.commaOrEnd, UInt8(ascii: ",")) where !frames.isEmpty:
            try passEnvelope(to: cursor + 1)
            frames[frames.count - 1].index += 1
            state = .expecting(frames.last?.isObject == true ? .key : .value)
        case (.commaOrEnd, UInt8(ascii: "]")) where frames.last?.isObject == false: try close()
        case (.commaOrEnd, UInt8(ascii: "}")) where frames.last?.isObject == true: try close()
        default: throw unexpected(byte, expectation)
        }
    }

    private func unexpected(_ byte: UInt8, _ expectation: Expectation) -> ModelError {
        Self.syntaxError(expectation, isObject: frames.last?.isObject, found: byte, at: position.place)
    }

    private mutating func close() throws {
        frames.removeLast()
        try passEnvelope(to: cursor + 1)
        state = .expecting(.commaOrEnd)
    }

    private mutating func beginValue(_ byte: UInt8, _ expectation: Expectation) throws {
        let isTarget = frames.last?.isTarget == true
        if let frame = frames.last, !frame.isObject { matched = step(.index(frame.index), in: frame) }
        switch byte {
        case UInt8(ascii: "{"), UInt8(ascii: "["):
            if isTarget { return beginElement(.value()) }
            try open(isObject: byte == UInt8(ascii: "{"))
        case UInt8(ascii: "\""):
            if isTarget { return beginElement(.value()) }
            try beginToken(isKey: false)
        case _ where byte.isOfWord:
            if isTarget { return beginElement(.word) }
            token.removeAll(keepingCapacity: true)
            tokenPlace = position.place
            state = .word
        default: throw unexpected(byte, .value)
        }
    }

    /// The number of path steps matched down to a member or element of a container; nil if it is off the path.
    private func step(_ step: JSONPath.Step, in frame: Frame) -> Int? {
        guard let matched = frame.matched, matched < path.count, path[matched] == step else { return nil }
        return matched + 1
    }

    /// Opens a container outside elements.
    private mutating func open(isObject: Bool) throws {
        guard frames.count < Self.maximumDepth else { throw Self.depthError(at: position.place) }
        var frame = Frame(isObject: isObject, matched: matched)
        if let matched {
            try checkIsFirst(position.place)
            obstacle = Obstacle(json: Array((isObject ? "{}" : "[]").utf8), matched: matched, place: position.place)
            if matched == path.count {
                if !isObject {
                    frame.isTarget = true
                    isFound = true
                    obstacle = nil
                }
            }
        }
        try passEnvelope(to: cursor + 1)
        frames.append(frame)
        state = .expecting(isObject ? .keyOrEnd : .elementOrEnd)
    }

    /// Throws if the array occurred before. The last of duplicate keys wins, but delivered elements cannot be taken back.
    private func checkIsFirst(_ place: ErrorPlace) throws(ModelError) {
        guard isFound, let matched else { return }
        throw .invalidValue(
            model: "\(Model.self)", path: JSONPath(Array(path[..<matched])), place: place,
            expected: "the path's key only once",
            found: "it again after elements were delivered")
    }

    // MARK: Tokens

    private mutating func beginToken(isKey: Bool) throws {
        token.removeAll(keepingCapacity: true)
        token.append(UInt8(ascii: "\""))
        tokenPlace = position.place
        try passEnvelope(to: cursor + 1)
        state = .string(isKey: isKey, isEscaped: false)
    }

    mutating func scanString(isKey: Bool, isEscaped: Bool) throws {
        var isEscaped = isEscaped
        var end = cursor
        var isWhole = false
        while end < chunk.count, !isWhole {
            switch chunk[end] {
            case _ where isEscaped: isEscaped = false
            case UInt8(ascii: "\\"): isEscaped = true
            case UInt8(ascii: "\""): isWhole = true
            default: break
            }
            end += 1
        }
        try keepToken(to: end)
        state = .string(isKey: isKey, isEscaped: isEscaped)
        if isWhole { try endToken(isKey: isKey) }
    }

    mutating func scanWord() throws {
        let end = chunk[cursor...].firstIndex { !$0.isOfWord } ?? chunk.count
        try keepToken(to: end)
        if end < chunk.count { try endToken(isKey: false) }
    }

    private mutating func keepToken(to end: Int) throws {
        guard end - cursor <= limit - token.count else { throw tooLarge(.envelope, .root, tokenPlace) }
        token += chunk[cursor..<end]
        try passEnvelope(to: end)
    }

    /// Checks a complete key or value.
    mutating func endToken(isKey: Bool) throws {
        do throws(ModelError) {
            if isKey {
                let key = try JSONMapper.value(String.self, from: token)
                matched = frames.last.flatMap { step(.key(key), in: $0) }
            } else {
                try ValueReading.check(token, options: MappingOptions())
            }
        } catch {
            throw error.moved {
                $0
            } place: {
                tokenPlace.moved(to: $0)
            }
        }
        if !isKey, let matched {
            try checkIsFirst(tokenPlace)
            obstacle = Obstacle(json: token, matched: matched, place: tokenPlace)
        }
        state = .expecting(isKey ? .colon : .commaOrEnd)
    }
}

extension ArraySplitter {
    enum Expectation {
        case value, elementOrEnd, keyOrEnd, key, colon, commaOrEnd

        /// The beginning of a document after which the grammar has this expectation.
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
    /// Made by reading an example, so that its text is the same as for whole documents.
    ///
    /// - Parameter isObject: The kind of the open container; nil for none.
    static func syntaxError(
        _ expectation: Expectation, isObject: Bool?, found byte: UInt8?, at place: ErrorPlace
    ) -> ModelError {
        var example = Array(expectation.example(isObject: isObject).utf8)
        if let byte { example.append(byte) }
        return syntaxError(in: example) { _ in place }
    }

    static func depthError(at place: ErrorPlace) -> ModelError {
        syntaxError(in: [UInt8](repeating: UInt8(ascii: "["), count: maximumDepth + 1)) { _ in place }
    }

    /// The error in bytes that are known not to be JSON.
    static func syntaxError(in bytes: [UInt8], place: (ErrorPlace) -> ErrorPlace) -> ModelError {
        do throws(ModelError) {
            try ValueReading.check(bytes, options: MappingOptions(depth: maximumDepth))
        } catch {
            return error.moved(path: { $0 }, place: place)
        }
        // Unreachable, since the bytes are not JSON; as a safeguard, the stream still ends with an error.
        return .invalidValue(
            model: "JSON", path: .root, place: place(ErrorPlace(line: 1, column: 1, offset: 0)), expected: "JSON",
            found: "something else")
    }
}
