/// An entry of a report before anyone reads it.
///
/// What most entries say is put together when they are read: a missing key or an unknown one is some words here, and thirty as a
/// ``Finding``. (Measured: objects of which most keys are missing took four times as long with a report.)
enum Note: Sendable {
    /// A member that no property of the class takes, by the offset of its value.
    case unknownKey(Any.Type, offset: Int)
    /// A property that the object at an offset has no key for.
    case missing(Any.Type, any NotedProperty, offset: Int)
    case other(Box)

    /// A finding, by reference.
    final class Box: Sendable {
        let finding: Finding

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

    /// Whether it is known what object and property it is about.
    var isNamed: Bool {
        if case .other(let box) = self { box.finding.isNamed } else { true }
    }
}

/// A property that a missing key is noted for.
protocol NotedProperty: AnyObject, Sendable {
    /// The finding that an object at an offset has no key for the property.
    func missing(of model: Any.Type, at offset: Int) -> Finding
}
