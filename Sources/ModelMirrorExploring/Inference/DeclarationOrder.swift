/// A declaration, and the declared types that it names.
struct PlannedDeclaration {
    let name: String
    let declaration: SourcePlan.Declaration
    /// The names of inferred types, in the order of their first use.
    let uses: [String]
}

extension [PlannedDeclaration] {
    /// The declarations, each below those it uses, except that those which use each other are a group.
    ///
    /// A group is in its original order, which has base classes above their subclasses.
    var leafFirst: [[SourcePlan.Declaration]] {
        var order = DeclarationOrder(self)
        for start in indices { order.visit(from: start) }
        return order.groups.map { group in group.map { self[$0].declaration } }
    }
}

/// Finds the strongly connected components of declarations, leaves first (Tarjan's algorithm).
///
/// Without recursion, since a chain of classes may be longer than the stack allows.
private struct DeclarationOrder {
    private let uses: [[Int]]
    /// The order of the first visits; nil before.
    private var visits: [Int?]
    /// The earliest visited declaration of the same component that is reachable.
    private var roots: [Int]
    private var visitCount = 0
    private var open: [Int] = []
    private var isOpen: [Bool]
    private(set) var groups: [[Int]] = []

    init(_ declarations: [PlannedDeclaration]) {
        let numbers = Dictionary(declarations.enumerated().map { ($1.name, $0) }) { first, _ in first }
        uses = declarations.map { $0.uses.compactMap { numbers[$0] } }
        visits = Array(repeating: nil, count: declarations.count)
        roots = Array(repeating: 0, count: declarations.count)
        isOpen = Array(repeating: false, count: declarations.count)
    }

    mutating func visit(from start: Int) {
        guard visits[start] == nil else { return }
        var path: [(declaration: Int, next: Int)] = []
        enter(start, &path)
        while let (current, next) = path.last {
            if next < uses[current].count {
                path[path.count - 1].next += 1
                let used = uses[current][next]
                if visits[used] == nil {
                    enter(used, &path)
                } else if isOpen[used] {
                    roots[current] = min(roots[current], visits[used] ?? 0)
                }
                continue
            }
            path.removeLast()
            if let outer = path.last?.declaration { roots[outer] = min(roots[outer], roots[current]) }
            if roots[current] == visits[current] { close(current) }
        }
    }

    private mutating func enter(_ declaration: Int, _ path: inout [(declaration: Int, next: Int)]) {
        visits[declaration] = visitCount
        roots[declaration] = visitCount
        visitCount += 1
        open.append(declaration)
        isOpen[declaration] = true
        path.append((declaration, 0))
    }

    /// Ends the component whose first visited declaration is given.
    private mutating func close(_ first: Int) {
        var component: [Int] = []
        while let last = open.popLast() {
            isOpen[last] = false
            component.append(last)
            if last == first { break }
        }
        groups.append(component.sorted())
    }
}
