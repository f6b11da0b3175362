#if !canImport(FoundationEssentials)
import Foundation
#endif

extension JSONValue {
    /// The string, if the value is one.
    public var string: String? { if case .string(let value) = self { value } else { nil } }
    /// The Boolean, if the value is one.
    public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
    /// The number, if the value is one.
    public var number: JSONNumber? { if case .number(let value) = self { value } else { nil } }
    /// The number as an `Int`, if the value is one, integral, and fits.
    public var int: Int? { number?.int }
    /// The number as a `Double`, if the value is one and not too large.
    public var double: Double? { number?.double }
    /// The elements, if the value is an array.
    public var array: [JSONValue]? { if case .array(let value) = self { value } else { nil } }
    /// The members, if the value is an object.
    public var object: [String: JSONValue]? { if case .object(let value) = self { value } else { nil } }
    /// Whether the value is `null`.
    public var isNull: Bool { if case .null = self { true } else { false } }
}

/// Access to nested values. All subscripts can be chained, even through missing values.
///
/// The setters use `_modify`, the only way to change a nested value in place: with `get` and `set` each assignment
/// would copy every container on the way.
extension JSONValue {
    /// The member of an object with exactly this key; nil if there is none, or the value is not an object.
    ///
    /// ```swift
    /// var value: JSONValue = ["owner": ["login": "octocat", "email": nil]]
    /// value["owner"]["login"]?.string         // "octocat"
    /// value["owner"]["email"]                 // JSONValue.null: the member is there
    /// value["owner"]["name"]                  // nil: no such member
    /// value["owner"]["name"] = "Mona"         // added
    /// value["owner"]["login"] = nil           // removed; = .null makes it null
    /// value["plan"]["name"] = "free"          // {…, "plan": {"name": "free"}}
    /// ```
    ///
    /// Setting creates or replaces the member; nil removes it. `null`, and a missing value in a chain, becomes an object first.
    /// A value of another kind, such as a string or an array, is not changed.
    public subscript(key: String) -> JSONValue? {
        get { if case .object(let members) = self { members[key] } else { nil } }
        _modify {
            switch self {
            case .object(var members):
                self = .null  // so that the members have one owner and are not copied
                defer { self = .object(members) }
                yield &members[key]
            case .null, .bool, .number, .string, .array:
                var member: JSONValue?
                defer { if isNull, let member { self = .object([key: member]) } }
                yield &member
            }
        }
    }

    /// The element of an array at an index from 0; nil if there is none, or the value is not an array.
    ///
    /// ```swift
    /// var value: JSONValue = ["a", "b"]
    /// value[2]                                // nil
    /// value[2] = "c"                          // appended
    /// value[0] = nil                          // removed: ["b", "c"]
    /// value[9] = "d"                          // no effect: arrays have no gaps
    /// ```
    ///
    /// Setting replaces the element, or appends one if the index is the number of elements; nil removes it and moves later
    /// ones up. `null`, and a missing value in a chain, becomes an array first. Any other index, and a value of another kind,
    /// changes nothing.
    public subscript(index: Int) -> JSONValue? {
        get { if case .array(let elements) = self, elements.indices.contains(index) { elements[index] } else { nil } }
        _modify {
            switch self {
            case .array(var elements) where 0...elements.count ~= index:
                self = .null  // so that the elements have one owner and are not copied
                let isNew = index == elements.count
                if isNew { elements.append(.null) }
                var element: JSONValue? = isNew ? .none : elements[index]
                elements[index] = .null
                defer {
                    if let element { elements[index] = element } else { elements.remove(at: index) }
                    self = .array(elements)
                }
                yield &element
            case .null, .bool, .number, .string, .array, .object:
                var element: JSONValue?
                defer { if isNull, index == 0, let element { self = .array([element]) } }
                yield &element
            }
        }
    }

    /// The value at a path; nil if there is none. The empty path is the value itself.
    ///
    /// ```swift
    /// value[["data", "items", 0, "id"]]       // same as value["data"]["items"][0]["id"]
    /// ```
    ///
    /// Setting behaves at each step as ``subscript(_:)-(String)`` and ``subscript(_:)-(Int)`` do. Setting the empty path to nil
    /// makes the value `null`.
    public subscript(path: JSONPath) -> JSONValue? {
        get { Optional(self)[path.steps[...]] }
        _modify {
            var whole: JSONValue? = self
            self = .null  // so that the value has one owner and is not copied
            defer { self = whole ?? .null }
            yield &whole[path.steps[...]]
        }
    }
}

/// The same subscripts for a value that may be missing, so that they can be chained.
extension Optional where Wrapped == JSONValue {
    /// The member with exactly this key; nil if there is none. See `JSONValue`'s subscript.
    public subscript(key: String) -> JSONValue? {
        get { self?[key] }
        _modify { yield &orNull[key] }
    }

    /// The element at an index from 0; nil if there is none. See `JSONValue`'s subscript.
    public subscript(index: Int) -> JSONValue? {
        get { self?[index] }
        _modify { yield &orNull[index] }
    }

    /// The value at a path; nil if there is none. See `JSONValue`'s subscript.
    public subscript(path: JSONPath) -> JSONValue? {
        get { self[path.steps[...]] }
        _modify { yield &self[path.steps[...]] }
    }

    fileprivate subscript(steps: ArraySlice<JSONPath.Step>) -> JSONValue? {
        get {
            // A loop, since a path may have any length.
            steps.reduce(self) { value, step in
                switch step {
                case .key(let key): value?[key]
                case .index(let index): value?[index]
                }
            }
        }
        _modify {
            switch steps.first {
            case .key(let key)?: yield &self[key][steps.dropFirst()]
            case .index(let index)?: yield &self[index][steps.dropFirst()]
            case nil: yield &self
            }
        }
    }

    /// The value, or `null` if it is missing. A missing value that is still `null` after a change stays missing.
    private var orNull: JSONValue {
        get { self ?? .null }
        _modify {
            let isMissing = self == nil
            var value = self ?? .null
            self = nil  // so that the value has one owner and is not copied
            defer { self = isMissing && value.isNull ? .none : value }
            yield &value
        }
    }
}

extension JSONValue {
    /// The value as plain Swift values, as passed to hooks: `Bool`, `String`, `[Any]`, `[String: Any]`, numbers, and `nil` for
    /// null.
    ///
    /// On Apple platforms, as with `JSONSerialization`, numbers are `NSNumber`s, which cast to `Int` and to `Double`, and a nested
    /// null is `NSNull`. Elsewhere a number is an `Int` if it is written as an integer that fits, otherwise a `Double`, and a nested null
    /// is ``JSONValue/null``. This reads any number on every platform:
    ///
    /// ```swift
    /// let latitude = try JSONValue(any: dictionary["latitude"]).double
    /// ```
    ///
    /// A number beyond the range of `Double` (`1e400`, `1e-400`) is a ``JSONNumber``.
    public var any: Any? {
        switch self {
        case .null: nil
        case .bool(let value): value
        case .string(let value): value
        case .number(let value): value.plain
        case .array(let elements): elements.map { $0.any ?? JSONValue.plainNull }
        case .object(let members): members.mapValues { $0.any ?? JSONValue.plainNull }
        }
    }

    /// A null inside plain values.
    static var plainNull: Any {
        #if canImport(FoundationEssentials)
        JSONValue.null
        #else
        NSNull()
        #endif
    }

    /// The number or the Boolean that the name of a type spells, if any.
    static func literal(ofTypeName name: String) -> JSONValue? {
        name == "true" || name == "false" ? .bool(name == "true") : JSONNumber(name).map(JSONValue.number)
    }

    /// A string, a number or a Boolean as the name of a type: `1.0` is `"1"`.
    var typeName: String? {
        switch self {
        case .string(let text): text
        case .number(let number): number.int.map { "\($0)" } ?? number.text
        case .bool(let value): value ? "true" : "false"
        case .null, .array, .object: nil
        }
    }
}

extension JSONNumber {
    /// The number as a plain value, as in ``JSONValue/any``.
    fileprivate var plain: Any {
        let double = double.flatMap { $0 == 0 && !canonical.digits.isEmpty ? nil : $0 }
        #if canImport(FoundationEssentials)
        // `NSNumber` would link all of Foundation: 42 MB in a static executable.
        if let value = Int(text) { return value }
        return double ?? self
        #else
        if let value = Int(text) { return NSNumber(value: value) }
        if let value = UInt64(text) { return NSNumber(value: value) }
        return double.map { NSNumber(value: $0) } ?? self
        #endif
    }
}
