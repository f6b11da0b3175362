/// The declarations of a Swift source, with all names chosen.
struct SourcePlan {
    /// Comment lines at the top: the calls that read the documents.
    var comments: [String] = []
    /// Imported modules besides ModelMirror.
    var imports: Set<String> = []
    /// The declarations in groups of those that use each other.
    var declarations: [[Declaration]] = []

    enum Declaration {
        case model(ClassPlan)
        case enumeration(EnumPlan)
        case choice(ChoicePlan)
        /// Finished lines.
        case text([String])
    }
}

/// The names that the caller gave.
struct ClassNaming {
    /// The name of the root's class; nil to make one.
    var root: String?
    /// A name for the document, from which one is made; empty for the default.
    var document = ""
    /// Whether the document's name is that of a list of samples, whose plural is not the class's.
    var isOfList = false
    /// What the names of all other types begin with.
    var prefix = ""

    /// - Throws: ``InferenceError/invalidName(_:)``.
    func check() throws(InferenceError) {
        if let root { try SwiftName.check(className: root) }
        if !prefix.isEmpty, (try? SwiftName.check(className: prefix + "Model")) == nil { throw .invalidName(prefix) }
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
    /// Property and converter, as Swift source.
    var converters: [(String, String)] = []
    /// Property and rule, as Swift source.
    var rules: [(String, String)] = []
    /// Properties whose class a sibling member names.
    var dynamicProperties: [(property: String, names: TypeNamesPlan)] = []
    /// The property with the type name, and the class for each name.
    var union: TypeNamesPlan?
    /// What the JSON of an object must also fulfill, as Swift source.
    var conditions: [String] = []
    /// The property for members that no other property takes.
    var unknownKeysProperty: String?
    /// The arguments of `mappingOptions`, as Swift source.
    var options: [String] = []
    /// The statements of `validateModel(_:)`.
    var validation: [String] = []
    /// Whether the superclass may also validate.
    var isSubclass = false
}

/// The type names in JSON, and their classes.
struct TypeNamesPlan {
    /// The property or key that holds the name.
    let key: String
    let types: [(tag: String, type: String)]
    /// Whether other names are refused.
    var rejectsOthers = false
    /// The same of the superclass whose names these replace; nil if there is none.
    var outerRejectsOthers: Bool?

    /// The entries of a dictionary literal.
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
    /// The case for other raw values; nil if they are refused.
    let unknown: String?
}

/// An enum of values of several kinds.
struct ChoicePlan {
    let name: String
    let cases: [Case]

    struct Case {
        let name: String
        /// The case of `JSONValue`.
        let kind: String
        /// The kind as errors name it.
        let expected: String
        let type: String
        /// The Swift expression that makes a `JSONValue` of `value`.
        let json: String
    }
}
