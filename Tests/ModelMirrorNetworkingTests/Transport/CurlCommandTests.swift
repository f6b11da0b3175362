import Foundation
import ModelMirrorNetworking
import ModelMirrorTesting
import Testing

@Suite("Log entries as curl commands", .timeLimit(.hung), .network)
struct CurlCommandTests {
    /// The entry of the log for a request.
    private func entry(_ request: TransportRequest, _ redaction: Redaction = Redaction()) async throws -> String {
        let log = WordLog()
        let base = StubTransport { TransportResponse(status: 204, url: $0.url) }
        let transport = LoggingTransport(base, level: .curl, redaction: redaction, clock: ManualClock()) {
            log.add($0.text)
        }
        _ = try await transport.response(to: request)
        #expect(log.words.count == 2)
        #expect(log.words.last == "[1] 204 in 0.000 s, no body")
        return try #require(log.words.first)
    }

    /// The command of the entry, without the line above it.
    private func command(_ request: TransportRequest, _ redaction: Redaction = Redaction()) async throws -> String {
        try await entry(request, redaction).split(separator: "\n", maxSplits: 1)[1].description
    }

    private func request(
        _ method: HTTPMethod = .get, _ url: String = "https://x/", headers: HTTPHeaders = [:], _ body: HTTPBody? = nil
    ) throws -> TransportRequest {
        TransportRequest(method, try #require(URL(string: url)), headers: headers, body: body)
    }

    @Test("The command follows the line of the request, with secrets redacted")
    func whole() async throws {
        let request = try request(
            .post, "https://me:s3cret@x/gists?token=s3cret&a=b",
            headers: [.authorization: "Bearer s3cret", .contentType: "application/json", "X-Empty": ""],
            .data(Data(#"{"text": "Let's go"}"#.utf8)))
        #expect(
            try await entry(request, Redaction(queryItems: ["token"])) == #"""
                [1] POST https://x/gists?token=REDACTED&a=b, 20 bytes
                curl -X POST 'https://x/gists?token=REDACTED&a=b' \
                    -H 'Authorization: REDACTED' \
                    -H 'Content-Type: application/json' \
                    -H 'X-Empty;' \
                    --data-raw '{"text": "Let'\''s go"}'
                """#)
    }

    @Test(
        "The method is written where curl would choose another",
        arguments: [
            (.get, nil, "curl 'https://x/'"), (.head, nil, "curl --head 'https://x/'"),
            (.post, nil, "curl -X POST 'https://x/'"), (.delete, nil, "curl -X DELETE 'https://x/'"),
            (HTTPMethod("M-SEARCH;"), nil, "curl -X 'M-SEARCH;' 'https://x/'"),
            (
                .get, "",
                "curl -X GET 'https://x/' \\\n    -H 'Content-Type: application/octet-stream' \\\n    --data-raw ''"
            ),
            (
                .head, "a",
                "curl -X HEAD 'https://x/' \\\n    -H 'Content-Type: application/octet-stream' \\\n    --data-raw 'a'"
            ),
        ] as [(HTTPMethod, String?, String)])
    func methods(method: HTTPMethod, body: String?, expected: String) async throws {
        let request = try request(method, "https://x/", body.map { .data(Data($0.utf8)) })
        #expect(try await command(request) == expected)
    }

    @Test(
        "A URL with curl's pattern characters is passed with --globoff, a path with dot segments with --path-as-is",
        arguments: [
            ("http://[::1]:80/", "--globoff "), ("https://x/a/../b", "--path-as-is "),
            ("https://x/./a", "--path-as-is "), ("https://x/a/..", "--path-as-is "),
            // Other dots are not.
            ("https://x", ""), ("https://x/.a/b..?c=/../d", ""), ("https://x//a/...", ""), ("HTTPS://X:443/", ""),
        ])
    func unchangedURLs(url: String, option: String) async throws {
        #expect(try await command(try request(.get, url)) == "curl \(option)'\(url)'")
    }

    @Test("Redirects are followed as the request specifies")
    func redirects() async throws {
        var request = try request()
        request.redirects = .follow(limit: 3)
        #expect(try await command(request) == "curl 'https://x/' \\\n    --location --max-redirs 3")
        request.redirects = .stop
        #expect(try await command(request) == "curl 'https://x/'")
    }

    @Test("Bodies that cannot be written in a command are read from files")
    func files() async throws {
        let bodies: [HTTPBody] = [
            .data(Data([0xFF])), .data(Data("a\0b".utf8)), .data(Data("a\r\nb".utf8)),
            .data(Data(repeating: 0x61, count: 65537)), .chunks { { nil } },
        ]
        for body in bodies {
            #expect(
                try await command(try request(.put, "https://x/", headers: [.contentType: "x/y"], body))
                    == "curl -X PUT 'https://x/' \\\n    -H 'Content-Type: x/y' \\\n    --data-binary @body-1")
        }
        #expect(
            try await command(
                try request(.put, headers: [.contentType: "x/y"], .file(URL(fileURLWithPath: "/tmp/it's"))))
                == "curl -X PUT 'https://x/' \\\n    -H 'Content-Type: x/y' \\\n    --data-binary '@/tmp/it'\\''s'")
        #expect(
            try await command(try request(.put, headers: [.contentType: "x/y"], .data(Data("'\u{301} ok".utf8))))
                .hasSuffix("--data-raw ''\\''\u{301} ok'"))
        let controls = URL(fileURLWithPath: "/tmp/a\u{1B}[2J\nb")
        #expect(
            try await command(try request(.put, headers: [.contentType: "x/y"], .file(controls)))
                .hasSuffix(#" --data-binary '@/tmp/a\u{1B}[2J\u{A}b'"#))
    }

    @Test("Secrets of a form are redacted")
    func forms() async throws {
        let request = try request(
            .post, headers: [.contentType: "application/x-www-form-urlencoded"], .data(Data("a=1&password=s3cret".utf8))
        )
        #expect(
            try await command(request, Redaction(queryItems: ["password"]))
                .hasSuffix("--data-raw 'a=1&password=REDACTED'"))
    }

    // Where there are processes to run a shell in.
    #if os(macOS) || os(Linux)
    @Test(
        "A shell parses the command into the intended arguments",
        arguments: [
            "it's", "'; touch /tmp/owned; '", "$(touch /tmp/owned)", "`id`", "a\\", "!!", "a\nb", "@/etc/passwd", "-x",
            "\"",
            "* ? ~ # & | > <", "é 𝄞", "",
        ])
    func shell(text: String) async throws {
        let request = try request(
            .patch, headers: [.contentType: "text/plain", "X-A": "a'b$c"], .data(Data(text.utf8)))
        let words = try arguments(of: try await command(request))
        #expect(
            words == [
                "-X", "PATCH", "https://x/", "-H", "Content-Type: text/plain", "-H", "X-A: a'b$c", "--data-raw", text,
            ])
    }

    /// The arguments that a shell passes to `curl`.
    private func arguments(of command: String) throws -> [String] {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", #"curl() { printf '%s\0' "$@"; }"# + "\n" + command]
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        return String(decoding: output, as: UTF8.self).split(separator: "\0", omittingEmptySubsequences: false)
            .dropLast().map(String.init)
    }
    #endif
}
