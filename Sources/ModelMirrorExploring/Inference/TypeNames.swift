/// The type names of a source, each used once.
struct TypeNames {
    /// Names of generated types.
    private(set) var taken: Set<String> = []
    /// What every generated name begins with, except for those reserved by ``take(_:)``.
    var prefix = ""
    /// The modules besides ModelMirror whose types are used.
    private(set) var imports: Set<String> = []
    private var numbered = NumberedNames()

    /// Reserves a name.
    mutating func take(_ name: String) { taken.insert(name) }

    /// Reserves the first candidate that is free, otherwise the last one with a number.
    mutating func take(firstOf candidates: [String]) -> String {
        let usable = candidates.filter { !$0.isEmpty }.map(prefixed)
        let name =
            usable.first { TypeNames.isFree($0, taken) }
            ?? numbered.free(usable.last ?? prefixed("Value")) { [taken] in TypeNames.isFree($0, taken) }
        taken.insert(name)
        return name
    }

    /// A name with the prefix, unless the prefix is its first word already.
    private func prefixed(_ name: String) -> String {
        name.hasPrefix(prefix) && name.dropFirst(prefix.count).first?.isLowercase != true ? name : prefix + name
    }

    private static func isFree(_ name: String, _ taken: Set<String>) -> Bool {
        !taken.contains(name) && !SwiftName.reservedTypes.contains(name)
    }

    /// The name of a library's type, qualified with its module if the root class has the same name.
    mutating func library(_ name: String) -> String {
        // The root cannot have the name of another module's type.
        guard TypeNames.foundation.contains(name) else { return name }
        imports.insert("Foundation")
        return taken.contains(name) ? "Foundation.\(name)" : name
    }

    private static let foundation: Set = ["Date", "URL", "UUID", "Data", "Decimal"]
}
