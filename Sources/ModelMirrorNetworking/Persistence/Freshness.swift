import ModelMirror
package import ModelMirrorFoundation

/// How long a stored response is served without asking the server.
///
///     stored head + request + policy + now  →  age, lifetime, error lifetime, in seconds
///
/// Under ``FetchPolicy/cacheControl`` as RFC 9111 specifies for a private cache; under any other policy up to its maximum age.
package struct Freshness: Sendable {
    /// The age, RFC 9111 section 4.2.3. At most 9e18, which is also the age for a date that is not a number or over a minute ahead.
    package let age: Double
    /// The age from which the server must be asked.
    package private(set) var lifetime = Double.infinity
    /// The age from which the response may not replace a failed one (`stale-if-error`, RFC 5861).
    private var errorLifetime = 0.0

    package init(of stored: StoredResponse, for request: TransportRequest, _ policy: FetchPolicy, at now: Date) {
        let resident = now.timeIntervalSince(stored.date)
        // A stored file can hold any date, and a clock can be set back, after which the age is unknown.
        let clamped = resident >= -60 ? min(resident, 9e18) : 9e18
        // A response of exactly the maximum age is served.
        let limit = policy.maxAge.map { ($0 / .seconds(1)).nextUp } ?? .infinity
        guard policy.order == .cacheControl else {
            (age, lifetime) = (clamped, limit)
            return
        }
        let headers = stored.headers
        let sent = headers.date("Date") ?? stored.date
        age = min(max(headers.age, stored.date.timeIntervalSince(sent)) + max(clamped, 0), 9e18)
        let control = headers.cacheDirectives
        let requested = request.headers.cacheDirectives
        let own = Self.lifetime(of: stored, control, sent)
        let isStrict = control["must-revalidate"] != nil
        // A response to a redirected request is of another URL (RFC 9111 section 4).
        guard control["no-cache"] == nil, stored.isAtPath(of: request.url), !stored.varies(beyond: request) else {
            lifetime = 0
            return
        }
        if !isStrict, let grace = control.seconds("stale-if-error") { errorLifetime = min(own + grace, limit) }
        let extra = requested["max-stale"] == "" ? .infinity : requested.seconds("max-stale") ?? 0
        lifetime = min(own + (isStrict ? 0 : extra), requested.seconds("max-age") ?? .infinity, limit)
        lifetime -= requested.seconds("min-fresh") ?? 0
        if requested["no-cache"] != nil { lifetime = 0 }
    }

    /// Whether the response is served without asking the server.
    package var isFresh: Bool { age < lifetime }

    /// Whether the response may replace a failed one.
    package var permitsErrors: Bool { age < errorLifetime }

    /// The lifetime that the server set, RFC 9111 section 4.2.1, otherwise a guess: a tenth of the time since the last change, up to a
    /// day, for the statuses of RFC 9110 section 15.1 and for public responses.
    private static func lifetime(of stored: StoredResponse, _ control: [String: String], _ sent: Date) -> Double {
        if let seconds = control.seconds("max-age") { return seconds }
        // A date that cannot be read is in the past (RFC 9111 section 5.3).
        if stored.headers["Expires"] != nil {
            return min(2_147_483_648, stored.headers.date("Expires")?.timeIntervalSince(sent) ?? 0)
        }
        guard guessedStatuses.contains(stored.status) || control["public"] != nil,
            let change = stored.headers.date(.lastModified)
        else { return 0 }
        return min(86_400, sent.timeIntervalSince(change) / 10)
    }

    private static let guessedStatuses: Set = [200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501]
}

extension [String: String] {
    /// The seconds of a directive; 0 for an argument that is not a number of seconds, nil for a directive that is absent.
    fileprivate func seconds(_ name: String) -> Double? { self[name].map { $0.wholeSeconds ?? 0 } }
}

extension HTTPHeaders {
    /// The arguments of the directives of `Cache-Control`, RFC 9111 section 5.2, by name in lower case; empty for one without an argument.
    /// Of several with one name the first counts.
    var cacheDirectives: [String: String] {
        let directives = (self[.cacheControl] ?? "").separated(by: ",").map { part in
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let value = pair.count == 2 ? pair[1].withoutOuterSpaces : ""
            let isQuoted = value.count > 1 && value.hasPrefix("\"") && value.hasSuffix("\"")
            return (pair[0].withoutOuterSpaces.lowercased(), isQuoted ? String(value.dropFirst().dropLast()) : value)
        }
        return Dictionary(directives) { first, _ in first }
    }

    /// A date, RFC 9110 section 5.6.7.
    func date(_ name: HeaderName) -> Date? { self[name].flatMap { HTTPDate.parse(Array($0.utf8)) } }

    /// The first `Age` in seconds, RFC 9111 section 5.1; 0 if it cannot be read.
    fileprivate var age: Double { self["Age"]?.separated(by: ",").first?.wholeSeconds ?? 0 }

    /// The names in `Vary`.
    var varying: [HeaderName] { (self["Vary"] ?? "").separated(by: ",").map { HeaderName($0) } }
}

extension StoredResponse {
    /// Whether the response depends on fields that transports may add below the store, so that the key does not contain them.
    fileprivate func varies(beyond request: TransportRequest) -> Bool {
        headers.varying.contains { !Self.constantFields.contains($0) && request.headers[$0] == nil }
    }

    /// What only browsers send, and what a transport sends in each request or not at all.
    private static let constantFields: Set<HeaderName> = [
        "Accept-Encoding", .userAgent, "Origin", "Access-Control-Request-Method", "Access-Control-Request-Headers",
    ]
}

extension String {
    /// The parts of a list, RFC 9110 section 5.6.1, without surrounding spaces. A separator in quotes does not separate.
    func separated(by separator: Unicode.Scalar) -> [String] {
        var (isQuoted, isEscaped) = (false, false)
        let parts = utf8.split { byte in
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\"") {
                isQuoted.toggle()
            } else {
                isEscaped = isQuoted && byte == UInt8(ascii: "\\")
            }
            return byte == UInt8(ascii: separator) && !isQuoted
        }
        return parts.map { Substring($0).withoutOuterSpaces }.filter { !$0.isEmpty }
    }

    /// The number in a text of digits, up to 2³¹ (RFC 9111 section 1.2.2).
    fileprivate var wholeSeconds: Double? {
        guard utf8.allSatisfy(\.isDigit) else { return nil }
        return Double(self).map { min($0, 2_147_483_648) }
    }
}
