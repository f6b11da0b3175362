import Synchronization

/// Chooses the class of an object by its type name; holds what a ``DynamicTypeModel`` declares.
final class DynamicTypeChoice: Sendable {
    let names: [String: AbstractModel.Type]
    let fallback: DynamicTypeFallback
    /// Where the type's name stands; known when the first object's table is.
    private let place = Mutex<Place?>(nil)
    private let typeNameProperty: String

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
    }

    init(_ model: any DynamicTypeModel.Type) {
        names = model.dynamicTypes
        fallback = model.dynamicTypeFallback
        typeNameProperty = model.typeNameProperty
    }

    /// Where the type's name stands: as the property does, if the declared class has it, else under its name as it stands. (A
    /// declared class that cannot be mapped itself, because it has no properties, has none.)
    func place(for base: AbstractModel.Type) -> Place {
        if let known = place.withLock({ $0 }) { return known }
        let table = try? PropertyTableCache.table(for: base)
        let row = table?.rows.first { $0.name == typeNameProperty }
        let found = Place(
            places: row?.places ?? [[.key(typeNameProperty)]],
            isFolded: row.map { table?.isFlexible.contains($0.name) ?? false } ?? false)
        place.withLock { $0 = found }
        return found
    }

    /// The expected value, as the end of "expected …".
    var expected: String {
        "one of the type names " + names.keys.sorted().map(\.quotedForMessage).joined(separator: ", ")
    }
}

extension MappingSession {
    /// Makes and fills an object of the subclass that its type name says.
    func readDynamicModel<Model: AbstractModel>(
        _ type: Model.Type, _ choice: DynamicTypeChoice, _ reader: inout JSONReader
    ) throws(Interruption) -> Model? {
        guard reader.byte == UInt8(ascii: "{") else { return try refuse(&reader, "an object for \(type)") }
        let place = choice.place(for: type)
        let offset = reader.offset
        let found = try reader.typeName(at: place)
        let chosen = found?.text.flatMap { choice.names[$0] }
        if let model = chosen as? Model.Type { return try makeAndFill(model, &reader) }
        // A missing or unknown name may stand for the declared class; the name of another class never does.
        if chosen == nil, choice.fallback == .baseClass { return try makeAndFill(type, &reader) }
        try reader.skipValue()
        let finding = Finding(
            kind: choice.fallback == .skip ? .skipped : .fallback, offset: found?.offset ?? offset,
            suffix: found == nil ? place.places[0] : [], expected: choice.expected,
            found: found == nil ? "no such key" : nil)
        if choice.fallback == .skip { skip(finding) } else { add(finding) }
        return nil
    }

    /// Whether the JSON object at the cursor may update an existing object: it does not name another class.
    func isOfOneType(_ object: AbstractModel, _ reader: JSONReader) throws(Interruption) -> Bool {
        guard let dynamic = object as? any DynamicTypeModel else { return true }
        let model = type(of: dynamic)
        let choice = DynamicTypeChoice(model)
        var reader = reader
        guard let found = try reader.typeName(at: choice.place(for: model)) else { return true }
        // A name that stands for the declared class may do so again.
        guard let named = found.text.flatMap({ choice.names[$0] }) else {
            return !choice.names.values.contains { $0 == model }
        }
        return named == model
    }

    private func makeAndFill<Model: AbstractModel>(
        _ type: Model.Type, _ reader: inout JSONReader
    ) throws(Interruption) -> Model? {
        let object = type.init()
        let table: PropertyTable
        do throws(InvalidModel) { table = try PropertyTableCache.table(for: object) } catch {
            throw interruption(error)
        }
        return try fill(object, table, &reader) ? object : nil
    }
}

extension JSONReader {
    /// The type's name in the object at the cursor, which is not moved; the text is nil if what stands there is no string.
    fileprivate mutating func typeName(
        at place: DynamicTypeChoice.Place
    ) throws(Interruption) -> (text: String?, offset: Int)? {
        let start = offset
        if let key = place.key {
            return try revisiting(start) { reader throws(Interruption) in try reader.firstMember(key) }
        }
        // The whole object is checked first, since the search takes it for granted.
        try revisiting(start) { reader throws(Interruption) in try reader.skipValue() }
        guard let found = offset(ofMember: place.places, isFolded: place.isFolded, in: start) else { return nil }
        return try revisiting(found) { reader throws(Interruption) in
            (reader.byte == UInt8(ascii: "\"") ? try reader.readString() : nil, found)
        }
    }

    /// The first member with a key, without reading what follows it.
    private mutating func firstMember(_ wanted: String) throws(Interruption) -> (text: String?, offset: Int)? {
        guard try openObject() else { return nil }
        repeat {
            let key = try scanString()
            let isWanted = key.withBytes { $0.elementsEqual(wanted.utf8) }
            try colon()
            if isWanted {
                let offset = offset
                return (byte == UInt8(ascii: "\"") ? try readString() : nil, offset)
            }
            try skipValue()
        } while try nextMember()
        return nil
    }
}
