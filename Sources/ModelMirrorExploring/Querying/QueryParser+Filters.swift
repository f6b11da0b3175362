import ModelMirror

extension QueryParser {
    /// What stands between the operators of a filter.
    private enum Term {
        case literal(QueriedScalar)
        case query(QueryPath)
        case value(QueryOperand)
        case condition(QueryCondition)
    }

    /// Conditions joined by `||`.
    mutating func condition() throws(JSONQueryError) -> QueryCondition {
        var conditions = [try conjunction()]
        while follows("||") { conditions.append(try conjunction()) }
        return conditions.count == 1 ? conditions[0] : .any(conditions)
    }

    private mutating func conjunction() throws(JSONQueryError) -> QueryCondition {
        var conditions = [try basicCondition()]
        while follows("&&") { conditions.append(try basicCondition()) }
        return conditions.count == 1 ? conditions[0] : .all(conditions)
    }

    /// Moves past an operator and the blanks around it, if it is next.
    private mutating func follows(_ sign: String) -> Bool {
        let end = position
        skipBlank()
        guard take(sign) else {
            position = end
            return false
        }
        skipBlank()
        return true
    }

    /// A test, a comparison, or a condition in parentheses.
    private mutating func basicCondition() throws(JSONQueryError) -> QueryCondition {
        if take("!") {
            skipBlank()
            if next == "(" { return .not(try parenthesized()) }
            let start = position
            let term = try term()
            return .not(try test(term, start..<position))
        }
        if next == "(" { return try parenthesized() }
        let start = position
        let term = try term()
        let end = position
        guard let comparator = QueryComparator.allCases.first(where: { follows($0.rawValue) }) else {
            return try test(term, start..<end)
        }
        let left = try operand(term, start..<end)
        let second = position
        let right = try self.term()
        return .comparison(left, comparator, try operand(right, second..<position))
    }

    private mutating func parenthesized() throws(JSONQueryError) -> QueryCondition {
        position += 1
        skipBlank()
        let condition = try nested { parser throws(JSONQueryError) in try parser.condition() }
        skipBlank()
        guard take(")") else { throw expected("'&&', '||' or ')'", nil) }
        return condition
    }

    private func test(_ term: Term, _ range: Range<Int>) throws(JSONQueryError) -> QueryCondition {
        switch term {
        case .query(let path): return .exists(path)
        case .condition(let condition): return condition
        case .literal, .value:
            throw expected("a condition", "compare the value: with ==, !=, <, <=, > or >=", range)
        }
    }

    /// - Parameter range: The positions of the term.
    private func operand(_ term: Term, _ range: Range<Int>) throws(JSONQueryError) -> QueryOperand {
        switch term {
        case .literal(let value): return .literal(value)
        case .value(let operand): return operand
        case .query(let path) where path.isSingular: return .value(path)
        case .query:
            throw expected(
                "a query that finds at most one value", "use names and indices only, or value(…) or count(…)",
                range)
        case .condition:
            throw expected(
                "a value", "match and search are conditions: use them without a comparison", range)
        }
    }

    private mutating func term() throws(JSONQueryError) -> Term {
        switch next {
        case "@", "$": return .query(try nestedQuery())
        case "'", "\"": return .literal(.string(Array(try string().utf8)))
        case let scalar? where scalar.isDigit || scalar == "-": return .literal(try number())
        case let scalar? where scalar.isLowercaseLetter:
            let start = position
            let name = text { $0.isLowercaseLetter || $0.isDigit || $0 == "_" }
            if next == "(" { return try function(name, from: start) }
            switch name {
            case "true", "false": return .literal(.bool(name == "true"))
            case "null": return .literal(.null)
            default: throw expected("true, false, null or a function", "put text in quotes", start..<position)
            }
        default:
            throw expected(
                "a query '@' or '$', a number, text in quotes, true, false, null, a function, '!' or '('", nil)
        }
    }

    private mutating func number() throws(JSONQueryError) -> QueriedScalar {
        let start = position
        let text = text { $0.isDigit || "+-.eE".unicodeScalars.contains($0) }
        guard JSONNumber(text) != nil else { throw expected("a number as in JSON", nil, start..<position) }
        return .number(QueriedNumber(text.utf8))
    }

    // MARK: Functions

    private mutating func function(_ name: String, from start: Int) throws(JSONQueryError) -> Term {
        let names = ["length", "count", "match", "search", "value"]
        guard names.contains(name) else {
            let suggestion = name.suggestion(among: names)
            throw expected("one of \(names.joined(separator: ", "))\(suggestion)", nil, start..<position)
        }
        position += 1
        let count = name == "match" || name == "search" ? 2 : 1
        let arguments = try nested { parser throws(JSONQueryError) in try parser.arguments(count, of: name) }
        switch name {
        case "length": return .value(.length(try operand(arguments[0].term, arguments[0].range)))
        case "count": return .value(.count(try path(arguments[0])))
        case "value": return .value(.value(try path(arguments[0])))
        default:
            let text = try operand(arguments[0].term, arguments[0].range)
            let pattern = try operand(arguments[1].term, arguments[1].range)
            return .condition(.matches(text, pattern: pattern, isWhole: name == "match"))
        }
    }

    private typealias Argument = (term: Term, range: Range<Int>)

    private mutating func arguments(_ count: Int, of name: String) throws(JSONQueryError) -> [Argument] {
        var arguments: [Argument] = []
        for index in 0..<count {
            skipBlank()
            let start = position
            if next == ")" { throw expected("\(count.of("argument")) of \(name)", nil) }
            arguments.append((try term(), start..<position))
            skipBlank()
            if index < count - 1, !take(",") { throw expected("',' and \(count.of("argument")) of \(name)", nil) }
        }
        guard take(")") else { throw expected("')' after \(count.of("argument")) of \(name)", nil) }
        return arguments
    }

    private func path(_ argument: Argument) throws(JSONQueryError) -> QueryPath {
        if case .query(let path) = argument.term { return path }
        throw expected("a query: @… or $…", nil, argument.range)
    }
}
