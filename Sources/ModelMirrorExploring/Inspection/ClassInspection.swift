import ModelMirror

/// The property table of a class as text.
///
/// ```text
/// Gist: 3 properties
///
/// property   key         type     reads                                              required
/// id         id          String   a string                                           yes
/// createdAt  created_at  Date?    a date in ISO 8601 or "y-MM-dd HH:mm:ssZ"          yes
/// owner      owner       User?    an object for User
/// ```
struct ClassInspection {
    private let model: String
    private let properties: [PropertyOutline]

    /// - Throws: `ModelError.invalidModel` if the class cannot be mapped.
    init(_ model: any MappedModel.Type) throws(ModelError) {
        self.model = "\(model)"
        properties = try model.propertyOutlines()
    }

    func text(_ style: TextStyle = .plain) -> String {
        let heading = style.strong(model) + ": " + count
        let mapped = properties.filter { $0.obstacle == nil }
        var parts = [heading]
        if !mapped.isEmpty {
            let rows = mapped.map(\.cells)
            parts.append(
                TextTable([ClassInspection.columns] + rows).text(style))
        }
        let others = properties.compactMap { property in
            property.obstacle.map { "\(property.name) is not mapped: it \($0)" }
        }
        if !others.isEmpty { parts.append(others.joined(separator: "\n")) }
        return parts.joined(separator: "\n\n")
    }

    /// The table for programs.
    var json: JSONValue {
        let rows = properties.map { property -> JSONValue in
            let cells = Dictionary(uniqueKeysWithValues: zip(ClassInspection.columns, property.cells))
            var members = cells.filter { !$0.value.isEmpty }.mapValues(JSONValue.string)
            if let obstacle = property.obstacle { members["obstacle"] = .string(obstacle) }
            return .object(members)
        }
        return ["class": .string(model), "properties": .array(rows)]
    }

    private static let columns = ["property", "key", "type", "reads", "rule", "required", "ignored"]

    private var count: String { properties.count == 1 ? "1 property" : "\(properties.count) properties" }
}

extension PropertyOutline {
    fileprivate var cells: [String] {
        let key = takesUnknownKeys ? "all other keys" : keys.joined(separator: ", ")
        let ignored =
            takesUnknownKeys || isRead && isWritten
            ? "" : isRead ? "not written" : isWritten ? "not read" : "yes"
        return [
            name, key, TypeName.sugared(type), expected ?? "assigned by the class", converter ?? "",
            isRequired ? "yes" : "", ignored,
        ]
    }
}

/// The names of types as written in source.
enum TypeName {
    /// `[String: [Int]]?` for `Optional<Dictionary<String, Array<Int>>>`.
    static func sugared(_ name: String) -> String {
        guard let open = name.firstIndex(of: "<"), let (arguments, rest) = arguments(of: name[open...]) else {
            return name
        }
        let names = arguments.map { sugared($0) }
        let sugar: String
        switch (name[..<open], names.count) {
        case ("Array", 1): sugar = "[\(names[0])]"
        case ("Dictionary", 2): sugar = "[\(names[0]): \(names[1])]"
        case ("Optional", 1): sugar = "\(names[0])?"
        default: sugar = "\(name[..<open])<\(names.joined(separator: ", "))>"
        }
        return sugar + rest
    }

    /// The arguments in the angle brackets at the start of a text, and the rest of the text; nil if the brackets do not close.
    private static func arguments(of text: Substring) -> (names: [String], rest: String)? {
        var names: [String] = []
        var depth = 0
        var start = text.index(after: text.startIndex)
        var previous: Character = " "
        for index in text.indices {
            switch text[index] {
            case "<", "(", "[": depth += 1
            case ">" where previous == "-": break
            case ">", ")", "]": depth -= 1
            case "," where depth == 1:
                names.append(text[start..<index].trimmed)
                start = text.index(after: index)
            default: break
            }
            if depth == 0 {
                return (names + [text[start..<index].trimmed], String(text[text.index(after: index)...]))
            }
            previous = text[index]
        }
        return nil
    }
}

extension Substring {
    fileprivate var trimmed: String { String(drop { $0 == " " }) }
}
