import ModelMirror

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// How long a stored response answers a request: RFC 9111 section 4.2, as a private cache.
///
///     age   0 ───────────── lifetime ───────────── lifetime + stale-while-revalidate, stale-if-error ──▶
///             is fresh               is confirmed by the server, at once or after it was served
///
/// A malformed directive or date counts as 0 seconds, so that the server is asked.
struct Freshness {
    /// The age in seconds, section 4.2.3; infinite after the clock was set back.
    let age: Double
    /// The seconds for which the request accepts the response without a confirmation.
    let lifetime: Double
    private let stored: CacheDirectives
    private let asked: CacheDirectives
    private let mustBeConfirmed: Bool

    /// - Parameters:
    ///   - response: The stored response.
    ///   - headers: The header fields of the request, whose directives narrow or extend the lifetime.
    ///   - now: The current time.
    init(of response: StoredResponse, for headers: HTTPHeaders, at now: Date) {
        stored = CacheDirectives(response.headers)
        asked = CacheDirectives(headers)
        age = response.currentAge(at: now)
        let forbidsReuse =
            stored.contains("no-cache") || asked.contains("no-cache") || asked.contains("no-store")
        mustBeConfirmed = forbidsReuse || stored.contains("must-revalidate")
        var lifetime = response.lifetime(by: stored) - (asked.seconds("min-fresh") ?? 0)
        if asked.contains("max-stale"), !mustBeConfirmed { lifetime += asked.seconds("max-stale", default: .infinity) }
        lifetime = min(lifetime, asked.seconds("max-age") ?? .infinity)
        self.lifetime = forbidsReuse ? 0 : lifetime
    }

    /// Whether the response is used without the server.
    var isFresh: Bool { age < lifetime }

    /// Whether it is used now and confirmed afterwards (RFC 5861 section 3).
    var isServedBeforeRevalidation: Bool { extends(by: stored.seconds("stale-while-revalidate")) }

    /// Whether it replaces a failure of the network or the server (RFC 5861 section 4).
    var replacesErrors: Bool { extends(by: stored.seconds("stale-if-error") ?? asked.seconds("stale-if-error")) }

    private func extends(by seconds: Double?) -> Bool { !mustBeConfirmed && age < lifetime + (seconds ?? 0) }
}

/// The directives of `Cache-Control`, RFC 9111 section 5.2. Of equal ones the first counts (section 4.2.1).
struct CacheDirectives {
    private var values: [String: String] = [:]

    init(_ headers: HTTPHeaders) {
        for value in headers.values(for: .cacheControl) {
            var isQuoted = false
            let parts = value.utf8.split { byte in
                if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
                return byte == UInt8(ascii: ",") && !isQuoted
            }
            for part in parts {
                let pair = Substring(part).withoutOuterSpaces.split(
                    separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                let name = pair[0].lowercased()
                if values[name] == nil { values[name] = pair.count == 2 ? String(pair[1]) : "" }
            }
        }
    }

    func contains(_ name: String) -> Bool { values[name] != nil }

    /// The seconds of a directive; nil without it.
    ///
    /// - Parameter missing: The seconds of a directive without a value.
    func seconds(_ name: String) -> Double? { values[name].map { $0.unquoted.deltaSeconds ?? 0 } }

    func seconds(_ name: String, default missing: Double) -> Double {
        values[name] == "" ? missing : seconds(name) ?? missing
    }
}

extension StoredResponse {
    /// The status codes that a cache may give a lifetime of its own (RFC 9110 section 15.1).
    private static let heuristicStatuses: Set<Int> = [200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501]

    fileprivate func currentAge(at now: Date) -> Double {
        let resident = now.timeIntervalSince(date)
        guard resident >= 0 else { return .infinity }
        // The first value of several (RFC 9111 section 5.1).
        let stated = headers["Age"]?.prefix { $0 != "," }.withoutOuterSpaces.deltaSeconds ?? 0
        let apparent = instant("Date").map { date.timeIntervalSince($0) } ?? 0
        return max(stated, apparent, 0) + resident
    }

    /// The lifetime in seconds, section 4.2.1: `max-age`, `Expires`, or a tenth of the time since the last modification, at most a day.
    /// `s-maxage` is for shared caches.
    fileprivate func lifetime(by directives: CacheDirectives) -> Double {
        if let seconds = directives.seconds("max-age") { return seconds }
        let sent = instant("Date") ?? date
        if headers["Expires"] != nil { return instant("Expires")?.timeIntervalSince(sent) ?? 0 }
        guard Self.heuristicStatuses.contains(status) || directives.contains("public"),
            let modified = instant(.lastModified)
        else { return 0 }
        return min(sent.timeIntervalSince(modified) / 10, 86_400)
    }

    private func instant(_ name: HeaderName) -> Date? {
        headers.values(for: name).first.flatMap { HTTPDate.parse(Array($0.utf8), now: date) }
    }

    /// The response as served without a confirmation, with its age (RFC 9111 section 5.1).
    func served(at now: Date) -> TransportResponse {
        var response = response
        let age = currentAge(at: now)
        if age.isFinite { response.headers["Age"] = String(Int(min(age, 0x1p31))) }
        return response
    }

    /// Whether a response must not be stored: section 5.2.2.5, and section 4.1 where `Vary` names what the key does not contain.
    ///
    /// - Parameter request: The request, as the client made it.
    func mayBeStored(for request: TransportRequest) -> Bool {
        if status == 206 || CacheDirectives(headers).contains("no-store")
            || CacheDirectives(request.headers).contains("no-store")
        {
            return false
        }
        let selecting = headers.names(in: "Vary")
        // The key stands for those of the account, and content codings are removed.
        let added = request.binding?.added.subtracting([.authorization, .cookie, "Accept-Encoding"]) ?? []
        return !selecting.contains("*") && selecting.isDisjoint(with: added)
    }
}

extension HTTPHeaders {
    /// The names listed in fields such as `Vary` and `Connection`.
    func names(in name: HeaderName) -> Set<HeaderName> {
        Set((self[name] ?? "").split(separator: ",").map { HeaderName($0.withoutOuterSpaces) })
    }
}

extension StringProtocol {
    /// Seconds in decimal digits (RFC 9111 section 1.2.2); nil for other text.
    fileprivate var deltaSeconds: Double? {
        utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ? Double(String(self)) : nil
    }

    fileprivate var unquoted: SubSequence {
        count >= 2 && hasPrefix("\"") && hasSuffix("\"") ? dropFirst().dropLast() : self[...]
    }
}
