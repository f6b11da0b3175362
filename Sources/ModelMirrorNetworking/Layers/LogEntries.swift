import ModelMirrorFoundation

/// Makes the two entries of a request in the log of a ``LoggingTransport``.
struct LogEntries: Sendable {
    private let level: LoggingTransport.Level
    private let redaction: Redaction
    private let url: URL
    /// The entry made when the request is sent.
    private(set) var beginning: LoggingTransport.Entry

    init(_ request: TransportRequest, number: Int, level: LoggingTransport.Level, redaction: Redaction) {
        let redaction = redaction.merging(request.secrets)
        self.level = level
        self.redaction = redaction
        url = request.url
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
        case .summary: return line
        case .curl: return "\(line)\n" + redaction.curlCommand(for: request, bodyFile: "body-\(beginning.number)")
        case .bodies(let limit):
            var data = Data()
            if case .data(let own)? = request.body?.content { data = own }
            return line + redaction.lines(request.headers, data.prefix(max(limit, 0)), of: data.count)
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
    ///   - headTime: The time until the head arrived.
    ///   - end: How the body ended; nil without one.
    ///   - totalTime: The time until the body ended.
    func end(
        _ head: ResponseHead, headTime: Duration, _ end: LoggedBody.End?, _ body: LoggedBody.Tally = (0, Data()),
        totalTime: Duration
    ) -> LoggingTransport.Entry {
        let transfer = "\(body.count.bytes) in \(totalTime.inSeconds)"
        var entry = beginning
        entry.status = head.status
        entry.responseBytes = body.count
        entry.headTime = headTime
        entry.totalTime = totalTime
        let outcome: String
        switch end {
        case nil: outcome = "no body"
        case .whole: outcome = transfer
        case .dropped: outcome = "dropped after \(transfer)"
        case .brokenOff(let error):
            entry.error = redaction.redacted(error)
            outcome = "failed after \(transfer): \(String(describing: error).escapingControls)"
        }
        let origin = head.url.isSameTarget(as: url) ? "" : " from \(redaction.redacted(head.url))".escapingControls
        entry.text = "[\(entry.number)] \(head.status)\(origin) in \(headTime.inSeconds), \(outcome)"
        if bodyLimit != nil { entry.text += redaction.lines(head.headers, body.kept, of: body.count) }
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
    /// Header fields, each on a line of its own, and the first bytes of a body as text, or their description, below an empty line.
    fileprivate func lines(_ headers: HTTPHeaders, _ kept: Data, of count: Int) -> String {
        let lines = self.lines(headers)
        if kept.isEmpty { return lines }
        guard let text = text(of: kept, isCut: kept.count < count, headers) else {
            return lines + "\n\n(\(count.bytes), not UTF-8 text)"
        }
        let note = kept.count < count ? "\n(the first \(kept.count) of \(count.bytes))" : ""
        return lines + "\n\n" + text.escapingControls(butLines: true) + note
    }

    /// A body as text, with secret items of a form replaced; nil if it is not UTF-8.
    ///
    /// - Parameter isCut: Whether more bytes follow, so that the last character may be incomplete.
    func text(of body: Data, isCut: Bool = false, _ headers: HTTPHeaders) -> String? {
        let whole = isCut ? body.dropLast(Self.cutCharacterLength(at: body)) : body
        guard let text = String(validating: whole, as: UTF8.self) else { return nil }
        let type = (headers[.contentType]?.unicodeScalars.prefix { $0 != ";" }).map { Substring($0).withoutOuterSpaces }
        return type?.lowercased() == "application/x-www-form-urlencoded" ? redacted(query: text) : text
    }

    /// The number of bytes at the end that form an incomplete UTF-8 character.
    private static func cutCharacterLength(at body: Data) -> Int {
        let end = body.suffix(3).reversed().enumerated()
        guard let (index, lead) = end.first(where: { (0xC2...0xF4).contains($1) }) else { return 0 }
        // A lead byte has as many leading ones as its character has bytes.
        return (~lead).leadingZeroBitCount > index + 1 ? index + 1 : 0
    }
}

extension String {
    /// The text on one line, with control characters escaped as `\u{1B}`.
    var escapingControls: String { escapingControls(butLines: false) }

    /// - Parameter butLines: Whether line feeds and tabs are kept.
    func escapingControls(butLines: Bool) -> String {
        unicodeScalars.reduce(into: "") { text, scalar in
            if scalar.properties.generalCategory != .control || butLines && "\n\t".unicodeScalars.contains(scalar) {
                text.unicodeScalars.append(scalar)
            } else {
                text += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            }
        }
    }
}

extension Duration {
    /// Seconds with three decimals, truncated: `0.120 s`.
    fileprivate var inSeconds: String {
        let milliseconds = components.attoseconds / 1_000_000_000_000_000
        return "\(components.seconds).\(String(1000 + milliseconds).dropFirst()) s"
    }
}
