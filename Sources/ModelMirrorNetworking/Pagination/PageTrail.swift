/// The way through the pages of a list, of which it remembers so much that a circle is found out: one page, and how many came
/// after it.
///
/// A circle is there when that page comes again. The remembered page moves on whenever as many pages have come after it as
/// before: so it is in the circle at some time, however long the way into it (R. P. Brent, An improved Monte Carlo
/// factorization algorithm, 1980). Remembering all pages would find it out sooner, for memory that grows with the list.
///
/// ```
/// first → a → b → a        remembered: first, a; found at the second a
/// ```
struct PageTrail: Sendable {
    private var remembered: PagePosition?
    /// How many pages have come after the remembered one.
    private var count = 0
    /// With how many the next one is remembered.
    private var reach = 1

    /// Goes from a page to the one after it.
    ///
    /// - Returns: Whether it is not known to have been there before.
    mutating func follow(from position: PagePosition, to next: PagePosition) -> Bool {
        guard next != remembered ?? position else { return false }
        if remembered == nil { remembered = position }
        count += 1
        if count == reach {
            remembered = next
            count = 0
            (reach, _) = reach.multipliedReportingOverflow(by: 2)
        }
        return true
    }
}
