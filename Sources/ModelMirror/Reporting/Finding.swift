/// Something about a value that does not fit, before anyone has decided whether the call fails for it.
///
/// It knows only the value's offset; path, line and column are looked up when the call ends, for all findings in one pass
/// over the document.
struct Finding {
    /// What a report would call it.
    var kind: MappingReport.Kind
    /// The object's class; nil until the row that was being read fills it in.
    var model: Any.Type?
    var property: String?
    /// The name of the class, for a finding of a document inside this one.
    var modelName: String?
    /// Where the value begins; for a missing key, where its object begins.
    var offset: Int
    /// Steps from the value at `offset` to the place that is meant, for a missing key.
    var suffix: [JSONPath.Step] = []
    /// The end of "expected …".
    var expected: String
    /// The end of "found …"; nil: what stands at `offset`.
    var found: String?
    var underlying: (any Error)?

    /// Whether it knows the object that it is about.
    var isNamed: Bool { model != nil || modelName != nil }
}

extension MappingReport.Entry {
    /// The entry as a finding of the document around it, at the value that the inner document was made of.
    func finding(insideOfValueAt offset: Int) -> Finding {
        Finding(
            kind: kind, property: property, modelName: model == "JSON" ? nil : model, offset: offset,
            suffix: path.steps,
            expected: expected, found: found, underlying: underlying)
    }
}

extension PropertyFailure {
    /// The failure as a finding of the document around it, at the value that the inner document was made of.
    func finding(insideOfValueAt offset: Int) -> Finding {
        Finding(
            kind: .fallback, property: property, modelName: model, offset: offset, suffix: path.steps,
            expected: expected, found: found, underlying: underlying)
    }
}
