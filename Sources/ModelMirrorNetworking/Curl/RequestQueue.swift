#if os(Linux)
/// Decides which requests start and which wait: first come, first served, with a limit for each host and one in all.
///
/// ```
/// enter ─▶ free? ─ yes ─▶ goes
///            │ no                     leave ─▶ the one that came first among those whose host has room
///            └─▶ waits by its ticket ───────────────────────────▲
/// ```
///
/// A waiter that is withdrawn is removed at once; those behind it keep their places.
struct RequestQueue<Host: Hashable, Element> {
    /// A place in the order of arrival.
    typealias Ticket = Int

    private struct Line {
        var underWay = 0
        var waiting: [Ticket: Element] = [:]
        /// No waiting ticket is lower.
        var first = 0
    }

    let limitPerHost: Int
    let limit: Int
    private var lines: [Host: Line] = [:]
    private var underWay = 0
    private var nextTicket = 0

    /// A queue; limits less than 1 count as 1.
    init(limitPerHost: Int, limit: Int) {
        self.limitPerHost = max(limitPerHost, 1)
        self.limit = max(limit, 1)
    }

    /// Whether nothing is running or waiting.
    var isEmpty: Bool { lines.isEmpty }

    /// Whether a host has as many running elements as it may have.
    func isFull(_ host: Host) -> Bool { lines[host].map { $0.underWay >= limitPerHost } ?? false }

    /// Whether an element waits for a host.
    func isAwaited(_ host: Host) -> Bool { lines[host]?.waiting.isEmpty == false }

    /// Starts an element and returns nil, or returns the ticket with which it waits.
    mutating func enter(_ element: Element, for host: Host) -> Ticket? {
        // In place, or each waiter would copy those before it.
        if underWay < limit, !isFull(host) {
            lines[host, default: Line()].underWay += 1
            underWay += 1
            return nil
        }
        let ticket = nextTicket
        nextTicket += 1
        if !isAwaited(host) { lines[host, default: Line()].first = ticket }
        lines[host, default: Line()].waiting[ticket] = element
        return ticket
    }

    /// Removes a waiter, if it is still waiting.
    mutating func withdraw(_ ticket: Ticket, for host: Host) {
        lines[host]?.waiting[ticket] = nil
        tidy(host)
    }

    /// Records that a request to the host is done, and returns the next to start, if any.
    mutating func leave(_ host: Host) -> Element? {
        lines[host]?.underWay -= 1
        underWay -= 1
        defer { tidy(host) }
        // Below the total limit, each waiter waits only for its own host.
        let candidates = underWay < limit - 1 ? [host] : Array(lines.keys)
        let tickets = candidates.compactMap { host in firstTicket(host).map { (host: host, ticket: $0) } }
        guard let best = tickets.min(by: { $0.ticket < $1.ticket }),
            let element = lines[best.host]?.waiting.removeValue(forKey: best.ticket)
        else { return nil }
        lines[best.host]?.underWay += 1
        underWay += 1
        return element
    }

    /// The first ticket of a host; nil if none waits, or the host is at its limit.
    private mutating func firstTicket(_ host: Host) -> Ticket? {
        guard var line = lines[host], line.underWay < limitPerHost, !line.waiting.isEmpty else { return nil }
        while line.waiting[line.first] == nil { line.first += 1 }
        lines[host]?.first = line.first
        return line.first
    }

    private mutating func tidy(_ host: Host) {
        if let line = lines[host], line.underWay == 0, line.waiting.isEmpty { lines[host] = nil }
    }
}
#endif
