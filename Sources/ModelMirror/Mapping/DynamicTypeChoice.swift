import Synchronization

/// Chooses the class of an object; holds what a ``DynamicTypeModel`` declares.
final class DynamicTypeChoice: Sendable {
    let model: any DynamicTypeModel.Type
    let names: [String: AbstractModel.Type]
    let fallback: DynamicTypeFallback
    let typeNameProperty: String
    /// The class that declares the names and their place: this one, or a superclass.
    private let declaring: AbstractModel.Type
    /// Whether ``DynamicTypeModel/dynamicType(for:)`` is asked about an object without a known name.
    let hasFunction: Bool
    private let places = Mutex(KnownPlaces())
    /// Whether the declaration was checked.
    private let isSound = Atomic(false)
    /// The choices of all classes, made once each.
    private static let all = Mutex<[ObjectIdentifier: DynamicTypeChoice]>([:])

    /// The place of the type's name by the class's own table, and by the table rules of the last call that had some.
    private struct KnownPlaces {
        var own: Place?
        weak var variant: TableVariant?
        var last: Place?
    }

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

    /// The choice of a class.
    static func of(_ model: any DynamicTypeModel.Type) -> DynamicTypeChoice {
        let key = ObjectIdentifier(model)
        if let known = all.withLock({ $0[key] }) { return known }
        // Not within the lock, since it asks a user's code.
        let made = DynamicTypeChoice(model)
        return all.withLock { choices in
            let first = choices[key] ?? made
            choices[key] = first
            return first
        }
    }

    private init(_ model: any DynamicTypeModel.Type) {
        self.model = model
        names = model.dynamicTypes
        fallback = model.dynamicTypeFallback
        typeNameProperty = model.typeNameProperty
        let parent = (_getSuperclass(model as AbstractModel.Type) as? any DynamicTypeModel.Type).map {
            DynamicTypeChoice.of($0)
        }
        let isInherited =
            parent.map { [names, typeNameProperty] parent in
                typeNameProperty == parent.typeNameProperty && names.count == parent.names.count
                    && names.allSatisfy { name, type in parent.names[name] == type }
            } ?? false
        declaring = isInherited ? parent?.declaring ?? model : model
        // Only the default function gives the base class.
        hasFunction = typeNameProperty.isEmpty || model.dynamicType(for: [:]) != AbstractModel.self
    }

    /// Whether the object says its class itself.
    var hasNames: Bool { !typeNameProperty.isEmpty }

    /// The class that the function gives for an object; nil if it gives none.
    func answer(to json: JSONValue) -> AbstractModel.Type? {
        let answer = model.dynamicType(for: json)
        return answer == AbstractModel.self ? nil : answer
    }

    /// Where the type's name stands: as the property does, if the declared class has it, else under its name as it stands. (A
    /// declared class that cannot be mapped itself has none.)
    ///
    /// - Parameter variant: The table rules of the call.
    func place(_ variant: TableVariant? = nil) -> Place {
        if let known = places.withLock({ variant == nil ? $0.own : $0.variant === variant ? $0.last : nil }) {
            return known
        }
        let table = variant == nil ? try? PropertyTableCache.table(for: model) : try? variant?.table(for: model.init())
        let row = table?.rows.first { $0.name == typeNameProperty }
        let found = Place(
            places: row.flatMap { table?.places(of: $0) } ?? [[.key(typeNameProperty)]],
            isFolded: row.map { table?.isFlexible.contains($0.name) ?? false } ?? false)
        places.withLock { if let variant { ($0.variant, $0.last) = (variant, found) } else { $0.own = found } }
        return found
    }

    /// The choice of a subclass that may choose again: by names of its own, or by a function.
    func choice(of chosen: AbstractModel.Type) -> DynamicTypeChoice? {
        guard chosen != model as AbstractModel.Type, let dynamic = chosen as? any DynamicTypeModel.Type else {
            return nil
        }
        let own = DynamicTypeChoice.of(dynamic)
        return own.hasFunction || !own.declares(sameAs: self) ? own : nil
    }

    /// Whether the names and their place are another choice's, as a subclass inherits them.
    func declares(sameAs other: DynamicTypeChoice) -> Bool { declaring == other.declaring }

    /// What is wrong with the declaration; nil if nothing is.
    var fault: InvalidModel? {
        if isSound.load(ordering: .relaxed) { return nil }
        let found = findFault()
        if found == nil { isSound.store(true, ordering: .relaxed) }
        return found
    }

    private func findFault() -> InvalidModel? {
        if !hasNames {
            return names.isEmpty
                ? nil : fault("dynamicTypes has names, but typeNameProperty does not say where they stand")
        }
        let stranger = names.sorted { $0.key < $1.key }.first { !$0.value.isSubclass(of: declaring) }
        return stranger.map { name, type in
            fault(
                "dynamicTypes gives \(name.quotedForMessage) the class \(type), which is no subclass of \(declaring)"
            )
        }
    }

    /// The error for a function that gives a class outside of the hierarchy; nil for any other.
    func fault(forChosen chosen: AbstractModel.Type) -> InvalidModel? {
        var root: any DynamicTypeModel.Type = model
        while let parent = _getSuperclass(root as AbstractModel.Type) as? any DynamicTypeModel.Type { root = parent }
        if chosen.isSubclass(of: root) { return nil }
        return fault("dynamicType(for:) gives the class \(chosen), which is no subclass of \(model)")
    }

    private func fault(_ reason: String) -> InvalidModel {
        InvalidModel(model: "\(model)", property: nil, reason: reason)
    }

    /// The expected value, as the end of "expected …".
    ///
    /// - Parameter byName: Whether the object's name was asked for.
    func expected(byName: Bool) -> String {
        let function = hasFunction ? ["an object that dynamicType(for:) knows"] : []
        guard byName else { return function.joined() }
        let names = "one of the type names " + names.keys.sorted().map(\.quotedForMessage).joined(separator: ", ")
        return ([names] + function).joined(separator: ", or ")
    }
}

extension JSONReader {
    /// The type's name in the object at the cursor, which is not moved; the name is nil if what stands there is none.
    mutating func typeName(
        at place: DynamicTypeChoice.Place, _ known: inout ContainerEnds
    ) throws(Interruption) -> (name: String?, offset: Int)? {
        let start = offset
        if let key = place.key {
            return try revisiting(start) { reader throws(Interruption) in try reader.firstMember(key, &known) }
        }
        // The whole object is checked first, since the search takes it for granted.
        try revisiting(start) { reader throws(Interruption) in try reader.skipValue(&known) }
        guard let found = offset(ofMember: place.places, isFolded: place.isFolded, in: start, &known) else {
            return nil
        }
        return try revisiting(found) { reader throws(Interruption) in (try reader.readTypeName(), found) }
    }

    /// The first member with a key, without reading what follows it.
    private mutating func firstMember(
        _ wanted: String, _ known: inout ContainerEnds
    ) throws(Interruption) -> (name: String?, offset: Int)? {
        guard try openObject() else { return nil }
        repeat {
            let key = try scanString()
            let isWanted = key.withBytes { $0.elementsEqual(wanted.utf8) }
            try colon()
            if isWanted {
                let offset = offset
                return (try readTypeName(), offset)
            }
            try skipValue(&known)
        } while try nextMember()
        return nil
    }

    /// A string, a number or a Boolean as the name of a type: `1.0` is `"1"`.
    mutating func readTypeName() throws(Interruption) -> String? {
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
