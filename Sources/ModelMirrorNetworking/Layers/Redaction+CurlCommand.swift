import ModelMirrorFoundation

extension Redaction {
    /// The largest body that is part of a command, in bytes.
    private static let commandBodyLimit = 64 << 10

    /// A request as a `curl` command for any POSIX shell.
    ///
    /// ```
    /// curl -X POST 'https://api.github.com/gists' \
    ///     -H 'Authorization: REDACTED' \
    ///     -H 'Content-Type: application/json' \
    ///     --data-raw '{"description": "Let'\''s go"}'
    /// ```
    ///
    /// - Parameter bodyFile: The file from which the command reads a body that cannot be shown.
    func curlCommand(for request: TransportRequest, bodyFile: String) -> String {
        let url = redacted(request.url)
        var words = ["curl"]
        switch (request.method, request.body == nil) {
        case (.get, true): break
        case (.head, true): words.append("--head")
        default: words.append("-X \(request.method.rawValue.escapingControls.quotedForShell)")
        }
        // curl would read these as patterns.
        if url.contains(where: "[]{}".contains) { words.append("--globoff") }
        // curl would resolve these as the parts of a relative path.
        if request.url.standardized != request.url { words.append("--path-as-is") }
        var arguments = [(words + [url.escapingControls.inSingleQuotes]).joined(separator: " ")]
        if case .follow(let limit)? = request.redirects { arguments.append("--location --max-redirs \(limit)") }
        for field in redacted(request.headers).fields {
            // curl removes a field written as a name with a colon and no value.
            let text = field.value.isEmpty ? "\(field.name);" : "\(field.name): \(field.value)"
            arguments.append("-H \(text.escapingControls.inSingleQuotes)")
        }
        if let body = request.body {
            // As the transports send it; curl would set the content type of a form.
            if request.headers[.contentType] == nil { arguments.append("-H 'Content-Type: application/octet-stream'") }
            arguments.append(argument(for: body, request.headers, bodyFile))
        }
        return arguments.joined(separator: " \\\n    ")
    }

    private func argument(for body: HTTPBody, _ headers: HTTPHeaders, _ bodyFile: String) -> String {
        switch body.content {
        case .file(let url): return "--data-binary \("@\(url.path)".escapingControls.inSingleQuotes)"
        case .data(let data) where data.count <= Self.commandBodyLimit:
            // Text that a terminal would change cannot be part of a command. Unlike `--data-binary`, `--data-raw` does not read a
            // body that begins with @ as a file name.
            if let text = text(of: data, headers), text.escapingControls(butLines: true) == text {
                return "--data-raw \(text.inSingleQuotes)"
            }
        case .data, .chunks: break
        }
        return "--data-binary @\(bodyFile)"
    }
}

extension String {
    /// The text as one word of a POSIX shell, which leaves text in single quotes unchanged.
    fileprivate var inSingleQuotes: String {
        // By scalars: a quote with a combining mark is another Character, but ends the word.
        "'\(unicodeScalars.replacing("'".unicodeScalars, with: #"'\''"#.unicodeScalars))'"
    }

    /// The text unquoted if no shell would change it, otherwise in quotes.
    fileprivate var quotedForShell: String {
        !isEmpty && utf8.allSatisfy { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 } ? self : inSingleQuotes
    }
}
