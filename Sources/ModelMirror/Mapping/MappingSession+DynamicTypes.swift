/// How the document chose the classes of the objects being read.
struct ClassChoices {
    /// The choices that made the objects, and where those objects begin; the innermost is last.
    var made: [(offset: Int, choice: DynamicTypeChoice)] = []
    /// The class of the models of the property being read, if a member beside it names it.
    var tag: Tag?
    /// The values for functions of classes; the parts of one value are made once.
    var values = ObjectValues()

    /// The class that a member of an object names for the models of a property.
    struct Tag {
        let rule: DynamicPropertyTypes
        /// The offset of the name; nil if it is missing.
        let offset: Int?
        /// The offset of the object around the property.
        let objectOffset: Int
        /// The name, of a patched object if it has no such member; nil if it is missing or is not one.
        let name: String?
        /// Whether the report has the missing or unknown name.
        var isNoted = false
        /// Whether the offsets are those of another document, whose session notes the issue.
        var isOutside = false

        /// Nil if the name is missing or unknown.
        var chosen: AbstractModel.Type? { name.flatMap { rule.types[$0] } }

        /// Whether an existing object is kept: its class is named, or no name is given.
        func names(_ object: AbstractModel) -> Bool { offset == nil || chosen.map { type(of: object) == $0 } ?? false }

        /// The issue for a missing or unknown name.
        var issue: Issue {
            rule.fallback.issue(
                .typeNames(rule.types.keys.ordered()), at: offset, inObjectAt: objectOffset, rule.key.places.first ?? []
            )
        }
    }
}

/// Objects whose class the document determines: by a name or a function, or by a member beside their property.
extension MappingSession {
    /// The class that the choices of a class and its subclasses give an object.
    private struct ChosenClass {
        /// The last choice that was asked.
        let choice: DynamicTypeChoice
        /// Whether it was asked by the object's type name, and that name with its offset.
        var isByName = false
        var name: (name: String?, offset: Int)?
        /// Nil if the choice gives none.
        var type: AbstractModel.Type?
    }

    /// Makes and fills an object of the subclass that its JSON determines.
    ///
    /// - Parameter type: The class of the choice.
    func readDynamicModel<Model: AbstractModel>(
        _ type: Model.Type, _ choice: DynamicTypeChoice, _ reader: inout JSONReader
    ) throws(Interruption) -> Model? {
        guard reader.byte == UInt8(ascii: "{") else { return try refuse(&reader, .object(type)) }
        let offset = reader.offset
        let outer = choices.made.count
        defer { choices.made.removeLast(choices.made.count - outer) }
        let chosen = try chooseClass(choice, &reader)
        let last = chosen.choice
        // A missing or unknown name may stand for the declared class; the name of another class never does.
        let isOwn = chosen.type == nil && last.fallback == .baseClass
        guard let found = isOwn ? last.model : chosen.type, found.isSubclass(of: last.model),
            let model = found as? Model.Type
        else { return try leaveOut(unchosen(chosen, objectOffset: offset), last.fallback, &reader) }
        let made = try makeAndFill(model, &reader)
        if made != nil, isOwn, chosen.isByName { note(unchosen(chosen, objectOffset: offset)) }
        return made
    }

    /// The issue for an object whose class is missing or unknown.
    private func unchosen(_ chosen: ChosenClass, objectOffset: Int) -> Issue {
        let choice = chosen.choice
        let isMissing = chosen.isByName && chosen.name == nil && chosen.type == nil
        let place = choice.place(variant)
        // A class inherits the names of others.
        let names = choice.names.lazy.filter { chosen.isByName && $0.value.isSubclass(of: choice.model) }
        let isOther = chosen.type != nil || chosen.isByName && names.isEmpty
        var issue = choice.fallback.issue(
            .typeNames(names.map(\.key).ordered(), orFunction: choice.hasFunction, for: isOther ? choice.model : nil),
            at: isMissing ? nil : chosen.name?.offset ?? objectOffset, inObjectAt: objectOffset,
            isMissing ? place.places[0] : [])
        // The object's own offset, by which a list distinguishes issues of its elements from issues inside them.
        (issue.details.innerOffset, issue.offset) = (issue.offset, objectOffset)
        return place.isRedacted ? issue.redacted : issue
    }

    /// Skips the object at the cursor, whose class is missing or unknown.
    ///
    /// - Returns: nil, in place of the object.
    private func leaveOut<Model: AbstractModel>(
        _ issue: Issue, _ fallback: DynamicTypeFallback, _ reader: inout JSONReader
    ) throws(Interruption) -> Model? {
        try reader.skipValue()
        if fallback == .skip { skip(issue) } else { add(issue) }
        return nil
    }

    /// Chooses a class by the object's name, otherwise by the function; the chosen class chooses again, by the names and the
    /// function that it does not inherit.
    ///
    /// Whether a function is inherited cannot be known: it counts as inherited if it returns the same class.
    private func chooseClass(
        _ first: DynamicTypeChoice, _ reader: inout JSONReader
    ) throws(Interruption) -> ChosenClass {
        let offset = reader.offset
        var choice = first
        var outer: DynamicTypeChoice?
        var json: JSONValue?
        while true {
            if let fault = choice.fault { throw interruption(fault) }
            var chosen = ChosenClass(choice: choice)
            if choice.hasNames, outer?.declares(sameAs: choice) != true {
                choices.made.append((offset, choice))
                (chosen.isByName, chosen.name) = (true, try reader.typeName(at: choice.place(variant), &ends))
                chosen.type = chosen.name?.name.flatMap { choice.names[$0] }
            }
            if chosen.type == nil, choice.hasFunction {
                let object = if let json { json } else { try choices.values.value(reader) }
                json = object
                let answer = choice.typeByFunction(for: object)
                if let outer, outer.hasFunction, outer.typeByFunction(for: object) == answer {
                    if !chosen.isByName { chosen.type = choice.model }
                } else {
                    if let answer, let fault = choice.fault(forChosen: answer) { throw interruption(fault) }
                    chosen.type = answer
                }
            }
            guard let type = chosen.type, type.isSubclass(of: choice.model), let next = choice.choice(of: type) else {
                return chosen
            }
            (outer, choice) = (choice, next)
        }
    }

    /// Whether the JSON object at the cursor may update an existing object: it does not name another class, at no level.
    func isOfOneType(_ object: AbstractModel, _ reader: JSONReader) throws(Interruption) -> Bool {
        guard let dynamic = object as? any DynamicTypeModel else { return true }
        let model = type(of: dynamic)
        for choice in sequence(first: DynamicTypeChoice.of(model), next: \.outer) {
            // An outer choice leads to a superclass, which chooses again.
            func fits(_ type: AbstractModel.Type) -> Bool {
                choice.model == model ? type == model : model.isSubclass(of: type)
            }
            var reader = reader
            let found = choice.hasNames ? try reader.typeName(at: choice.place(variant), &ends) : nil
            if let named = found?.name.flatMap({ choice.names[$0] }) {
                if !fits(named) { return false }
            } else if choice.hasFunction, let chosen = choice.typeByFunction(for: try choices.values.value(reader)) {
                if !fits(chosen) { return false }
            } else if found != nil, choice.names.values.contains(where: fits) {
                // Only a name that stood for the declared class may do so again.
                return false
            }
        }
        return true
    }

    /// The places in an object where names of classes are, each with the names: of its own class and its superclasses, and of
    /// the classes of its properties' models.
    ///
    /// - Parameter counts: Whether a row's names do.
    func namePlaces(
        of table: PropertyTable, at objectOffset: Int, where counts: (_ row: Int) -> Bool = { _ in true }
    ) -> [(place: DynamicTypeChoice.Place, types: [String: AbstractModel.Type])] {
        guard table.isDynamic || table.hasDynamicProperties || !choices.made.isEmpty else { return [] }
        var own = choices.made.reversed().prefix { $0.offset == objectOffset }.map(\.choice)
        if let choice = table.model.dynamicChoice { own += sequence(first: choice, next: \.outer) }
        return own.filter(\.hasNames).map { ($0.place(variant), $0.names) }
            + table.rows.indices.compactMap { number in
                table.rows[number].dynamicTypes.flatMap { counts(number) ? ($0.place, $0.types) : nil }
            }
    }

    /// Makes and fills an object of the class that a member beside its property names, which may choose a subclass again.
    func readTaggedModel<Model: MappedModel>(
        _ type: Model.Type, _ reader: inout JSONReader
    ) throws(Interruption) -> Model? {
        guard reader.byte == UInt8(ascii: "{"), let tag = choices.tag else { return try refuse(&reader, .object(type)) }
        let chosen = tag.chosen as? Model.Type
        guard chosen != nil || tag.rule.fallback == .baseClass else {
            return try leaveOut(tag.issue, tag.rule.fallback, &reader)
        }
        let model = chosen ?? type
        let made: Model?
        if let choice = model.dynamicChoice {
            made = try readDynamicModel(model, choice, &reader)
        } else if chosen == nil, type == AbstractModel.self {
            // Keeps the members of an object whose class is not known.
            let unknown = try makeAndFill(UnknownModel.self, &reader)
            unknown?.typeName = tag.name
            made = unknown as? Model
        } else {
            made = try makeAndFill(model, &reader)
        }
        if chosen == nil, made != nil, isReporting, !tag.isNoted {
            if !tag.isOutside { note(tag.issue) }
            choices.tag?.isNoted = true
        }
        return made
    }

    /// Looks up the class that a member of an object names for the models of a property.
    ///
    /// - Parameter held: The name if there is no such member.
    func findTag(
        _ rule: DynamicPropertyTypes, held: String?, in object: Int, _ reader: inout JSONReader
    ) throws(Interruption) {
        var name = held
        let offset = reader.offset(ofMember: rule.key.places, isFolded: false, orScalar: false, in: object, &ends)
        if let offset {
            name = try reader.revisiting(offset) { reader throws(Interruption) in try reader.readTypeName() }
        }
        choices.tag = ClassChoices.Tag(rule: rule, offset: offset, objectOffset: object, name: name)
    }

    private func makeAndFill<Model: AbstractModel>(
        _ type: Model.Type, _ reader: inout JSONReader
    ) throws(Interruption) -> Model? {
        let object = type.init()
        return try fill(object, table(for: object), &reader) ? object : nil
    }
}

extension DynamicTypeFallback {
    /// The issue for a missing or unknown name.
    ///
    /// - Parameters:
    ///   - offset: Where the name is; nil if it is missing.
    ///   - place: The missing name's place in the object.
    fileprivate func issue(
        _ expected: Expectation, at offset: Int?, inObjectAt object: Int, _ place: [JSONPath.Step]
    ) -> Issue {
        var kind = self == .skip ? MappingReport.Kind.skipped : .fallback
        if self == .baseClass, offset == nil { kind = .missing }
        return Issue(
            kind, expected, at: offset ?? object, found: offset == nil ? .noKey : .value,
            Issue.Details(suffix: offset == nil ? place : []))
    }
}
