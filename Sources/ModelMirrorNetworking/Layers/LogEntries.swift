import ModelMirrorFoundation

/// Makes the two entries of a request in the log of a ``LoggingTransport``.
struct LogEntries: Sendable {
    /// The head of a response, and what can be derived from it.
    struct Head: Sendable {
        let status: Int
        let headers: HTTPHeaders
        /// The URL that answered, if it is not the requested one.
        let redirectedTo: URL?
        /// Whether a body can follow, RFC 9112 section 6.3.
        let mayHaveBody: Bool
        let time: Duration

        init(_ response: TransportResponse, to request: TransportRequest, after time: Duration) {
            status = response.status
            headers = response.headers
            redirectedTo = response.url.isSameTarget(as: request.url) ? nil : response.url
            mayHaveBody =
                request.method != .head && ![204, 304].contains(status) && status >= 200
                && response.expectedLength != 0
            self.time = time
        }
    }

    let level: LoggingTransport.Level
    let redaction: Redaction
    /// The entry made when the request is sent.
    private(set) var beginning: LoggingTransport.Entry

    init(_ request: TransportRequest, number: Int, level: LoggingTransport.Level, redaction: Redaction) {
        let redaction = redaction.merging(request.credentials)
        self.level = level
        self.redaction = redaction
        beginning = LoggingTransport.Entry(
            number: number, attempt: request.attempt, method: request.method, url: redaction.redacted(request.url))
        beginning.requestBytes = request.body.map(\.length) ?? 0
        beginning.text = "[\(number)] \(text(of: request))"
    }

    /// The most bytes of a body in the log; nil if bodies and header fields are left out.
    var bodyLimit: Int? {
        if case .bodies(let limit) = level { max(limit, 0) } else { nil }
    }

    private func text(of request: TransportRequest) -> String {
        let line = "\(request.method) \(redaction.redacted(request.url))".escapingControls + size(of: request.body)
        switch level {
        case .summary:
            return line
        case .curl:
            let command = CurlCommand(request, redaction: redaction, bodyFile: "body-\(beginning.number)")
            return "\(line)\n\(command.text)"
        case .bodies(let limit):
            let lines = line + redaction.lines(of: request.headers)
            guard let body = request.body, case .data(let data) = body.content else { return lines }
            let kept = data.prefix(max(limit, 0))
            return lines + redaction.content(kept, of: data.count, request.headers)
        }
    }

    func failure(_ error: any Error, after time: Duration) -> LoggingTransport.Entry {
        var entry = beginning
        entry.error = redaction.redacted(error)
        entry.totalTime = time
        entry.text = "[\(entry.number)] failed in \(time.inSeconds): \(String(describing: error).escapingControls)"
        return entry
    }

    /// - Parameters:
    ///   - end: How the body ended; nil without one.
    ///   - time: When it ended.
    func end(
        _ head: Head, _ end: LoggedBody.End?, _ count: Int, _ kept: Data, after time: Duration
    ) -> LoggingTransport.Entry {
        var entry = beginning
        entry.status = head.status
        entry.responseBytes = count
        entry.headTime = head.time
        entry.totalTime = time
        let outcome: String
        switch end {
        case nil: outcome = "no body"
        case .whole: outcome = "\(count.bytes) in \(time.inSeconds)"
        case .dropped: outcome = "dropped after \(count.bytes) in \(time.inSeconds)"
        case .brokenOff(let error):
            entry.error = redaction.redacted(error)
            outcome = "failed after \(count.bytes) in \(time.inSeconds): \(String(describing: error).escapingControls)"
        }
        let origin = head.redirectedTo.map { " from \(redaction.redacted($0))".escapingControls } ?? ""
        entry.text = "[\(entry.number)] \(head.status)\(origin) in \(head.time.inSeconds), \(outcome)"
        if bodyLimit != nil {
            entry.text += redaction.lines(of: head.headers) + redaction.content(kept, of: count, head.headers)
        }
        return entry
    }

    private func size(of body: HTTPBody?) -> String {
        guard let body else { return "" }
        switch body.content {
        case .data(let data): return ", \(data.count.bytes)"
        case .file(let url): return ", the file \(url.path.escapingControls)"
        case .chunks: return ", \(body.length?.bytes ?? "an unknown number of bytes"), made on demand"
        }
    }
}

extension Redaction {
    /// Header fields, each on a line of its own.
    fileprivate func lines(of headers: HTTPHeaders) -> String {
        redacted(headers).fields.map { "\n" + "\($0.name): \($0.value)".escapingControls }.joined()
    }

    /// The first bytes of a body as text, or their description, below an empty line.
    fileprivate func content(_ kept: Data, of count: Int, _ headers: HTTPHeaders) -> String {
        guard count > 0, !kept.isEmpty else { return "" }
        guard let text = text(of: kept, isCut: kept.count < count, headers) else {
            return "\n\n(\(count.bytes), not UTF-8 text)"
        }
        let note = kept.count < count ? "\n(the first \(kept.count) of \(count.bytes))" : ""
        return "\n\n" + text.escapingControls(butLines: true) + note
    }

    /// A body as text, with secret items of a form replaced; nil if it is not UTF-8.
    ///
    /// - Parameter isCut: Whether more bytes follow, so that the last character may be incomplete.
    func text(of body: Data, isCut: Bool = false, _ headers: HTTPHeaders) -> String? {
        let whole = isCut ? body.dropLast(Self.cutCharacterLength(at: body)) : body
        guard let text = String(validating: whole, as: UTF8.self) else { return nil }
        let type = headers[.contentType]?.prefix { $0 != ";" }.withoutOuterSpaces.lowercased()
        return type == "application/x-www-form-urlencoded" ? redacted(query: text) : text
    }

    /// The number of bytes at the end that form an incomplete UTF-8 character.
    private static func cutCharacterLength(at body: Data) -> Int {
        for (index, byte) in body.suffix(3).reversed().enumerated() {
            let length =
                switch byte {
                case 0xC2...0xDF: 2
                case 0xE0...0xEF: 3
                case 0xF0...0xF4: 4
                default: 0
                }
            if length > 0 { return length > index + 1 ? index + 1 : 0 }
        }
        return 0
    }
}

extension String {
    /// The text on one line, with control characters escaped as `\u{1B}`.
    var escapingControls: String { escapingControls(butLines: false) }

    /// - Parameter butLines: Whether line feeds and tabs are kept.
    func escapingControls(butLines: Bool) -> String {
        var text = ""
        for scalar in unicodeScalars {
            if scalar.properties.generalCategory != .control || (butLines && (scalar == "\n" || scalar == "\t")) {
                text.unicodeScalars.append(scalar)
            } else {
                text += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            }
        }
        return text
    }
}

extension URL {
    fileprivate func isSameTarget(as other: URL) -> Bool {
        let targets = [self, other].map { url in
            // The path of `https://example.com` is sent as `/`.
            let path = url.path(percentEncoded: true)
            return [url.scheme, url.host(), url.port.map(String.init), path.isEmpty ? "/" : path, url.query()]
        }
        return targets[0] == targets[1]
    }
}

extension Int {
    fileprivate var bytes: String { self == 1 ? "1 byte" : "\(self) bytes" }
}

extension Duration {
    /// Seconds with three decimals, truncated: `0.120 s`.
    fileprivate var inSeconds: String {
        let milliseconds = components.attoseconds / 1_000_000_000_000_000
        let digits = String(milliseconds)
        return "\(components.seconds).\(String(repeating: "0", count: 3 - digits.count))\(digits) s"
    }
}
