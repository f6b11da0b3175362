import ModelMirror

/// A document for queries: members keep its order, and names are compared by Unicode scalars, as RFC 9535 requires. `JSONValue` has
/// neither. Values are the numbers of their first tokens.
struct QueriedDocument {
    let bytes: [UInt8]
    let tape: JSONTape

    static let none = QueriedDocument(bytes: [], tape: JSONTape())

    /// A value in a container, and the way to it.
    struct Child {
        enum Step {
            /// The token of the key.
            case key(Int)
            case index(Int)
        }

        let value: Int
        let step: Step
    }

    func kind(_ value: Int) -> JSONTape.Kind { tape.tokens[value].kind }

    func isContainer(_ value: Int) -> Bool { kind(value).isContainer }

    func step(_ step: Child.Step) -> JSONPath.Step {
        switch step {
        case .key(let token): .key(String(decoding: text(token), as: UTF8.self))
        case .index(let index): .index(index)
        }
    }

    // MARK: Containers

    /// The last member with a name. Duplicate names are one member, whose value is the last.
    ///
    /// - Parameter steps: Lowered by the work.
    func member(_ name: [UInt8], of value: Int, _ steps: inout Int) -> Child? {
        let tokens = tape.tokens.span
        guard tokens[value].kind.isObject else { return nil }
        var found: Child?
        var (token, count) = (value + 1, 0)
        while tokens[token].kind.isKey {
            if has(tokens[token], name) { found = Child(value: token + 1, step: .key(token)) }
            token = tokens.next(after: token + 1)
            count += 1
        }
        steps -= count / 8
        return found
    }

    /// An element by its index from 0.
    ///
    /// - Parameter steps: Lowered by the work.
    func element(_ index: Int, of value: Int, _ steps: inout Int) -> Child? {
        let tokens = tape.tokens.span
        guard tokens[value].kind.isArray else { return nil }
        let end = tokens.next(after: value) - 1
        var (token, count) = (value + 1, 0)
        while token < end, count < index {
            token = tokens.next(after: token)
            count += 1
        }
        steps -= count / 8
        return token < end ? Child(value: token, step: .index(index)) : nil
    }

    /// Adds the elements of an array, or the members of an object: of duplicate names the last value, at the position of the first.
    ///
    /// - Returns: Whether there are duplicate names.
    @discardableResult
    func addChildren(of value: Int, to children: inout [Child]) -> Bool {
        let tokens = tape.tokens.span
        let isArray = tokens[value].kind.isArray
        guard isArray || tokens[value].kind.isObject else { return false }
        let end = tokens.next(after: value) - 1
        var token = value + 1
        if isArray {
            while token < end {
                children.append(Child(value: token, step: .index(children.count)))
                token = tokens.next(after: token)
            }
            return false
        }
        while token < end {
            children.append(Child(value: token + 1, step: .key(token)))
            token = tokens.next(after: token + 1)
        }
        let count = children.count
        removeDuplicates(in: &children)
        return children.count < count
    }

    private func removeDuplicates(in members: inout [Child]) {
        if members.count > 16 {
            var places: [[UInt8]: Int] = [:]
            var kept: [Child] = []
            for member in members {
                guard case .key(let key) = member.step else { continue }
                if let place = places.updateValue(kept.count, forKey: text(key)) {
                    places[text(key)] = place
                    kept[place] = Child(value: member.value, step: kept[place].step)
                } else {
                    kept.append(member)
                }
            }
            members = kept
            return
        }
        let tokens = tape.tokens.span
        for index in members.indices.dropFirst() {
            let key = tokens[members[index].value - 1]
            for first in 0..<index where haveSameText(tokens[members[first].value - 1], key) {
                members[first] = Child(value: members[index].value, step: members[first].step)
                members.remove(at: index)
                return removeDuplicates(in: &members)
            }
        }
    }

    /// The offset of a value's first byte. Tokens of containers have no offsets, so that these are found from the scalar before them.
    ///
    /// - Parameter start: The offset of the document.
    func offset(of value: Int, from start: Int) -> Int {
        func hasOffset(_ token: Int) -> Bool { !isContainer(token) && !kind(token).isEnd }
        if hasOffset(value) { return tape.tokens[value].range.lowerBound - (kind(value).isString ? 1 : 0) }
        let last = (0..<value).last(where: hasOffset) ?? -1
        var offset = last < 0 ? start : tape.tokens[last].range.upperBound
        // Between scalars there are only quotes, white space, commas, colons and brackets.
        var brackets = value - last
        while true {
            if "[]{}".utf8.contains(bytes[offset]) { brackets -= 1 }
            if brackets == 0 { return offset }
            offset += 1
        }
    }

    // MARK: Texts

    /// The text of a string or key as UTF-8.
    func text(_ token: Int) -> [UInt8] { text(tape.tokens[token]) }

    /// Whether a string or key has a text.
    private func has(_ token: JSONTape.Token, _ text: [UInt8]) -> Bool {
        // An escape of six bytes stands for one byte at least.
        if token.isEscaped { return token.range.count <= 6 * text.count && JSONTape.unescaped(bytes, token) == text }
        let range = token.range
        guard range.count == text.count else { return false }
        let (slice, otherSlice) = (bytes[range], text[...])
        let (bytes, text) = (slice.span, otherSlice.span)
        for index in bytes.indices where bytes[index] != text[index] { return false }
        return true
    }

    private func haveSameText(_ one: JSONTape.Token, _ other: JSONTape.Token) -> Bool {
        if one.isEscaped || other.isEscaped { return text(one) == text(other) }
        guard one.range.count == other.range.count else { return false }
        let (slice, distance) = (bytes[...], other.range.lowerBound - one.range.lowerBound)
        let bytes = slice.span
        for index in one.range where bytes[index] != bytes[index + distance] { return false }
        return true
    }

    private func text(_ token: JSONTape.Token) -> [UInt8] {
        token.isEscaped ? JSONTape.unescaped(bytes, token) : Array(bytes[token.range])
    }

    /// A value that is not a container.
    func scalar(_ value: Int) -> QueriedScalar? {
        switch kind(value) {
        case .null: .null
        case .true: .bool(true)
        case .false: .bool(false)
        case .integer, .number: .number(QueriedNumber(bytes[tape.tokens[value].range]))
        case .string: .string(text(value))
        case .object, .objectEnd, .array, .arrayEnd, .key: nil
        }
    }

    // MARK: Comparing

    /// The steps for reading the text of a string or a number.
    func weight(_ value: Int) -> Int {
        let kind = kind(value)
        return kind.isString || kind == .integer || kind == .number ? tape.tokens[value].range.count / 8 : 0
    }

    /// Whether a value of the document equals another.
    func equals(_ value: Int, _ other: QueriedScalar) -> Bool {
        if case .string(let text) = other { return kind(value).isString && has(tape.tokens[value], text) }
        return scalar(value) == other
    }

    /// Whether values are equal by RFC 9535 section 2.3.5.2.2: numbers by value, members in any order. Without recursion.
    ///
    /// - Parameter work: Lowered by the work.
    func areEqual(_ left: Int, _ right: Int, _ work: inout Int) -> Bool {
        var rest = [(left, right)]
        while let (left, right) = rest.popLast() {
            work -= 1 + weight(left) + weight(right)
            if left == right { continue }
            guard isContainer(left), isContainer(right), kind(left).isArray == kind(right).isArray else {
                guard let other = scalar(right), equals(left, other) else { return false }
                continue
            }
            var (children, others): ([Child], [Child]) = ([], [])
            addChildren(of: left, to: &children)
            addChildren(of: right, to: &others)
            work -= (children.count + others.count) / 8
            guard children.count == others.count else { return false }
            if kind(left).isArray {
                rest.append(contentsOf: zip(children.map(\.value), others.map(\.value)))
                continue
            }
            // Members in the same order need no search.
            var places: [[UInt8]: Int] = [:]
            for (index, child) in children.enumerated() {
                if haveSameText(tape.tokens[child.value - 1], tape.tokens[others[index].value - 1]) {
                    rest.append((child.value, others[index].value))
                    continue
                }
                if places.isEmpty { for other in others { places[text(other.value - 1)] = other.value } }
                guard let other = places[text(child.value - 1)] else { return false }
                rest.append((child.value, other))
            }
        }
        return true
    }

    // MARK: Lines

    /// Adds a value as JSON on one line, members in the order of the document. Made without recursion.
    func add(_ value: Int, to line: inout [UInt8]) {
        guard isContainer(value) else { return addScalar(value, to: &line) }
        var rest = [value..<tape.tokens.span.next(after: value)]
        var isFirst = true
        var children: [Child] = []
        while let range = rest.popLast() {
            var token = range.lowerBound
            while token < range.upperBound {
                let kind = kind(token)
                if !isFirst, !kind.isEnd { line.append(UInt8(ascii: ",")) }
                isFirst = kind.isKey || kind.isContainer
                switch kind {
                case .object: line.append(UInt8(ascii: "{"))
                case .objectEnd: line.append(UInt8(ascii: "}"))
                case .array: line.append(UInt8(ascii: "["))
                case .arrayEnd: line.append(UInt8(ascii: "]"))
                case .key, .string, .integer, .number, .true, .false, .null:
                    addScalar(token, to: &line)
                    if kind.isKey { line.append(UInt8(ascii: ":")) }
                }
                token += 1
                guard kind.isObject else { continue }
                children.removeAll(keepingCapacity: true)
                guard addChildren(of: token - 1, to: &children) else { continue }
                // The members that count, then what follows them.
                rest.append(tape.tokens.span.next(after: token - 1) - 1..<range.upperBound)
                for child in children.reversed() {
                    guard case .key(let key) = child.step else { continue }
                    rest += [child.value..<tape.tokens.span.next(after: child.value), key..<key + 1]
                }
                break
            }
        }
    }

    /// A value as JSON on one line.
    func line(_ value: Int) -> [UInt8] {
        var line: [UInt8] = []
        add(value, to: &line)
        return line
    }

    /// Adds a key, or a value that is not a container.
    private func addScalar(_ number: Int, to line: inout [UInt8]) {
        let token = tape.tokens[number]
        if token.isEscaped {
            line += String(decoding: text(token), as: UTF8.self).quotedForMessage.utf8
        } else {
            let hasQuotes = token.kind.isKey || token.kind.isString
            line += bytes[hasQuotes ? token.range.lowerBound - 1..<token.range.upperBound + 1 : token.range]
        }
    }
}

/// A value of a query or a document that is not a container.
enum QueriedScalar: Sendable, Equatable {
    case null
    case bool(Bool)
    case number(QueriedNumber)
    /// As UTF-8, so that composed and decomposed characters differ.
    case string([UInt8])

    /// Whether both are numbers or both are strings, and this one is less: strings by Unicode scalars.
    func isLess(than other: QueriedScalar) -> Bool {
        switch (self, other) {
        case (.number(let left), .number(let right)): left < right
        case (.string(let left), .string(let right)): left.lexicographicallyPrecedes(right)
        default: false
        }
    }
}
