import ModelMirror

/// A JSON value for queries: members keep the order of the document, and names are compared by Unicode scalars, as RFC 9535
/// requires. `JSONValue` has neither.
enum QueriedValue: Sendable {
    case null
    case bool(Bool)
    /// A number as written.
    case number(String)
    case string(String)
    case array([QueriedValue])
    case object(Members)
}

extension QueriedValue: JSONTree {
    /// Members in the order of the document. Of duplicate names the last value wins, at the position of the first.
    struct Members: JSONMembers {
        private(set) var list: [(key: String, value: QueriedValue)] = []
        /// The positions by the names' UTF-8, of an object with many members.
        private var places: [[UInt8]: Int] = [:]
        private static let most = 8

        init() {}

        subscript(key: String) -> QueriedValue? {
            get { place(of: key).map { list[$0].value } }
            set {
                guard let newValue else { return }
                if let place = place(of: key) { return list[place].value = newValue }
                list.append((key, newValue))
                if list.count == Members.most + 1 {
                    for (place, member) in list.enumerated() { places[Array(member.key.utf8)] = place }
                } else if list.count > Members.most {
                    places[Array(key.utf8)] = list.count - 1
                }
            }
        }

        private func place(of key: String) -> Int? {
            list.count > Members.most ? places[Array(key.utf8)] : list.firstIndex { $0.key.hasSameScalars(as: key) }
        }
    }

    init(number: String) { self = .number(number) }
    init(members: Members) { self = .object(members) }
}

extension QueriedValue {
    var isContainer: Bool {
        switch self {
        case .array, .object: true
        default: false
        }
    }

    /// Whether the values are equal by RFC 9535 section 2.3.5.2.2: numbers by value, members in any order. Without recursion.
    ///
    /// - Parameter work: Lowered by one for each value that is compared.
    func isEqual(to other: QueriedValue, _ work: inout Int) -> Bool {
        var rest = [(self, other)]
        while let (left, right) = rest.popLast() {
            work -= 1
            switch (left, right) {
            case (.null, .null): break
            case (.bool(let left), .bool(let right)): if left != right { return false }
            case (.number(let left), .number(let right)):
                if left != right, JSONNumber(left) != JSONNumber(right) { return false }
            case (.string(let left), .string(let right)): if !left.hasSameScalars(as: right) { return false }
            case (.array(let left), .array(let right)):
                guard left.count == right.count else { return false }
                rest.append(contentsOf: zip(left, right))
            case (.object(let left), .object(let right)):
                guard left.list.count == right.list.count else { return false }
                for (key, value) in left.list {
                    guard let other = right[key] else { return false }
                    rest.append((value, other))
                }
            default: return false
            }
        }
        return true
    }

    /// Whether both are numbers or both are strings, and this one is less: numbers as `Double`, and if these are equal as `Decimal`;
    /// strings by Unicode scalars.
    func isLess(than other: QueriedValue) -> Bool {
        switch (self, other) {
        case (.number(let left), .number(let right)):
            let (left, right) = (JSONNumber(left), JSONNumber(right))
            guard let left, let right, left != right else { return false }
            let (rough, other) = (left.approximation, right.approximation)
            guard rough == other else { return rough < other }
            // Equal only when rounded.
            guard let left = left.decimal, let right = right.decimal else { return false }
            return left < right
        case (.string(let left), .string(let right)): return left.utf8.lexicographicallyPrecedes(right.utf8)
        default: return false
        }
    }

    /// The value as JSON on one line, members in the order of the document. Made without recursion.
    var line: String {
        var text = ""
        var rest: [(before: String, value: QueriedValue?)] = [("", self)]
        while let (before, value) = rest.popLast() {
            text += before
            switch value {
            case nil: break
            case .null?: text += "null"
            case .bool(let value)?: text += value ? "true" : "false"
            case .number(let number)?: text += number
            case .string(let value)?: text += value.quotedForMessage
            case .array(let elements)?:
                text += "["
                rest.append(("]", nil))
                for (index, element) in elements.enumerated().reversed() {
                    rest.append((index == 0 ? "" : ",", element))
                }
            case .object(let members)?:
                text += "{"
                rest.append(("}", nil))
                for (index, member) in members.list.enumerated().reversed() {
                    rest.append(((index == 0 ? "" : ",") + member.key.quotedForMessage + ":", member.value))
                }
            }
        }
        return text
    }
}

extension JSONNumber {
    /// The nearest `Double`, infinite if the number is too large.
    fileprivate var approximation: Double { double ?? (text.hasPrefix("-") ? -.infinity : .infinity) }
}

extension String {
    /// Whether both are the same Unicode scalars. `==` also holds for composed and decomposed characters.
    func hasSameScalars(as other: String) -> Bool {
        utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8)
    }
}
