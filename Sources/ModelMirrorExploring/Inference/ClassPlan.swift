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
    /// Properties whose class a member beside them names.
    var dynamicProperties: [(property: String, names: TypeNamesPlan)] = []
    /// The property with the type's name, and the class of each name.
    var union: TypeNamesPlan?
    /// The members of `mappingOptions`, in Swift.
    var options: [String] = []
    /// Property and validation rules, in Swift.
    var validation: [(String, [String])] = []
    /// Whether the superclass may validate, too.
    var isSubclass = false
}

/// The names of types in JSON, and their classes.
struct TypeNamesPlan {
    /// The property or key that holds the name.
    let key: String
    let types: [(tag: String, type: String)]
    /// Whether other names are refused.
    var isClosed = false

    /// The entries of a dictionary in Swift.
    var entries: [String] { types.map { "\($0.tag.literal): \($0.type).self" } }
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
    let protocols: String
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
