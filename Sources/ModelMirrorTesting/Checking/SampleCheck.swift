import ModelMirror

/// The checks of one object that was mapped.
struct SampleCheck {
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
            written = object.adding(readOnlyMembersOf: sample, to: written, options)
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
        error.sentences.map { "\(name) \(what): \($0)" }
    }

    /// The properties that are both read and written, and differ.
    private func differences(_ again: AbstractModel) -> [String] {
        guard type(of: again) == type(of: object) else {
            return ["\(name) is a \(type(of: object)), and is read back as a \(type(of: again))."]
        }
        return object.differences(from: again, options).map { property, values in
            let lost = "\(name) does not keep its property \(property)"
            guard let (before, after) = values else { return lost + "." }
            return lost
                + ": \(before == after ? "what is read back is not equal" : "\(before) is read back as \(after)")."
        }
    }
}

extension ModelError {
    /// One sentence for each problem, which may contain line breaks of an error's own text.
    var sentences: [String] {
        guard case .invalidValues(let failures) = self else { return [description] }
        let omitted = failures.last?.omittedFailures ?? 0
        let rest = omitted == 0 ? [] : ["\(omitted) more \(omitted == 1 ? "failure is" : "failures are") not listed."]
        return failures.map(\.description) + rest
    }
}
