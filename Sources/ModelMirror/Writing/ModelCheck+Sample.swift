extension ModelCheck {
    /// The problems of a class with a sample document, as sentences; empty if there are none.
    ///
    /// ```swift
    /// @Test func gists() throws {
    ///     #expect(ModelCheck.check(Gist.self, sample: try Data(contentsOf: recording)) == [])
    /// }
    /// ```
    ///
    /// Checks in this order: the class, as ``check(_:assigned:options:)`` does; that the sample maps without a failure or an
    /// entry in the report; that each object reads back what it writes, also in strict mapping; and that the class's JSON
    /// Schema accepts what strict mapping accepts.
    ///
    /// - Parameters:
    ///   - model: The class.
    ///   - sample: A document with an object of the class, or an array of them.
    ///   - path: The path of the object or array; defaults to the root.
    ///   - assigned: Properties that the class assigns, as in ``check(_:assigned:options:)``.
    ///   - options: The options, such as `MappingOptions(unknownKeys: .ignored)` for a sample with members that the class does
    ///     not map.
    public static func check<Model: MappedModel>(
        _ model: Model.Type, sample: some JSONInput, at path: JSONPath = .root, assigned: Set<String> = [],
        options: MappingOptions = .init()
    ) -> [String] {
        let mistakes = check(model, assigned: assigned, options: options).map(\.description)
        guard mistakes.isEmpty else { return mistakes }
        do throws(ModelError) {
            let root = try JSONMapper.value(JSONValue.self, from: sample, at: path)
            let isArray = root.array != nil
            let (objects, report) =
                isArray
                ? try JSONMapper.mapReporting([Model].self, from: sample, at: path, options: options)
                : try single(JSONMapper.mapReporting(Model.self, from: sample, at: path, options: options))
            var found = report.entries.map(\.description)
            let schema = try SchemaCheck(root: model.jsonSchema(options: options))
            for (index, object) in objects.enumerated() {
                let check = SampleCheck(object, isArray ? "\(model) [\(index)]" : "\(model)", options, schema)
                found += check.sentences(of: root.array?[index] ?? root, as: model)
            }
            return found
        } catch {
            return error.description.split(separator: "\n").map(String.init)
        }
    }

    private static func single<Model>(
        _ result: (value: Model, report: MappingReport)
    ) -> (value: [Model], report: MappingReport) {
        ([result.value], result.report)
    }
}

/// The checks of one object that was mapped.
private struct SampleCheck {
    private let object: AbstractModel
    private let name: String
    private let options: MappingOptions
    private let schema: SchemaCheck

    init(_ object: AbstractModel, _ name: String, _ options: MappingOptions, _ schema: SchemaCheck) {
        self.object = object
        self.name = name
        self.options = options
        self.schema = schema
    }

    func sentences<Model: MappedModel>(of sample: JSONValue, as model: Model.Type) -> [String] {
        var written: JSONValue
        let again: Model
        do throws(ModelError) {
            written = try object.jsonValue(mapping: options)
        } catch {
            return sentences(error, "cannot be written")
        }
        do throws(ModelError) {
            // With what is only read, as from a server.
            written = object.adding(readOnlyMembersOf: sample, to: written, TableVariant.of(options))
            again = try JSONMapper.value(Model.self, from: written, options: options)
        } catch {
            return sentences(error, "does not read what it writes")
        }
        var found = differences(again)
        var strict = options
        strict.strict = true
        // Keys without a property do not affect what is written.
        strict.unknownKeys = .ignored
        do throws(ModelError) {
            _ = try JSONMapper.value(Model.self, from: written, options: strict)
            if !schema.accepts(written) { found.append("\(name) writes what its JSON Schema does not accept.") }
        } catch {
            found += sentences(error, "writes what strict mapping rejects")
        }
        let isStrict = (try? JSONMapper.value(Model.self, from: sample, options: strict)) != nil
        if isStrict, !schema.accepts(sample) {
            found.append("\(name) has a JSON Schema that does not accept the sample, which strict mapping accepts.")
        }
        return found
    }

    private func sentences(_ error: ModelError, _ what: String) -> [String] {
        error.description.split(separator: "\n").map { "\(name) \(what): \($0)" }
    }

    /// The properties that are both read and written, and differ.
    private func differences(_ again: AbstractModel) -> [String] {
        guard type(of: again) == type(of: object) else {
            return ["\(name) is a \(type(of: object)), and is read back as a \(type(of: again))."]
        }
        guard let table = try? PropertyTableCache.table(for: object, TableVariant.of(options)) else { return [] }
        return table.rows.enumerated().filter { _, row in
            row.isRead && row.isWritten && !row.values.areEqual(object, again)
        }.map { number, row in
            if table.redacted.contains(number) { return "\(name) does not keep its property \(row.name)." }
            let before = FoundValue.text(row.values.value(of: object))
            let after = FoundValue.text(row.values.value(of: again))
            let change = before == after ? "what is read back is not equal" : "\(before) is read back as \(after)"
            return "\(name) does not keep its property \(row.name): \(change)."
        }
    }
}

extension AbstractModel {
    /// The JSON that this object writes, with the required members of the JSON it was read from that are only read.
    fileprivate func adding(
        readOnlyMembersOf sample: JSONValue, to written: JSONValue, _ variant: TableVariant?
    ) -> JSONValue {
        guard let table = try? PropertyTableCache.table(for: self, variant), var members = written.object else {
            return written
        }
        for row in table.rows where row.isRead {
            for place in table.places(of: row) {
                guard place.count == 1, case .key(let key)? = place.first, let value = sample.object?[key] else {
                    continue
                }
                if !row.isWritten {
                    let isNeeded = row.isRequired || table.options.requiresNonOptional == true
                    if isNeeded, members[key] == nil { members[key] = value }
                } else if row.isModel, let inner = row.values.value(of: self) as? AbstractModel, let own = members[key]
                {
                    members[key] = inner.adding(readOnlyMembersOf: value, to: own, variant)
                } else if let inner = row.values.value(of: self) as? [AbstractModel], let own = members[key]?.array,
                    let values = value.array, own.count == inner.count, values.count == inner.count
                {
                    members[key] = .array(
                        inner.indices.map { inner[$0].adding(readOnlyMembersOf: values[$0], to: own[$0], variant) })
                }
            }
        }
        return .object(members)
    }
}
