import ModelMirror

/// How a class is refused, for the tests of the rules that refuse it.
enum Refusal {
    /// The sentence of the `invalidModel` error with which a class is refused; nil if an object of it is made from `{}`.
    ///
    /// - Throws: Any other error.
    static func sentence<Model: AbstractModel>(of model: Model.Type) throws -> String? {
        do throws(ModelError) {
            _ = try model.mapReporting(json: "{}")
            return nil
        } catch .invalidModel(let fault) {
            return fault.description
        }
    }
}
