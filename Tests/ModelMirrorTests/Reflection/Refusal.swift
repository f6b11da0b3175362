import ModelMirror

/// The error of an invalid class, for the tests of the rules that make classes invalid.
enum Refusal {
    /// The message of the `invalidModel` error that a class throws; nil if an object of it is mapped from `{}`.
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
