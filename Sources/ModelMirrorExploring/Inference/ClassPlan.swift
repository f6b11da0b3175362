/// The declarations of a Swift source, with all names chosen.
struct SourcePlan {
    /// Lines at the top: how the documents are read.
    var comments: [String] = []
    /// Imported modules besides ModelMirror.
    var imports: Set<String> = []
    var declarations: [Declaration] = []

    enum Declaration {
        case model(ClassPlan)
        case enumeration(EnumPlan)
        case choice(ChoicePlan)
        /// Lines that are ready.
        case text([String])
    }
}

/// A class.
struct ClassPlan {
    let name: String
    /// The superclass and the protocols.
    let inheritance: String
    var comment: String?
    var properties: [PropertyPlan] = []
    /// The body of `keyStrategy`; nil for the default.
    var keyStrategy: String?
    /// Property and key.
    var keys: [(String, String)] = []
    var required: [String] = []
    /// Property and pattern.
    var dateFormats: [(String, String)] = []
    /// Property and converter, in Swift.
    var converters: [(String, String)] = []
    /// Property and `DynamicPropertyTypes`, in Swift.
    var dynamicProperties: [(String, String)] = []
    /// The property with the type's name, and the class of each name.
    var union: (property: String, types: [(tag: String, type: String)])?
    var writesNulls = false
}

/// A stored property.
struct PropertyPlan {
    /// The name and what follows it: `createdAt: Date!`, `comments = 0`.
    let declaration: String
    var comment: String?
}

/// An enum of strings.
struct EnumPlan {
    let name: String
    /// The cases with their raw values.
    let cases: [(name: String, raw: String)]
}

/// An enum of values of several kinds.
struct ChoicePlan {
    let name: String
    let cases: [Case]

    struct Case {
        let name: String
        /// The case of ``JSONValue``.
        let kind: String
        /// The kind as errors call it.
        let expected: String
        let type: String
        /// Makes a ``JSONValue`` of `value`, in Swift.
        let json: String
    }
}
