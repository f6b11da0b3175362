public import ModelMirror

/// Checks classes, alone and with a sample document.
///
/// ```swift
/// @Test func models() {
///     #expect(ModelCheck.check(Gist.self) == [])
///     #expect(ModelCheck.check(Event.self, assigned: ["payload"]) == [])
/// }
/// ```
public enum ModelCheck {
    /// The mistakes in a class and in all classes that its properties, `DynamicTypeModel.dynamicTypes` and
    /// `AbstractModel.dynamicPropertyTypes` refer to.
    ///
    /// Mapping finds a wrong rule at the first object, and a property whose type nothing converts only when a document has its
    /// key. This check finds both, properties that are not written because another one is written to the same place, `let`s, and
    /// defaults that break the rule of their property.
    ///
    /// - Parameters:
    ///   - model: The class.
    ///   - assigned: Properties whose type nothing converts and that the class assigns in
    ///     `AbstractModel.assign(undefinedValue:forProperty:)`: `payload`, or `File.payload` for a property of another class.
    ///   - options: The options to check with: dates and keys change how a class is mapped.
    /// - Returns: One mistake per class or property; empty if there are none. For a class that cannot be mapped, only the first
    ///   mistake is returned, and the classes of its properties are not checked.
    public static func check(
        _ model: AbstractModel.Type, assigned: Set<String> = [], options: MappingOptions = .init()
    ) -> [InvalidModel] {
        ModelMistakes.find(in: model, assigned: assigned, options: options)
    }

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
    ///   - sample: A document with an object of the class, or an array of them; an empty array is a problem, because nothing
    ///     would be checked.
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
            if root.array == [] {
                return ["The sample for \(model) is an empty array; expected at least one object to check."]
            }
            let (objects, report): ([Model], MappingReport)
            if isArray {
                (objects, report) = try JSONMapper.mapReporting([Model].self, from: sample, at: path, options: options)
            } else {
                let one = try JSONMapper.mapReporting(Model.self, from: sample, at: path, options: options)
                (objects, report) = ([one.value], one.report)
            }
            var found = report.entries.map(\.description)
            // Skipped elements, which the report has, leave objects without their samples.
            guard !isArray || objects.count == root.array?.count else { return found }
            let schema = try SchemaCheck(root: model.jsonSchema(options: options))
            for (index, object) in objects.enumerated() {
                let check = SampleCheck(object, isArray ? "\(model) [\(index)]" : "\(model)", options, schema)
                found += check.sentences(of: root.array?[index] ?? root, as: model)
            }
            return found
        } catch {
            return error.sentences
        }
    }
}
