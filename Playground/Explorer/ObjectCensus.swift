import ModelMirror

/// How many objects of each class there are in an object and all that it holds, counted by Swift's own `Mirror`.
struct ObjectCensus {
    /// Class name → objects of just this class.
    private(set) var counts: [String: Int] = [:]

    /// The objects of all classes.
    var total: Int { counts.values.reduce(0, +) }

    init(of root: AbstractModel) { count(root) }

    private mutating func count(_ value: Any) {
        let mirror = Mirror(reflecting: value)
        switch mirror.displayStyle {
        case .class:
            guard let object = value as? AbstractModel else { return }
            counts["\(type(of: object))", default: 0] += 1
        case .optional, .collection, .set, .dictionary, .tuple: break
        default: return
        }
        for level in sequence(first: mirror, next: \.superclassMirror) {
            for child in level.children { count(child.value) }
        }
    }
}
