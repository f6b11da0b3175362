/// What is known about documents, from samples or from a schema: the records, and the types of their members.
struct ShapeGraph {
    var records: [RecordShape] = []
    /// The types of the documents; several if their parts differ.
    var roots: [RootShape] = []
    /// Whether enums may get values that are not among their cases: samples rarely show all.
    var hasOpenEnums = false

    /// The records that a record inherits from, the nearest first.
    func ancestors(of number: Int) -> [Int] {
        Array(sequence(first: number) { records[$0].base }.dropFirst())
    }
}

/// The type of values at one place.
indirect enum ValueShape: Hashable {
    /// Any value: the samples have only null or none, or the schema does not say.
    case any
    case bool
    case number(NumberType)
    case string
    case date(DateForm)
    case url
    case uuid
    case data
    case color(ColorForm)
    /// The raw values of an enum, and its name in the document if it has one.
    case enumeration([String], name: String? = nil)
    /// The number of a record in its graph.
    case record(Int)
    /// A record whose type a sibling member names.
    case tagged(TaggedShape)
    /// Values of several kinds, one shape for each.
    case choice([ValueShape])
    /// Values of several kinds, and lists of them to any depth.
    case nested([ValueShape], holdsNulls: Bool)
    case array(ValueShape)
    case dictionary(ValueShape)
    case optional(ValueShape)
}

/// The records of a union, by the type name in a member.
struct TaggedShape: Hashable {
    let key: String
    let records: [TaggedRecord]
}

/// A record and its type name in JSON.
struct TaggedRecord: Hashable {
    let tag: String
    let record: Int
}

/// A member of a record.
struct MemberShape {
    let key: String
    var value: ValueShape
    /// Whether it may be absent or null.
    var isOptional: Bool
    /// Whether an object without it is not valid.
    var isRequired = false
    var rules = ValueRules()
    /// A line for the reader of the class.
    var comment: String?
}

/// An object with known keys.
struct RecordShape {
    /// The key under which it was found, or its own name; empty for the root.
    var name: String
    /// Whether the name is that of a list or dictionary of these objects.
    var isPlural = false
    /// The enclosing record.
    var parent: Int?
    var members: [MemberShape] = []
    /// The keys of the members that must be there if another one is.
    var dependencies: [(key: String, needed: [String])] = []
    /// Sets of keys of which one must be there.
    var alternatives: [KeyAlternatives] = []
    /// The rules for the keys of all other members, which one property takes; nil if there is no such property.
    var otherKeys: [String]?
    /// The record whose members it inherits.
    var base: Int?
    /// The type names of its subclasses, if its objects name their type.
    var union: TaggedShape?
    /// Whether unknown type names are rejected.
    var rejectsOtherNames = false
    /// Whether unknown keys are rejected.
    var rejectsOtherKeys = false
    /// What its JSON, `value`, must also fulfill, as Swift source.
    var conditions: [String] = []
    /// Whether absent values are always written as `null` and never left out.
    var writesNulls = false
    /// A line for the reader of the class.
    var comment: String?
}

/// Sets of members of which one must be there in whole.
struct KeyAlternatives: Equatable {
    let sets: [[String]]
    /// Whether no more than one may be there.
    let isExclusive: Bool
}

/// The type of a document or a part of it.
struct RootShape {
    /// The indices that lead to the part.
    var path: [Int] = []
    let value: ValueShape
}

extension ValueShape {
    /// The number of the record that it is, or that it is a list or dictionary of; nil if there is none.
    var onlyRecord: Int? {
        switch self {
        case .record(let number): number
        case .array(let value), .dictionary(let value), .optional(let value): value.onlyRecord
        case .nested(let values, _) where values.count == 1: values[0].onlyRecord
        default: nil
        }
    }

    /// The value inside all lists, dictionaries and Optionals.
    var innermost: ValueShape {
        switch self {
        case .array(let value), .dictionary(let value), .optional(let value): value.innermost
        default: self
        }
    }
}
