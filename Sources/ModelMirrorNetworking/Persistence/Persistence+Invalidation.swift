import ModelMirrorFoundation

/// Unsafe methods make stored responses stale, RFC 9111 section 4.4.
///
/// The time of the change is kept, under a key for the URL and the account: keys of responses contain more than the URL, and a
/// response that was requested before the change may be stored after it.
extension Persistence {
    /// Notes that a response reports a change of its URL, also of the one it was redirected to, and of those in `Location` and
    /// `Content-Location` on the origin that answered.
    func noteChange(by request: TransportRequest, _ response: TransportResponse) async {
        guard !request.method.isSafe, (200..<400).contains(response.status),
            ownPolicy.order == .cacheControl
        else { return }
        let named = [.location, "Content-Location"].compactMap { response.headers[$0] }
            .compactMap { URL(string: $0.withoutOuterSpaces, relativeTo: response.url)?.absoluteURL }
            .filter { Origin($0) == Origin(response.url) }
        for url in [request.url] + ([response.url] + named).filter({ $0 != request.url }) {
            guard let key = changeKey(of: url, request) else { return }
            let change = StoredResponse(status: response.status, url: url.withoutUserInfo, body: Data(), date: now())
            do {
                try await accounts.save(for: request.binding, under: key) { try await store.save(change, for: key) }
            } catch {
                notify(.savingFailed(error), request)
            }
        }
    }

    /// Whether the request's URL, or the one it was redirected to, has changed since a stored response was requested; true if the store
    /// fails to tell.
    func hasChanged(since stored: StoredResponse, _ request: TransportRequest) async -> Bool {
        for url in [request.url] + (stored.url == request.url ? [] : [stored.url]) {
            guard let key = changeKey(of: url, request) else { continue }
            do {
                if let change = try await store.response(for: key), change.date >= stored.date { return true }
            } catch {
                return true
            }
        }
        return false
    }

    /// One key for all spellings of a URL (RFC 3986 sections 6.2.2 and 6.2.3), since a server may name it by another.
    private func changeKey(of url: URL, _ request: TransportRequest) -> String? {
        // Below a host, since a path may begin with two slashes.
        guard let account = Persistence.suffix(of: request),
            let path = URL(string: "http://host" + PercentEscaping.normalized(url.sentPath))?.standardized.path()
        else { return nil }
        let (origin, query) = (Origin(url), PercentEscaping.normalized(url.query() ?? ""))
        return "CHANGED \(origin.scheme)://\(origin.host):\(origin.port)\(path)?\(query)\(account)"
    }

    /// Brings the stored response to GET up to date with the header fields of one to HEAD, or makes it stale if they describe another
    /// (RFC 9111 section 4.3.5). Another status than 200, and one of another URL after a redirect, describe none; one that was requested
    /// earlier describes an older one.
    ///
    /// - Parameter headers: Those of the response to HEAD, with the length, which is not stored.
    func update(by request: TransportRequest, _ response: StoredResponse, sent headers: HTTPHeaders) async throws {
        var get = request
        get.method = .get
        guard response.status == 200, let key = storageKey(of: get) else { return }
        // Loaded in its turn, or it would replace a response that is being saved.
        try await accounts.save(for: request.binding, under: key) {
            guard !accounts.isRevoking(request.binding), var stored = try await store.response(for: key),
                stored.url.isSameTarget(as: response.url), stored.date <= response.date
            else { return }
            if stored.isDescribed(by: headers) {
                stored = stored.confirmed(by: response.headers, at: response.date)
            } else {
                stored.headers[.cacheControl] = "no-cache"
            }
            try await store.save(stored, for: key)
        }
    }
}
