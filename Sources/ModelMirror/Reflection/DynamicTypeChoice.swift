import Synchronization

/// Chooses the class of an object; holds what a ``DynamicTypeModel`` declares.
final class DynamicTypeChoice: Sendable {
    let model: any DynamicTypeModel.Type
    let names: [String: AbstractModel.Type]
    let fallback: DynamicTypeFallback
    let typeNameProperty: String
    /// The class that declares the names and their place: this one, or a superclass.
    let declaring: AbstractModel.Type
    /// The first class of the hierarchy that makes a choice, of which a function's classes are subclasses.
    private let root: AbstractModel.Type
    /// Whether ``DynamicTypeModel/dynamicType(for:)`` is called for an object without a known name.
    let hasFunction: Bool
    /// The choice of the next superclass with other names, or with a function.
    let outer: DynamicTypeChoice?
    private let places = Mutex(KnownPlaces())
    /// What is wrong with the declaration; nil if nothing is.
    let fault: InvalidModel?
    /// The choices of all classes, made once each.
    private static let all = Mutex<[ObjectIdentifier: DynamicTypeChoice]>([:])

    /// The place of the type's name in the class's own table, and in that for the table rules of the last call that had any.
    private struct KnownPlaces {
        var own: Place?
        weak var variant: TableVariant?
        var last: Place?
    }

    /// Where the type's name is in an object.
    struct Place: Sendable {
        /// The places of the property that holds it, the preferred one first.
        let places: [[JSONPath.Step]]
        /// Whether its key may have any spelling.
        let isFolded: Bool
        /// Whether the name is never shown.
        var isRedacted = false

        /// The key, if there is one place, directly in the object, with one spelling.
        var key: String? { !isFolded && places.count == 1 ? places[0].onlyKey : nil }

        /// The paths to the name through the value of a key of the object; none if the key does not lead to it.
        func paths(from key: String) -> [ArraySlice<JSONPath.Step>] {
            places.filter { place in
                guard case .key(let first)? = place.first else { return false }
                return first == key || isFolded && KeyStrategy.folded(first.utf8) == KeyStrategy.folded(key.utf8)
            }.map { $0.dropFirst() }
        }

        /// The name in the value of a key of the object; nil if none is there.
        func name(in value: JSONValue, of key: String) -> String? {
            paths(from: key).lazy.compactMap { value[JSONPath(Array($0))] }.first?.typeName
        }
    }

    /// The choice of a class.
    static func of(_ model: any DynamicTypeModel.Type) -> DynamicTypeChoice {
        let key = ObjectIdentifier(model)
        if let known = all.withLock({ $0[key] }) { return known }
        // Not within the lock, since it calls user code.
        let made = DynamicTypeChoice(model)
        // The first one stays, since two may differ if the class's rules do.
        return all.withLock { choices in
            choices[key] = choices[key] ?? made
            return choices[key] ?? made
        }
    }

    private init(_ model: any DynamicTypeModel.Type) {
        self.model = model
        names = model.dynamicTypes
        fallback = model.dynamicTypeFallback
        typeNameProperty = model.typeNameProperty
        let parent = (_getSuperclass(model as AbstractModel.Type) as? AbstractModel.Type)?.dynamicChoice
        let isInherited =
            typeNameProperty == parent?.typeNameProperty
            && names.mapValues { ObjectIdentifier($0) } == parent?.names.mapValues { ObjectIdentifier($0) }
        let declaring: AbstractModel.Type = isInherited ? parent?.declaring ?? model : model
        self.declaring = declaring
        root = parent?.root ?? model
        // Only the default implementation returns the base class.
        hasFunction = typeNameProperty.isEmpty || model.dynamicType(for: [:]) != AbstractModel.self
        outer = isInherited && !hasFunction ? parent?.outer : parent
        guard !typeNameProperty.isEmpty else {
            let reason = "dynamicTypes has names, but typeNameProperty does not say where they stand"
            fault = names.isEmpty ? nil : InvalidModel(model, reason)
            return
        }
        fault = names.fault(outside: declaring, in: "dynamicTypes").map { InvalidModel(model, $0) }
    }

    /// Whether objects contain the name of their class.
    var hasNames: Bool { !typeNameProperty.isEmpty }

    /// The class that the function returns for an object; nil if it returns none.
    func typeByFunction(for json: JSONValue) -> AbstractModel.Type? {
        let chosen = model.dynamicType(for: json)
        return chosen == AbstractModel.self ? nil : chosen
    }

    /// Where the type's name is: at the places of `typeNameProperty` if the declared class has that property, otherwise under the
    /// key of that name. (A declared class that cannot be mapped has no properties.)
    ///
    /// - Parameter variant: The table rules of the call.
    func place(_ variant: TableVariant? = nil) -> Place {
        if let known = places.withLock({ variant == nil ? $0.own : $0.variant === variant ? $0.last : nil }) {
            return known
        }
        let table = variant == nil ? try? PropertyTableCache.table(for: model) : try? variant?.table(for: model.init())
        let row = table?.rows.first { $0.name == typeNameProperty }
        var found = Place(
            places: row.flatMap { table?.places(of: $0) } ?? [[.key(typeNameProperty)]],
            isFolded: row.map { table?.isFlexible.contains($0.name) ?? false } ?? false)
        // A rule of the class may read its objects while the table is made.
        guard let table else { return found }
        found.isRedacted = table.redacts(found.places)
        places.withLock { if let variant { ($0.variant, $0.last) = (variant, found) } else { $0.own = found } }
        return found
    }

    /// The choice of a subclass that may choose again: by its own names or by a function.
    func choice(of chosen: AbstractModel.Type) -> DynamicTypeChoice? {
        guard chosen != model as AbstractModel.Type, let own = chosen.dynamicChoice else { return nil }
        return own.hasFunction || !own.declares(sameAs: self) ? own : nil
    }

    /// Whether the names and their place are those of another choice, as in a subclass that inherits them.
    func declares(sameAs other: DynamicTypeChoice) -> Bool { declaring == other.declaring }

    /// The error for a function that returns a class outside the hierarchy; nil for a class inside it.
    func fault(forChosen chosen: AbstractModel.Type) -> InvalidModel? {
        if chosen.isSubclass(of: root) { return nil }
        return InvalidModel(model, "dynamicType(for:) gives the class \(chosen), which is not a subclass of \(model)")
    }
}

extension JSONReader {
    /// The type's name in the object at the cursor, which does not move: nil without such a member; a nil name if its value is
    /// not a name.
    mutating func typeName(
        at place: DynamicTypeChoice.Place, _ known: inout ContainerEnds
    ) throws(Interruption) -> (name: String?, offset: Int)? {
        let start = offset
        let found: Int?
        if let key = place.key {
            // What follows the name is not read.
            found = try revisiting(start) { reader throws(Interruption) in
                try reader.findMember(&known, isFirst: true) { $0.elementsEqual(key.utf8) }
            }
        } else {
            // The whole object is checked first, since the search assumes valid JSON.
            try revisiting(start) { reader throws(Interruption) in try reader.skipValue(&known) }
            found = offset(ofMember: place.places, isFolded: place.isFolded, orScalar: false, in: start, &known)
        }
        guard let found else { return nil }
        return try revisiting(found) { reader throws(Interruption) in (try reader.readTypeName(), found) }
    }
}

extension AbstractModel {
    /// The choice of the class; nil if it makes no choice.
    static var dynamicChoice: DynamicTypeChoice? {
        (self as? any DynamicTypeModel.Type).map { DynamicTypeChoice.of($0) }
    }
}

extension [String: AbstractModel.Type] {
    /// The classes in the order of their names.
    var classes: [AbstractModel.Type] { ordered { $0.key < $1.key }.map(\.value) }

    /// What is wrong with the first name whose class is not a subclass of another; nil if all are.
    ///
    /// - Parameter rule: The rule that has the names.
    func fault(outside superclass: AbstractModel.Type, in rule: String) -> String? {
        ordered { $0.key < $1.key }.first { !$0.value.isSubclass(of: superclass) }.map { name, type in
            "\(rule) gives \(name.quotedForMessage) the class \(type), which is not a subclass of \(superclass)"
        }
    }
}

extension DynamicPropertyTypes {
    /// Where the type's name is in the object that has the property.
    var place: DynamicTypeChoice.Place { DynamicTypeChoice.Place(places: key.places, isFolded: false) }

    /// The models in a property's value, one for each name that its class may need.
    func models(in value: Any) -> [AbstractModel] {
        var models: [AbstractModel] = []
        func name(_ model: AbstractModel) -> String? { (model as? UnknownModel)?.typeName }
        func add(_ value: Any) {
            switch value {
            case let model as AbstractModel:
                let isAdded = models.contains { type(of: $0) == type(of: model) && name($0) == name(model) }
                if !isAdded { models.append(model) }
            case let list as [Any]: list.forEach(add)
            case let members as [String: Any]: members.values.forEach(add)
            default: break
            }
        }
        add(value)
        guard models.count > 1 else { return models }
        // Dictionaries have no order.
        return models.ordered { "\(type(of: $0)) \(name($0) ?? "")" < "\(type(of: $1)) \(name($1) ?? "")" }
    }

    /// The names that lead to the class of a model, or the one that an unknown model was read with.
    func names(of model: AbstractModel) -> [String] {
        if let unknown = (model as? UnknownModel)?.typeName { return [unknown] }
        return types.filter { $0.value == type(of: model) }.keys.ordered()
    }

    /// Whether reading makes an object of a model's class from the model's JSON, by a name.
    func leads(_ name: String, to model: AbstractModel) -> Bool {
        guard let named = types[name] ?? (fallback == .baseClass ? declared : nil) else { return false }
        if let unknown = (model as? UnknownModel)?.typeName { return named == AbstractModel.self && unknown == name }
        // A class that chooses again may choose a subclass.
        return named == type(of: model)
            || named is any DynamicTypeModel.Type && type(of: model).isSubclass(of: named)
    }
}
