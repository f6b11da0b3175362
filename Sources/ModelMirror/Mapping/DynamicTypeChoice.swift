import Synchronization

/// Chooses the class of an object; holds what a ``DynamicTypeModel`` declares.
final class DynamicTypeChoice: Sendable {
    let model: any DynamicTypeModel.Type
    let names: [String: AbstractModel.Type]
    let fallback: DynamicTypeFallback
    let typeNameProperty: String
    /// The place of the type's name by the table rules of the last call; known when the first object's table is.
    private let place = Mutex<(variant: ObjectIdentifier?, place: Place)?>(nil)
    /// Whether the declaration was checked.
    private let isSound = Atomic(false)
    /// The choices of subclasses that declare other names.
    private let inner = Mutex<[ObjectIdentifier: DynamicTypeChoice?]>([:])

    /// Where the type's name stands in an object.
    struct Place: Sendable {
        /// The places of the property that holds it, the preferred one first.
        let places: [[JSONPath.Step]]
        /// Whether its key may have any spelling.
        let isFolded: Bool

        /// The key, if there is one place, directly in the object, with one spelling.
        var key: String? {
            guard !isFolded, places.count == 1, places[0].count == 1, case .key(let key) = places[0][0] else {
                return nil
            }
            return key
        }

        /// Whether a key of the object leads to the name.
        func begins(with key: String) -> Bool {
            places.contains { place in
                guard case .key(let first)? = place.first else { return false }
                return first == key || isFolded && KeyStrategy.folded(first.utf8) == KeyStrategy.folded(key.utf8)
            }
        }
    }

    init(_ model: any DynamicTypeModel.Type) {
        self.model = model
        names = model.dynamicTypes
        fallback = model.dynamicTypeFallback
        typeNameProperty = model.typeNameProperty
    }

    /// Whether a function of the object chooses.
    var usesFunction: Bool { typeNameProperty.isEmpty }

    /// Where the type's name stands: as the property does, if the declared class has it, else under its name as it stands. (A
    /// declared class that cannot be mapped itself has none.)
    ///
    /// - Parameter variant: The table rules of the call.
    func place(_ variant: TableVariant? = nil) -> Place {
        let identity = variant.map { ObjectIdentifier($0) }
        if let known = place.withLock({ $0 }), known.variant == identity { return known.place }
        let table = variant == nil ? try? PropertyTableCache.table(for: model) : try? variant?.table(for: model.init())
        let row = table?.rows.first { $0.name == typeNameProperty }
        let found = Place(
            places: row.flatMap { table?.places(of: $0) } ?? [[.key(typeNameProperty)]],
            isFolded: row.map { table?.isFlexible.contains($0.name) ?? false } ?? false)
        place.withLock { $0 = (identity, found) }
        return found
    }

    /// The choice of a subclass that declares names of its own; nil if it declares what this one does.
    func choice(of chosen: AbstractModel.Type) -> DynamicTypeChoice? {
        guard chosen != model as AbstractModel.Type, let dynamic = chosen as? any DynamicTypeModel.Type else {
            return nil
        }
        let key = ObjectIdentifier(chosen)
        if let known = inner.withLock({ $0[key] }) { return known }
        let own = DynamicTypeChoice(dynamic)
        let found = own.usesFunction || own.declares(sameAs: self) ? nil : own
        inner.withLock { $0[key] = .some(found) }
        return found
    }

    /// Whether the names and their place are another choice's, as a subclass inherits them.
    func declares(sameAs other: DynamicTypeChoice) -> Bool {
        typeNameProperty == other.typeNameProperty && names.count == other.names.count
            && names.allSatisfy { name, type in other.names[name] == type }
    }

    /// What is wrong with the declaration; nil if nothing is.
    var fault: InvalidModel? {
        if isSound.load(ordering: .relaxed) { return nil }
        let found = findFault()
        if found == nil { isSound.store(true, ordering: .relaxed) }
        return found
    }

    private func findFault() -> InvalidModel? {
        if usesFunction {
            return names.isEmpty
                ? nil : fault("dynamicTypes has names, but typeNameProperty does not say where they stand")
        }
        // Names may be inherited; they are those of subclasses of the class that declares them.
        var declaring = self
        while let parent = _getSuperclass(declaring.model as AbstractModel.Type) as? any DynamicTypeModel.Type,
            case let choice = DynamicTypeChoice(parent), choice.declares(sameAs: self)
        {
            declaring = choice
        }
        let stranger = names.sorted { $0.key < $1.key }.first { !$0.value.isSubclass(of: declaring.model) }
        return stranger.map { name, type in
            fault(
                "dynamicTypes gives \(name.quotedForMessage) the class \(type), which is no subclass of \(declaring.model)"
            )
        }
    }

    /// The error for a function that chooses a class other than a subclass of the declared one.
    func fault(forChosen chosen: AbstractModel.Type) -> InvalidModel {
        fault("dynamicType(for:) gives the class \(chosen), which is no subclass of \(model)")
    }

    private func fault(_ reason: String) -> InvalidModel {
        InvalidModel(model: "\(model)", property: nil, reason: reason)
    }

    /// The expected value, as the end of "expected …".
    var expected: String {
        usesFunction
            ? "an object that dynamicType(for:) knows"
            : "one of the type names " + names.keys.sorted().map(\.quotedForMessage).joined(separator: ", ")
    }
}

extension MappingSession {
    /// Makes and fills an object of the subclass that its JSON determines.
    ///
    /// - Parameter type: The class of the choice, or a subclass of `Model`.
    func readDynamicModel<Model: AbstractModel>(
        _ type: Model.Type, _ choice: DynamicTypeChoice, _ reader: inout JSONReader
    ) throws(Interruption) -> Model? {
        guard reader.byte == UInt8(ascii: "{") else { return try refuse(&reader, "an object for \(type)") }
        if let fault = choice.fault { throw interruption(fault) }
        let offset = reader.offset
        let chosen: AbstractModel.Type?
        var found: (name: String?, offset: Int)?
        if choice.usesFunction {
            let json = try reader.revisiting(offset) { reader throws(Interruption) in try JSONValue(&reader) }
            chosen = choice.model.dynamicType(for: json)
            if let chosen, !chosen.isSubclass(of: type) { throw interruption(choice.fault(forChosen: chosen)) }
        } else {
            found = try reader.typeName(at: choice.place(variant))
            chosen = found?.name.flatMap { choice.names[$0] }
        }
        let outer = discriminators.count
        if !choice.usesFunction { discriminators.append((offset, choice)) }
        defer { discriminators.removeLast(discriminators.count - outer) }
        if let chosen, chosen.isSubclass(of: type), let model = chosen as? Model.Type {
            if let inner = choice.choice(of: model) { return try readDynamicModel(model, inner, &reader) }
            return try makeAndFill(model, &reader)
        }
        // A missing or unknown name may stand for the declared class; the name of another class never does.
        if chosen == nil, choice.fallback == .baseClass { return try makeAndFill(type, &reader) }
        try reader.skipValue()
        let isMissing = found == nil && !choice.usesFunction
        let finding = Finding(
            kind: choice.fallback == .skip ? .skipped : .fallback, offset: found?.offset ?? offset,
            suffix: isMissing ? choice.place(variant).places[0] : [], expected: choice.expected,
            found: isMissing ? "no such key" : nil)
        if choice.fallback == .skip { skip(finding) } else { add(finding) }
        return nil
    }

    /// Whether the JSON object at the cursor may update an existing object: it does not name another class.
    func isOfOneType(_ object: AbstractModel, _ reader: JSONReader) throws(Interruption) -> Bool {
        guard let dynamic = object as? any DynamicTypeModel else { return true }
        let model = type(of: dynamic)
        let choice = DynamicTypeChoice(model)
        var reader = reader
        guard !choice.usesFunction else {
            guard let chosen = choice.model.dynamicType(for: try JSONValue(&reader)) else { return true }
            return chosen == model
        }
        guard let found = try reader.typeName(at: choice.place(variant)) else { return true }
        // A name that stands for the declared class may do so again.
        guard let named = found.name.flatMap({ choice.names[$0] }) else {
            return !choice.names.values.contains { $0 == model }
        }
        return named == model
    }

    /// Whether a key of an object holds the name of its class.
    func isDiscriminator(_ key: String, of table: PropertyTable, at objectOffset: Int) -> Bool {
        var choices = discriminators.filter { $0.offset == objectOffset }.map(\.choice)
        if let dynamic = table.model as? any DynamicTypeModel.Type { choices.append(DynamicTypeChoice(dynamic)) }
        if choices.contains(where: { !$0.usesFunction && $0.place(variant).begins(with: key) }) { return true }
        guard table.hasDynamicProperties else { return false }
        return table.rows.contains { row in
            row.dynamicTypes?.key.places.contains { $0.first == .key(key) } ?? false
        }
    }

    /// Makes and fills an object of the class that a member beside its property names.
    func readTaggedModel<Model: MappedModel>(
        _ type: Model.Type, _ reader: inout JSONReader
    ) throws(Interruption) -> Model? {
        guard reader.byte == UInt8(ascii: "{"), let tag else { return try refuse(&reader, "an object for \(type)") }
        if let chosen = tag.chosen as? Model.Type { return try readChosen(chosen, &reader) }
        switch tag.rule.fallback {
        case .baseClass: return try readChosen(type, &reader)
        case .failure:
            try reader.skipValue()
            add(tag.finding)
        case .skip:
            try reader.skipValue()
            skip(tag.finding)
        }
        return nil
    }

    /// Makes and fills an object of a class, which may choose a subclass again.
    private func readChosen<Model: AbstractModel>(
        _ type: Model.Type, _ reader: inout JSONReader
    ) throws(Interruption) -> Model? {
        guard let dynamic = type as? any DynamicTypeModel.Type else { return try makeAndFill(type, &reader) }
        return try readDynamicModel(type, DynamicTypeChoice(dynamic), &reader)
    }

    /// Looks up the class that a member of an object names for the models of a property.
    func findTag(_ rule: DynamicPropertyTypes, in object: Int, _ reader: inout JSONReader) throws(Interruption) {
        let found = reader.offset(ofMember: rule.key.places, isFolded: false, in: object)
        var name: String?
        if let found {
            name = try reader.revisiting(found) { reader throws(Interruption) in try reader.readTypeName() }
        }
        let finding = Finding(
            kind: rule.fallback == .skip ? .skipped : .fallback, offset: found ?? object,
            suffix: found == nil ? rule.key.places.first ?? [] : [],
            expected: "one of the type names "
                + rule.types.keys.sorted().map(\.quotedForMessage).joined(separator: ", "),
            found: found == nil ? "no such key" : nil)
        tag = Tag(rule: rule, chosen: name.flatMap { rule.types[$0] }, finding: finding)
    }

    private func makeAndFill<Model: AbstractModel>(
        _ type: Model.Type, _ reader: inout JSONReader
    ) throws(Interruption) -> Model? {
        let object = type.init()
        return try fill(object, table(for: object), &reader) ? object : nil
    }
}

extension JSONReader {
    /// The type's name in the object at the cursor, which is not moved; the name is nil if what stands there is none.
    mutating func typeName(
        at place: DynamicTypeChoice.Place
    ) throws(Interruption) -> (name: String?, offset: Int)? {
        let start = offset
        if let key = place.key {
            return try revisiting(start) { reader throws(Interruption) in try reader.firstMember(key) }
        }
        // The whole object is checked first, since the search takes it for granted.
        try revisiting(start) { reader throws(Interruption) in try reader.skipValue() }
        guard let found = offset(ofMember: place.places, isFolded: place.isFolded, in: start) else { return nil }
        return try revisiting(found) { reader throws(Interruption) in (try reader.readTypeName(), found) }
    }

    /// The first member with a key, without reading what follows it.
    private mutating func firstMember(_ wanted: String) throws(Interruption) -> (name: String?, offset: Int)? {
        guard try openObject() else { return nil }
        repeat {
            let key = try scanString()
            let isWanted = key.withBytes { $0.elementsEqual(wanted.utf8) }
            try colon()
            if isWanted {
                let offset = offset
                return (try readTypeName(), offset)
            }
            try skipValue()
        } while try nextMember()
        return nil
    }

    /// A string, a number or a Boolean as the name of a type: `1.0` is `"1"`.
    fileprivate mutating func readTypeName() throws(Interruption) -> String? {
        switch byte {
        case UInt8(ascii: "\""): return try readString()
        case UInt8(ascii: "t"), UInt8(ascii: "f"): return try readBool() ? "true" : "false"
        default:
            guard isAtNumber else { return nil }
            let number = JSONNumber(checked: try scanNumber().string)
            return number.int.map { "\($0)" } ?? number.text
        }
    }
}
