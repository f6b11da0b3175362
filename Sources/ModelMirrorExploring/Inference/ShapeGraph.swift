/// What is known of documents, whether from samples or from a schema: records, and what their members hold.
struct ShapeGraph {
    var records: [RecordShape] = []
    /// What the documents are; several if their parts differ.
    var roots: [RootShape] = []
}

/// The type of values at one place.
indirect enum ValueShape: Hashable {
    /// Only null, or nothing at all.
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
    /// A record that a member beside the value names.
    case tagged(TaggedShape)
    /// Values of several kinds, one shape for each.
    case choice([ValueShape])
    /// Values of several kinds, and lists of such values to any depth.
    case nested([ValueShape], holdsNulls: Bool)
    case array(ValueShape)
    case dictionary(ValueShape)
    case optional(ValueShape)
}

/// The records of a place, by the name in a member beside it.
struct TaggedShape: Hashable {
    let key: String
    let records: [TaggedRecord]
}

/// A record and the name that stands for it in JSON.
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
    /// Whether an object without it is no object of the record.
    var isRequired = false
    /// Validation rules in Swift.
    var rules: [String] = []
    /// A line for the reader of the class.
    var comment: String?
}

/// An object with known keys.
struct RecordShape {
    /// The key under which it was found, or a name of its own, in words; empty for the root.
    var name: String
    /// Whether the name is that of a list or dictionary of such objects.
    var isPlural = false
    /// The record around it.
    var parent: Int?
    var members: [MemberShape] = []
    /// The record whose members it has, too.
    var base: Int?
    /// How its objects say which record they are.
    var union: TaggedShape?
    /// Whether objects with other names of types, and other keys, are no objects of the record.
    var rejectsOtherNames = false
    var rejectsOtherKeys = false
    /// Whether absent values are always written as `null` and never left out.
    var writesNulls = false
    /// A line for the reader of the class.
    var comment: String?
}

/// What a document is, or a part of it.
struct RootShape {
    /// The indices that lead to the part.
    var path: [Int] = []
    let value: ValueShape
}

extension ValueShape {
    /// Whether it leads to a record.
    var holdsRecord: Bool {
        switch self {
        case .record, .tagged: true
        case .array(let value), .dictionary(let value), .optional(let value): value.holdsRecord
        case .choice(let values), .nested(let values, _): values.contains(where: \.holdsRecord)
        default: false
        }
    }

    /// The number of the one record that it is, or whose list or dictionary it is.
    var onlyRecord: Int? {
        switch self {
        case .record(let number): number
        case .array(let value), .dictionary(let value), .optional(let value): value.onlyRecord
        case .nested(let values, _) where values.count == 1: values[0].onlyRecord
        default: nil
        }
    }

    /// The value without what makes it a list, a dictionary or Optional.
    var innermost: ValueShape {
        switch self {
        case .array(let value), .dictionary(let value), .optional(let value): value.innermost
        default: self
        }
    }
}
