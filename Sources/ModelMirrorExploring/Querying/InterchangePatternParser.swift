/// The parts of a regular expression.
indirect enum PatternTree {
    case scalar(ScalarSet)
    case stringStart, stringEnd
    case sequence([PatternTree])
    case alternatives([PatternTree])
    /// `greatest` is nil if there is none.
    case repeated(PatternTree, least: Int, greatest: Int?)
}

/// A set of Unicode scalars: ranges, and general categories of the Unicode standard.
struct ScalarSet: Sendable {
    var isNegated = false
    private(set) var ranges: [ClosedRange<Unicode.Scalar>] = []
    private(set) var categories: [(names: Set<Unicode.GeneralCategory>, isNegated: Bool)] = []

    init(_ scalar: Unicode.Scalar) { ranges = [scalar...scalar] }
    init() {}

    /// All but line feed and carriage return.
    static var any: ScalarSet {
        var set = ScalarSet()
        (set.ranges, set.isNegated) = (["\n"..."\n", "\r"..."\r"], true)
        return set
    }

    mutating func insert(_ range: ClosedRange<Unicode.Scalar>) { ranges.append(range) }

    /// Inserts a category, such as `L` or `Lu`, or what is not in it.
    ///
    /// - Returns: Whether there is such a category.
    mutating func insert(category name: String, isNegated: Bool) -> Bool {
        let names = ScalarSet.names.filter { $0.key == name || name.count == 1 && $0.key.hasPrefix(name) }.values
        categories.append((Set(names), isNegated))
        return !names.isEmpty
    }

    func contains(_ scalar: Unicode.Scalar, _ steps: inout Int) -> Bool {
        steps -= ranges.count
        if ranges.contains(where: { $0.contains(scalar) }) { return !isNegated }
        guard !categories.isEmpty else { return isNegated }
        steps -= categories.count
        let category = scalar.properties.generalCategory
        return categories.contains { $0.names.contains(category) != $0.isNegated } != isNegated
    }

    private static let names: [String: Unicode.GeneralCategory] = [
        "Ll": .lowercaseLetter, "Lm": .modifierLetter, "Lo": .otherLetter, "Lt": .titlecaseLetter,
        "Lu": .uppercaseLetter, "Mc": .spacingMark, "Me": .enclosingMark, "Mn": .nonspacingMark,
        "Nd": .decimalNumber, "Nl": .letterNumber, "No": .otherNumber, "Pc": .connectorPunctuation,
        "Pd": .dashPunctuation, "Pe": .closePunctuation, "Pf": .finalPunctuation, "Pi": .initialPunctuation,
        "Po": .otherPunctuation, "Ps": .openPunctuation, "Zl": .lineSeparator, "Zp": .paragraphSeparator,
        "Zs": .spaceSeparator, "Sc": .currencySymbol, "Sk": .modifierSymbol, "Sm": .mathSymbol, "So": .otherSymbol,
        "Cc": .control, "Cf": .format, "Cn": .unassigned, "Co": .privateUse,
    ]
}

/// Parses a regular expression by the grammar of RFC 9485, section 3. All functions return nil for what is not in it.
struct InterchangePatternParser {
    private var rest: Substring.UnicodeScalarView
    private var depthLeft = 32
    /// Whether there are too many groups inside each other.
    private(set) var isTooDeep = false

    init(_ text: String) { rest = text[...].unicodeScalars }

    mutating func whole() -> PatternTree? {
        let tree = alternatives()
        return rest.isEmpty ? tree : nil
    }

    private mutating func alternatives() -> PatternTree? {
        var branches: [PatternTree] = []
        repeat {
            var parts: [PatternTree] = []
            while let scalar = rest.first, scalar != "|", scalar != ")" {
                guard let atom = atom(), let part = repeated(atom) else { return nil }
                parts.append(part)
            }
            branches.append(.sequence(parts))
        } while take("|")
        return branches.count == 1 ? branches[0] : .alternatives(branches)
    }

    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard rest.first == scalar else { return false }
        rest.removeFirst()
        return true
    }

    private mutating func atom() -> PatternTree? {
        switch rest.popFirst() {
        case "(":
            guard depthLeft > 0 else {
                isTooDeep = true
                return nil
            }
            depthLeft -= 1
            defer { depthLeft += 1 }
            let tree = alternatives()
            return take(")") ? tree : nil
        case "[": return bracketed().map(PatternTree.scalar)
        case ".": return .scalar(.any)
        case "^": return .stringStart
        case "$": return .stringEnd
        case "\\":
            var set = ScalarSet()
            return escaped(&set).map { .scalar($0.map(ScalarSet.init) ?? set) }
        case "*", "+", "?", ")", "]", "{", "|", "}", nil: return nil
        case let scalar?: return .scalar(ScalarSet(scalar))
        }
    }

    private mutating func repeated(_ atom: PatternTree) -> PatternTree? {
        if take("*") { return .repeated(atom, least: 0, greatest: nil) }
        if take("+") { return .repeated(atom, least: 1, greatest: nil) }
        if take("?") { return .repeated(atom, least: 0, greatest: 1) }
        guard take("{") else { return atom }
        guard let least = count() else { return nil }
        if take("}") { return .repeated(atom, least: least, greatest: least) }
        guard take(",") else { return nil }
        if take("}") { return .repeated(atom, least: least, greatest: nil) }
        guard let greatest = count(), least <= greatest, take("}") else { return nil }
        return .repeated(atom, least: least, greatest: greatest)
    }

    /// A number of repetitions; more than the machine has states is one more.
    private mutating func count() -> Int? {
        var value: Int?
        while let scalar = rest.first, scalar.isDigit {
            value = min((value ?? 0) * 10 + Int(scalar.value - 0x30), InterchangePattern.most + 1)
            rest.removeFirst()
        }
        return value
    }

    /// What follows a backslash: a scalar, or a category, which is inserted in the set.
    private mutating func escaped(_ set: inout ScalarSet) -> Unicode.Scalar?? {
        switch rest.popFirst() {
        case "n": return .some("\n")
        case "r": return .some("\r")
        case "t": return .some("\t")
        case let letter? where letter == "p" || letter == "P":
            guard take("{"), let end = rest.prefix(3).firstIndex(of: "}") else { return nil }
            let name = String(rest[..<end])
            rest = rest[rest.index(after: end)...]
            return set.insert(category: name, isNegated: letter == "P") ? .some(nil) : nil
        case let scalar? where #"()*+-.?[\]^{|}"#.unicodeScalars.contains(scalar): return .some(scalar)
        default: return nil
        }
    }

    /// What follows `[`.
    private mutating func bracketed() -> ScalarSet? {
        var set = ScalarSet()
        set.isNegated = take("^")
        var isEmpty = true
        while let scalar = rest.popFirst(), scalar != "[" {
            if scalar == "]" { return isEmpty ? nil : set }
            // A hyphen is itself at either end only.
            if scalar == "-", !isEmpty, rest.first != "]" { return nil }
            isEmpty = false
            guard let item = scalar == "\\" ? escaped(&set) : .some(scalar) else { return nil }
            guard let first = item else { continue }
            guard scalar != "-", rest.first == "-", rest.dropFirst().first != "]" else {
                set.insert(first...first)
                continue
            }
            rest.removeFirst()
            guard let next = rest.popFirst(), !"-[]".unicodeScalars.contains(next),
                case let last?? = next == "\\" ? escaped(&set) : .some(next), first <= last
            else { return nil }
            set.insert(first...last)
        }
        return nil
    }
}
