/// An entry of a report before it is read.
///
/// Most entries are completed when they are read: a missing or unknown key takes a few machine words here, and thirty as a
/// ``Finding``. (Measured: objects with most keys missing took four times as long with a report.)
enum Note: Deviation, Sendable {
    /// A member that no property of the class takes, and the offset of its value.
    case unknownKey(Any.Type, offset: Int)
    /// A property that the object at an offset has no key for.
    case missing(Any.Type, any NotedProperty, offset: Int)
    case other(Box)

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
        case .missing(let model, let property, let offset): property.missing(of: model, at: offset)
        case .other(let box): box.finding
        }
    }

    var place: Int {
        switch self {
        case .unknownKey(_, let offset), .missing(_, _, let offset): offset
        case .other(let box): box.finding.place
        }
    }

    var others: [Note]? {
        if case .other(let box) = self { box.finding.others?.map(Note.init) } else { nil }
    }

    /// Sets object and property, unless they are known.
    func name(_ model: Any.Type, _ property: String) {
        guard case .other(let box) = self, !box.finding.isNamed else { return }
        (box.finding.model, box.finding.property) = (model, property)
    }
}

/// A property whose key can be noted as missing.
protocol NotedProperty: AnyObject, Sendable {
    /// The finding that an object at an offset has no key for the property.
    func missing(of model: Any.Type, at offset: Int) -> Finding
}
