public import ModelMirrorFoundation
public import ModelMirrorNetworking
import Synchronization

/// Answers requests from a folder written by a ``RecordingTransport``, without a network.
///
/// A request gets the first unused recorded response with its method, URL and body, so repeated requests get their responses in
/// the recorded order. Header fields are not compared: record two users in two folders. If the recorded value of a query item is
/// `Redaction.placeholder`, any value matches. A request that was not recorded, or is sent more often than it was recorded, fails
/// with `RequestError.invalidRequest`, whose text says why.
///
/// ```swift
/// let transport = try ReplayTransport(folder: fixtures)
/// let repository = GistsRepository(transport: transport)
/// // …
/// transport.unused  // [], all recorded exchanges were used
/// ```
public final class ReplayTransport: Transport {
    private struct Entry {
        let file: URL
        let exchange: RecordedExchange
        var isUsed = false
    }

    private let folder: URL
    private let comparesBodies: Bool
    private let entries: Mutex<[Entry]>

    /// Reads a recording.
    ///
    /// - Parameters:
    ///   - folder: The folder.
    ///   - comparesBodies: Whether the bodies of requests must match. Defaults to true. Multipart bodies never match, because
    ///     each has a random boundary: pass false for them.
    /// - Throws: An error that names a malformed file, or a folder that cannot be read.
    public init(folder: URL, comparesBodies: Bool = true) throws {
        self.folder = folder
        self.comparesBodies = comparesBodies
        entries = Mutex(try RecordedExchange.all(in: folder).map { Entry(file: $0.file, exchange: $0.exchange) })
    }

    /// The names of the files whose exchanges were not used.
    public var unused: [String] {
        entries.withLock { $0.filter { !$0.isUsed }.map(\.file.lastPathComponent) }
    }

    /// Answers a request.
    ///
    /// - Throws: ``RequestError``: the recorded one, or `.invalidRequest` if the request was not recorded.
    public func response(to request: TransportRequest) async throws -> TransportResponse {
        if Task.isCancelled { throw RequestError.cancelled }
        _ = try request.prepared()
        let body = try await request.body?.collect() ?? Data()
        let url = request.url.withoutUserInfo
        switch try take(request, body) {
        case .failure(let kind, let reason): throw RequestError.connection(.init(kind, url: url, reason: reason))
        case .response(let status, let headers, let address, let body):
            return TransportResponse(
                status: status, headers: headers, url: URL(string: address) ?? url, body: ResponseBody(body))
        }
    }

    /// `.none`: the transport adds nothing to a request.
    public func identity(for request: TransportRequest) -> TransportIdentity { .none }

    private func take(_ request: TransportRequest, _ body: Data) throws -> RecordedExchange.Answer {
        try entries.withLock { entries in
            let sameTarget = entries.indices.filter {
                entries[$0].exchange.method == request.method && fits(entries[$0].exchange.url, request.url)
            }
            let same = sameTarget.filter { !comparesBodies || entries[$0].exchange.body == body }
            if let index = same.first(where: { !entries[$0].isUsed }) {
                entries[index].isUsed = true
                return entries[index].exchange.answer
            }
            let fault =
                if !same.isEmpty {
                    "it was recorded \(same.count == 1 ? "once" : "\(same.count) times") but requested again"
                } else if !sameTarget.isEmpty {
                    "it was recorded with another body, see \(entries[sameTarget[0]].file.lastPathComponent)"
                } else {
                    "the recording contains \(list(entries))"
                }
            let url = request.secrets.redacted(request.url)
            throw RequestError.invalidRequest(
                "the recording in \(folder.path) has no answer to \(request.method) \(url): \(fault)")
        }
    }

    private func list(_ entries: [Entry]) -> String {
        if entries.isEmpty { return "no requests" }
        return entries.map { "\($0.exchange.method) \($0.exchange.url)" }.joined(separator: ", ")
    }

    private func fits(_ recorded: String, _ url: URL) -> Bool {
        let asked = Redaction().redacted(url)
        if recorded == asked { return true }
        guard recorded.contains("=\(Redaction.placeholder)") else { return false }
        let left = recorded.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let right = asked.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard left.count == 2, right.count == 2, left[0] == right[0] else { return false }
        let leftItems = left[1].split(separator: "&", omittingEmptySubsequences: false)
        let rightItems = right[1].split(separator: "&", omittingEmptySubsequences: false)
        return leftItems.count == rightItems.count
            && zip(leftItems, rightItems).allSatisfy { left, right in
                guard left.hasSuffix("=\(Redaction.placeholder)") else { return left == right }
                return left.prefix { $0 != "=" } == right.prefix { $0 != "=" }
            }
    }
}
