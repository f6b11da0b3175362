/// A text that equals only texts of the same Unicode scalars. To `String`, `é` as one scalar and as two are equal; in JSON they are two
/// keys.
struct ExactText: Hashable, Comparable {
    let text: String

    init(_ text: String) { self.text = text }

    static func == (left: ExactText, right: ExactText) -> Bool { left.text.utf8.elementsEqual(right.text.utf8) }

    static func < (left: ExactText, right: ExactText) -> Bool {
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }

    // Equal texts are equal strings.
    func hash(into hasher: inout Hasher) { hasher.combine(text) }
}
