/// Objects whose class the document determines: by a name or a function, or by a member beside their property.
extension MappingSession {
    /// The class that the choices of a class and its subclasses give an object.
    private struct ChosenClass {
        /// The last choice that was asked.
        let choice: DynamicTypeChoice
        /// Whether it was asked by the object's type name, and that name with its offset.
        let isByName: Bool
        let name: (name: String?, offset: Int)?
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
        let outer = discriminators.count
        defer { discriminators.removeLast(discriminators.count - outer) }
        let chosen = try chooseClass(choice, &reader)
        let last = chosen.choice
        // A missing or unknown name may stand for the declared class; the name of another class never does.
        let isOwn = chosen.type == nil && last.fallback == .baseClass
        if let found = isOwn ? last.model : chosen.type, found.isSubclass(of: last.model),
            let model = found as? Model.Type
        {
            let made = try makeAndFill(model, &reader)
            if made != nil, isOwn, chosen.isByName { note(unchosen(chosen, objectOffset: offset)) }
            return made
        }
        try reader.skipValue()
        let issue = unchosen(chosen, objectOffset: offset)
        if last.fallback == .skip { skip(issue) } else { add(issue) }
        return nil
    }

    /// The issue for an object whose class is missing or unknown.
    private func unchosen(_ chosen: ChosenClass, objectOffset: Int) -> Issue {
        let choice = chosen.choice
        let isMissing = chosen.isByName && chosen.name == nil && chosen.type == nil
        let suffix = isMissing ? JSONPath(choice.place(variant).places[0]) : .root
        return Issue(
            choice.fallback.kind(isMissing: isMissing), choice.expected(byName: chosen.isByName),
            at: chosen.name?.offset ?? objectOffset, found: isMissing ? .noKey : .value, Issue.Details(suffix: suffix))
    }

    /// Chooses a class by the object's name, else by the function; the chosen class chooses again, by the names and the
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
            var chosen: ChosenClass
            if choice.hasNames, outer?.declares(sameAs: choice) != true {
                discriminators.append((offset, choice))
                let name = try reader.typeName(at: choice.place(variant), &ends)
                chosen = ChosenClass(
                    choice: choice, isByName: true, name: name, type: name?.name.flatMap { choice.names[$0] })
            } else {
                chosen = ChosenClass(choice: choice, isByName: false, name: nil)
            }
            if chosen.type == nil, choice.hasFunction {
                let object: JSONValue
                if let json {
                    object = json
                } else {
                    object = try objectValues.value(reader)
                    json = object
                }
                let answer = choice.answer(to: object)
                if let outer, outer.hasFunction, outer.answer(to: object) == answer {
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

    /// Whether the JSON object at the cursor may update an existing object: it does not name another class.
    func isOfOneType(_ object: AbstractModel, _ reader: JSONReader) throws(Interruption) -> Bool {
        guard let dynamic = object as? any DynamicTypeModel else { return true }
        let model = type(of: dynamic)
        let choice = DynamicTypeChoice.of(model)
        var reader = reader
        let found = choice.hasNames ? try reader.typeName(at: choice.place(variant), &ends) : nil
        if let named = found?.name.flatMap({ choice.names[$0] }) { return named == model }
        if choice.hasFunction, let chosen = choice.answer(to: try objectValues.value(reader)) { return chosen == model }
        // A name that stood for the declared class may do so again.
        return found == nil || !choice.names.values.contains { $0 == model }
    }

    /// The places in an object where names of classes are, each with the names: of its own class, and of the classes of its
    /// properties' models.
    func namePlaces(
        of table: PropertyTable, at objectOffset: Int
    ) -> [(place: DynamicTypeChoice.Place, types: [String: AbstractModel.Type])] {
        // Those of the innermost object are last.
        var choices = discriminators.reversed().prefix { $0.offset == objectOffset }.map(\.choice)
        if let dynamic = table.model as? any DynamicTypeModel.Type { choices.append(.of(dynamic)) }
        let own = choices.lazy.filter(\.hasNames).map { ($0.place(self.variant), $0.names) }
        guard table.hasDynamicProperties else { return Array(own) }
        return own + table.rows.lazy.compactMap(\.dynamicTypes).map { ($0.place, $0.types) }
    }

    /// Makes and fills an object of the class that a member beside its property names.
    func readTaggedModel<Model: MappedModel>(
        _ type: Model.Type, _ reader: inout JSONReader
    ) throws(Interruption) -> Model? {
        guard reader.byte == UInt8(ascii: "{"), let tag else { return try refuse(&reader, .object(type)) }
        if let chosen = tag.chosen as? Model.Type { return try readChosen(chosen, &reader) }
        switch tag.rule.fallback {
        case .baseClass:
            let made = try type == AbstractModel.self ? readUnknown(tag, &reader) as? Model : readChosen(type, &reader)
            if made != nil, isReporting, !tag.isNoted {
                note(tag.issue)
                self.tag?.isNoted = true
            }
            return made
        case .failure:
            try reader.skipValue()
            add(tag.issue)
        case .skip:
            try reader.skipValue()
            skip(tag.issue)
        }
        return nil
    }

    /// Makes an object that keeps the members of one whose class is not known.
    private func readUnknown(_ tag: Tag, _ reader: inout JSONReader) throws(Interruption) -> UnknownModel? {
        let made = try makeAndFill(UnknownModel.self, &reader)
        made?.typeName = tag.name
        return made
    }

    /// Makes and fills an object of a class, which may choose a subclass again.
    private func readChosen<Model: AbstractModel>(
        _ type: Model.Type, _ reader: inout JSONReader
    ) throws(Interruption) -> Model? {
        guard let dynamic = type as? any DynamicTypeModel.Type else { return try makeAndFill(type, &reader) }
        return try readDynamicModel(type, .of(dynamic), &reader)
    }

    /// Looks up the class that a member of an object names for the models of a property.
    func findTag(_ rule: DynamicPropertyTypes, in object: Int, _ reader: inout JSONReader) throws(Interruption) {
        let (name, offset) = try typeName(by: rule, in: object, &reader)
        tag = Tag(
            rule: rule, offset: offset, objectOffset: object, name: name, chosen: name.flatMap { rule.types[$0] })
    }

    /// The name that a member of an object gives the models of a property, and its offset.
    private func typeName(
        by rule: DynamicPropertyTypes, in object: Int, _ reader: inout JSONReader
    ) throws(Interruption) -> (name: String?, offset: Int?) {
        guard let offset = reader.offset(ofMember: rule.key.places, isFolded: false, in: object, &ends) else {
            return (nil, nil)
        }
        return (try reader.revisiting(offset) { reader throws(Interruption) in try reader.readTypeName() }, offset)
    }

    private func makeAndFill<Model: AbstractModel>(
        _ type: Model.Type, _ reader: inout JSONReader
    ) throws(Interruption) -> Model? {
        let object = type.init()
        return try fill(object, table(for: object), &reader) ? object : nil
    }
}

extension DynamicTypeFallback {
    /// The kind of the issue for a missing or unknown name.
    func kind(isMissing: Bool) -> MappingReport.Kind {
        switch self {
        case .skip: .skipped
        case .failure: .fallback
        case .baseClass: isMissing ? .missing : .fallback
        }
    }
}
