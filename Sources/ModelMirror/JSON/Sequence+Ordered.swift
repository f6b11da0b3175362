/// Sorting off the way of values, as the standard library has compiled it: each call of `sorted` is compiled to a merge sort of its
/// own with the closure inside.
extension Sequence {
    /// The elements in an order; equal ones stay in theirs.
    @_semantics("optimize.sil.specialize.generic.never")
    @inline(never)
    func ordered(by precedes: (Element, Element) -> Bool) -> [Element] { sorted(by: precedes) }
}

extension Sequence where Element: Comparable {
    /// The elements in ascending order.
    func ordered() -> [Element] { ordered(by: <) }
}
