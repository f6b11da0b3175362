import ModelMirrorFoundation

/// `print(gist)` and `"\(gist)"` show the properties, on one line:
///
/// ```swift
/// print(gist)                  // Gist(id: "1", comments: 3, owner: User(login: "mona"))
/// ```
///
/// Properties that are ignored or listed in ``AbstractModel/redactedProperties`` are left out. A class that is
/// `CustomStringConvertible` prints its own description.
extension AbstractModel: TextOutputStreamable {
    /// Writes the description.
    public func write<Target: TextOutputStream>(to target: inout Target) { target.write(ModelPrinter().text(of: self)) }
}

/// Describes objects and their values on one line.
private final class ModelPrinter {
    /// Beyond this number, elements and members are only counted.
    private static let limit = 10
    /// The objects that are being described, outermost first.
    private var open: [ObjectIdentifier] = []
    private let stack = StackRoom()

    func text(of model: AbstractModel) -> String {
        if let own = model as? any CustomStringConvertible { return own.description }
        let name = "\(type(of: model))"
        guard stack.isLeft, !open.contains(ObjectIdentifier(model)),
            let table = try? PropertyTableCache.table(for: model)
        else { return open.isEmpty && stack.isLeft ? name : "\(name)(…)" }
        open.append(ObjectIdentifier(model))
        defer { open.removeLast() }
        let rows = table.rows.enumerated().filter { number, row in
            (row.isRead || row.isWritten || row.takesUnknownKeys) && !table.redacted.contains(number)
        }.map(\.element)
        return name + "(" + rows.map { "\($0.name): \(text(of: $0.values.value(of: model)))" }.joined(separator: ", ")
            + ")"
    }

    private func text(of value: Any) -> String {
        // Checked first: to cast a dictionary to a class, Foundation on Linux bridges all of it recursively.
        if type(of: value) is AnyClass, let model = value as? AbstractModel { return text(of: model) }
        switch value {
        case let optional as any OptionalType:
            guard let wrapped = optional.wrappedValue else { return "nil" }
            return text(of: wrapped)
        case _ where !stack.isLeft: return "…"
        case let text as String: return JSONReader.quoted(text)
        case let list as [Any]: return "[" + joined(list) { text(of: $0) } + "]"
        case let members as [String: Any]:
            if members.isEmpty { return "[:]" }
            let sorted = members.ordered { $0.key.precedes($1.key) }
            return "[" + joined(sorted) { "\($0.key.quotedForMessage): \(text(of: $0.value))" } + "]"
        case let json as JSONValue: return json.description
        case let value as any RawRepresentable: return text(of: value.rawValue)
        case let data as Data: return data.count == 1 ? "1 byte" : "\(data.count) bytes"
        default: return FoundValue.plainText(value) ?? parts(of: value)
        }
    }

    /// The parts of any other value, as its mirror shows them.
    private func parts(of value: Any) -> String {
        let mirror = Mirror(reflecting: value)
        switch mirror.displayStyle {
        case .set: return "[" + joined(mirror.children.map { text(of: $0.value) }.ordered()) { $0 } + "]"
        case .dictionary:
            let members = mirror.children.map { member in
                Mirror(reflecting: member.value).children.map { text(of: $0.value) }.joined(separator: ": ")
            }
            return members.isEmpty ? "[:]" : "[" + joined(members.ordered()) { $0 } + "]"
        case .struct:
            let parts = joined(Array(mirror.children)) { "\($0.label ?? ""): \(text(of: $0.value))" }
            return "\(TypeShape.name(type(of: value)))(\(parts))"
        case .enum:
            guard let payload = mirror.children.first else { return "\(value)" }
            let isTuple = Mirror(reflecting: payload.value).displayStyle == .tuple
            let text = text(of: payload.value)
            return (payload.label ?? "") + (isTuple ? text : "(\(text))")
        case .tuple: return "(" + joined(Array(mirror.children)) { text(of: $0.value) } + ")"
        default: return FoundValue.text(value)
        }
    }

    private func joined<Element>(_ elements: [Element], _ text: (Element) -> String) -> String {
        let others = elements.count - ModelPrinter.limit
        let rest = others > 0 ? ["… \(others) more"] : []
        return (elements.prefix(ModelPrinter.limit).map(text) + rest).joined(separator: ", ")
    }
}
