import Foundation
import ModelMirror

/// The property names for the keys of a class, and the rules that map between them.
struct KeyPlan {
    /// The style of the key strategy; `.exact` for none.
    let style: KeyStyle
    /// The property of each key.
    let names: [String: String]
    /// Whether each key that differs from its property's name needs an entry in `propertyKeys`.
    private let isListed: Bool

    /// - Parameter style: The style that the caller gave; nil to detect it.
    init(_ keys: [String], style: KeyStyle?) {
        for candidate in style.map({ [$0] }) ?? KeyStyle.allCases {
            guard let names = KeyPlan.names(of: keys, candidate, isGiven: style != nil) else { continue }
            self.names = names
            self.style = candidate
            isListed = false
            return
        }
        names = KeyPlan.uniqueNames(of: keys)
        self.style = .exact
        isListed = true
    }

    /// The body of `keyStrategy`; nil if the keys do not need it.
    func strategy(for keys: [String]) -> String? {
        guard style != .exact, keys.contains(where: { names[$0] != $0 }) else { return nil }
        return switch style {
        case .exact: nil
        case .snake: ".snakeCase"
        case .kebab: ".kebabCase"
        case .pascal: ".pascalCase"
        }
    }

    /// The key, if its property needs an entry in `propertyKeys`; otherwise nil.
    func listedKey(_ key: String) -> String? {
        isListed && (names[key] != key || KeyPlan.isDecomposed(key)) ? KeyForms.unmarked(key) : nil
    }

    /// The property names from which a style makes all keys; nil if it cannot.
    private static func names(of keys: [String], _ style: KeyStyle, isGiven: Bool) -> [String: String]? {
        var names: [String: String] = [:]
        var used: Set<String> = []
        for key in keys {
            let property = SwiftName.property(key)
            var candidates = [property]
            // The key itself as the name, only if no other name makes the key.
            if SwiftName.isProperty(key), style != .exact || isGiven { candidates.append(key) }
            let strategy = style.strategy
            let fitting = candidates.first { name in
                strategy.jsonKey(forProperty: name).utf8.elementsEqual(key.utf8) && !used.contains(name)
            }
            guard let fitting, !isDecomposed(key) else { return nil }
            used.insert(fitting)
            names[key] = fitting
        }
        return names
    }

    /// Names for keys that no style makes. Keys that are valid property names are kept.
    private static func uniqueNames(of keys: [String]) -> [String: String] {
        var names: [String: String] = [:]
        var used: Set<String> = []
        for key in keys where SwiftName.property(key) == key && !isDecomposed(key) {
            names[key] = key
            used.insert(key)
        }
        var numbered = NumberedNames()
        let all = Set(keys)
        for key in keys where names[key] == nil {
            let isFree = { name in !used.contains(name) && (!all.contains(name) || name == key) }
            let property = SwiftName.property(key).precomposedStringWithCanonicalMapping
            let keepsKey =
                used.contains(property) && isFree(key) && SwiftName.isProperty(key) && !isDecomposed(key)
            let name = keepsKey ? key : numbered.free(property, isFree)
            names[key] = name
            used.insert(name)
        }
        return names
    }

    /// Whether a compiler may normalize the name to other bytes.
    static func isDecomposed(_ key: String) -> Bool {
        !key.utf8.elementsEqual(key.precomposedStringWithCanonicalMapping.utf8)
    }
}

extension KeyStyle {
    var strategy: KeyStrategy {
        switch self {
        case .exact: .exact
        case .snake: .snakeCase
        case .kebab: .kebabCase
        case .pascal: .pascalCase
        }
    }
}
