/// An entry of a report before it is read.
///
/// Most entries are completed when they are read: a missing key, an unknown key, a converted value or a duplicate takes six machine
/// words here, and thirty and several texts as a ``Finding``. (Measured: with findings, a report multiplied the instructions of
/// objects with most keys missing by four, and those of objects with every value converted by 2.6.)
enum Note: Deviation, Sendable {
    /// A member that no property of the class takes, and the offset of its value.
    case unknownKey(Any.Type, offset: Int)
    /// Properties that the object at an offset has no keys for: one for each bit, the lowest bit for the first row.
    case missing(any NotedProperties, first: Int, rows: UInt64, offset: Int)
    /// A value that was converted in a way that strict mapping rejects; its property, once it is known.
    case coerced(@Sendable () -> String, offset: Int, Property?)
    /// A value whose key came before, where the last one that fits is used.
    case duplicate(Property, offset: Int)
    case other(Box)

    struct Property {
        let owner: any NotedProperties
        let row: Int
    }

    /// A finding, by reference.
    ///
    /// `@unchecked Sendable`: only the session that made it changes it, before the report is made.
    final class Box: @unchecked Sendable {
        fileprivate(set) var finding: Finding

        init(_ finding: Finding) { self.finding = finding }
    }

    init(_ finding: Finding) { self = .other(Box(finding)) }

    var finding: Finding {
        switch self {
        case .unknownKey(let model, let offset):
            Finding(kind: .unknownKey, model: model, offset: offset, expected: "")
        case .missing(let owner, let first, let rows, let offset):
            owner.missing(first + rows.trailingZeroBitCount, at: offset)
        case .coerced(let expected, let offset, let property):
            Finding(
                kind: .coerced, model: property?.owner.notedModel, property: property?.name, offset: offset,
                expected: expected())
        case .duplicate(let property, let offset):
            Finding(duplicateOf: property.name, of: property.owner.notedModel, at: offset, isUsed: true)
        case .other(let box): box.finding
        }
    }

    var place: Int {
        switch self {
        case .unknownKey(_, let offset), .missing(_, _, _, let offset), .coerced(_, let offset, _),
            .duplicate(_, let offset):
            offset
        case .other(let box): box.finding.place
        }
    }

    var others: [Note]? {
        switch self {
        case .missing(let owner, let first, let rows, let offset) where rows.nonzeroBitCount > 1:
            (0..<64).filter { rows >> $0 & 1 == 1 }.map {
                .missing(owner, first: first + $0, rows: 1, offset: offset)
            }
        case .other(let box): box.finding.others?.map(Note.init)
        default: nil
        }
    }

    /// Sets object and property, unless they are known.
    mutating func name(_ owner: any NotedProperties, _ row: Int) {
        switch self {
        case .coerced(let expected, let offset, nil):
            self = .coerced(expected, offset: offset, Property(owner: owner, row: row))
        case .other(let box) where !box.finding.isNamed:
            (box.finding.model, box.finding.property) = (owner.notedModel, owner.names[row])
        default: break
        }
    }
}

extension Note.Property {
    fileprivate var name: String { owner.names[row] }
}

/// The properties of a class, which notes name by the numbers of their rows.
protocol NotedProperties: AnyObject, Sendable {
    var notedModel: Any.Type { get }
    var names: [String] { get }

    /// The finding that an object at an offset has no key for a property.
    func missing(_ row: Int, at offset: Int) -> Finding
}
