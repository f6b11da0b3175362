import ModelMirror

/// The nearest of several names, for a name that was mistyped.
enum Suggestion {
    /// The end of a sentence: ` (did you mean "check"?)`; empty if no name is similar.
    static func text(for name: String, among candidates: some Sequence<String>) -> String {
        nearest(to: name, among: candidates).map { " (did you mean \($0.quotedForMessage)?)" } ?? ""
    }

    /// The most similar name; nil if none is similar.
    static func nearest(to name: String, among candidates: some Sequence<String>) -> String? {
        candidates.map { (name: $0, distance: distance($0, name)) }
            .filter { $0.distance <= max(2, name.count / 3) }
            .min { ($0.distance, $0.name) < ($1.distance, $1.name) }?.name
    }

    /// A name that begins with what was typed is nearer than one that differs.
    private static func distance(_ candidate: String, _ name: String) -> Int {
        let (candidate, name) = (candidate.lowercased(), name.lowercased())
        if name.count >= 3, candidate.hasPrefix(name) { return 1 }
        return candidate.editDistance(to: name)
    }
}

extension Int {
    /// The number with a noun: `1 failure`, `2 failures`.
    func of(_ noun: String) -> String { self == 1 ? "1 \(noun)" : "\(self) \(noun)s" }
}
