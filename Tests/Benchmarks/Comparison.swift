/// Compares two object trees of different classes by their stored properties.
enum Comparison {
    /// The path of the first difference, or nil if the trees are equal.
    static func difference(_ left: Any, _ right: Any, at path: String = "$") -> String? {
        let leftMirror = Mirror(reflecting: left)
        let rightMirror = Mirror(reflecting: right)
        if leftMirror.displayStyle == .dictionary {
            return dictionaryDifference(left, right, at: path)
        }
        if leftMirror.children.isEmpty, rightMirror.children.isEmpty {
            return "\(left)" == "\(right)" || leftMirror.displayStyle == .class ? nil : path
        }
        guard leftMirror.children.count == rightMirror.children.count else { return path }
        if leftMirror.displayStyle == .struct { return "\(left)" == "\(right)" ? nil : path }
        for (index, pair) in zip(leftMirror.children, rightMirror.children).enumerated() {
            let step = pair.0.label.map { ".\($0)" } ?? "[\(index)]"
            if let found = difference(pair.0.value, pair.1.value, at: path + step) { return found }
        }
        return nil
    }

    private static func dictionaryDifference(_ left: Any, _ right: Any, at path: String) -> String? {
        guard let left = left as? [String: Any], let right = right as? [String: Any], left.count == right.count else {
            return path
        }
        for (key, value) in left {
            guard let other = right[key] else { return "\(path).\(key)" }
            if let found = difference(value, other, at: "\(path).\(key)") { return found }
        }
        return nil
    }
}
