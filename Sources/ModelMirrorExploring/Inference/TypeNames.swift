/// The names of the types of a source: each one once.
struct TypeNames {
    /// Names of generated types.
    private(set) var taken: Set<String> = []
    /// The modules besides ModelMirror whose types are used.
    private(set) var imports: Set<String> = []

    /// Takes a name as it is.
    mutating func take(_ name: String) { taken.insert(name) }

    /// Takes the first candidate that is free, else one with a number.
    mutating func take(firstOf candidates: [String]) -> String {
        let usable = candidates.filter { !$0.isEmpty }
        let name = usable.first { isFree($0) } ?? SwiftName.free(usable.last ?? "Value", isFree)
        taken.insert(name)
        return name
    }

    private func isFree(_ name: String) -> Bool { !taken.contains(name) && !SwiftName.reservedTypes.contains(name) }

    /// A type of a library, with its module if a generated type has its name.
    mutating func library(_ name: String) -> String {
        let module = TypeNames.modules[name] ?? "Swift"
        if module == "Foundation" { imports.insert(module) }
        return taken.contains(name) ? "\(module).\(name)" : name
    }

    private static let modules = [
        "Date": "Foundation", "URL": "Foundation", "UUID": "Foundation", "Data": "Foundation", "Decimal": "Foundation",
        "AbstractModel": "ModelMirror", "JSONValue": "ModelMirror", "JSONNumber": "ModelMirror",
        "RGBAColor": "ModelMirror",
    ]
}
