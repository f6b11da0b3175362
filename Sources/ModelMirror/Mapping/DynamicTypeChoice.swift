import Synchronization

/// How the class of an object is chosen by its type name: what a ``DynamicTypeModel`` declares, asked once.
final class DynamicTypeChoice: Sendable {
    let names: [String: AbstractModel.Type]
    let fallback: DynamicTypeFallback
    /// The JSON key that holds the type's name; known when the first object's table is.
    private let key = Mutex<String?>(nil)
    private let typeNameProperty: String

    init(_ model: any DynamicTypeModel.Type) {
        names = model.dynamicTypes
        fallback = model.dynamicTypeFallback
        typeNameProperty = model.typeNameProperty
    }

    /// The key of the type's name: that of the property, if the declared class has it, else its name as it stands. (A
    /// declared class that cannot be mapped itself, because it has no properties, has none.)
    func key(for base: () -> AbstractModel) -> String {
        if let known = key.withLock({ $0 }) { return known }
        let rows = (try? PropertyTableCache.table(for: base()))?.rows ?? []
        var name = typeNameProperty
        if let row = rows.first(where: { $0.name == name }), case .key(let first)? = row.places.first?.first { name = first }
        key.withLock { $0 = name }
        return name
    }

    /// What fits, as the end of "expected …".
    var expected: String { "one of the type names " + names.keys.sorted().map(\.quotedForMessage).joined(separator: ", ") }
}

extension MappingSession {
    /// Makes and fills an object of the subclass that its type name says.
    func readDynamicModel<Model: AbstractModel>(
        _ type: Model.Type, _ choice: DynamicTypeChoice, _ reader: inout JSONReader
    ) throws(Interruption) -> Model? {
        guard reader.byte == UInt8(ascii: "{") else { return try refuse(&reader, "an object for \(type)") }
        let key = choice.key { type.init() }
        let offset = reader.offset
        let found = try reader.revisiting(offset) { reader throws(Interruption) in try reader.firstString(forKey: key) }
        guard let chosen = found.flatMap({ choice.names[$0.text] }) as? Model.Type else {
            switch choice.fallback {
            case .baseClass where found.flatMap({ choice.names[$0.text] }) == nil:
                return try makeAndFill(type, &reader)
            case .skip:
                try reader.skipValue()
                note(Finding(kind: .skipped, model: type, offset: found?.offset ?? offset, expected: choice.expected))
                return nil
            case .failure, .baseClass:
                try reader.skipValue()
                let place = found?.offset ?? offset
                let suffix: [JSONPath.Step] = found == nil ? [.key(key)] : []
                add(
                    Finding(
                        kind: .fallback, offset: place, suffix: suffix, expected: choice.expected,
                        found: found == nil ? "no such key" : nil))
                return nil
            }
        }
        return try makeAndFill(chosen, &reader)
    }

    private func makeAndFill<Model: AbstractModel>(
        _ type: Model.Type, _ reader: inout JSONReader
    ) throws(Interruption) -> Model? {
        let object = type.init()
        let table: PropertyTable
        do throws(InvalidModel) { table = try PropertyTableCache.table(for: object) } catch { throw interruption(error) }
        return try fill(object, table, &reader) ? object : nil
    }
}

extension JSONReader {
    /// The string that an object's first member with a key has, without reading what follows it.
    fileprivate mutating func firstString(forKey wanted: String) throws(Interruption) -> (text: String, offset: Int)? {
        guard try openObject() else { return nil }
        repeat {
            let key = try scanString()
            let isWanted = key.withBytes { $0.elementsEqual(wanted.utf8) }
            try colon()
            if isWanted {
                guard byte == UInt8(ascii: "\"") else { return nil }
                let offset = offset
                return (try readString(), offset)
            }
            try skipValue()
        } while try nextMember()
        return nil
    }
}
