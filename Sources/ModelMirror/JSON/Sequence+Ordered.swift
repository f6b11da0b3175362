/// Sorting off the way of values: `sorted` as the standard library has compiled it.
///
/// Each call of `sorted(by:)` itself is compiled to a merge sort of its own with the closure inside, 3 KB of code. (Measured: 21 of
/// them were 3.7 % of the core's code.)
extension Sequence {
    /// The elements in an order; equal ones stay in theirs.
    @_semantics("optimize.sil.specialize.generic.never")
    @inline(never)
    func ordered(by precedes: (Element, Element) -> Bool) -> [Element] { sorted(by: precedes) }
}

extension Sequence where Element: Comparable {
    /// The elements in ascending order.
    @_semantics("optimize.sil.specialize.generic.never")
    @inline(never)
    func ordered() -> [Element] { sorted() }
}
