import ModelMirror
import ModelMirrorFoundation
import ModelMirrorNetworking

/// A recorded request with its response: a readable JSON file, with each body in a file beside it.
///
/// ```
/// 0001-GET-users-octocat-gists.json            request and response without bodies
/// 0001-GET-users-octocat-gists.response.json   the body of the response
/// 0002-POST-gists.json
/// 0002-POST-gists.request.json
/// 0002-POST-gists.response.json
/// ```
struct RecordedExchange: Sendable {
    enum Answer: Sendable {
        case response(status: Int, headers: HTTPHeaders, url: String, body: Data)
        case failure(RequestError.ConnectionFailure.Kind, reason: String)
    }

    var method: HTTPMethod
    /// The URL, redacted.
    var url: String
    var headers: HTTPHeaders
    var body: Data
    var answer: Answer

    /// Writes the exchange.
    ///
    /// - Parameters:
    ///   - folder: An existing folder.
    ///   - number: The number of the request.
    /// - Throws: ``Taken`` if another recording has written an exchange of that name; file system errors.
    func write(to folder: URL, number: Int) throws {
        let name = fileName(number)
        let file = folder.appendingPathComponent("\(name).json")
        let claim = folder.appendingPathComponent("\(name).json.part")
        do {
            try Data().write(to: claim, options: .withoutOverwriting)
        } catch let error as CocoaError where error.code == .fileWriteFileExists {
            throw Taken(name: file.lastPathComponent)
        }
        defer { try? FileManager.default.removeItem(at: claim) }
        if FileManager.default.fileExists(atPath: file.path) { throw Taken(name: file.lastPathComponent) }
        var request: [String: JSONValue] = [
            "method": .string(method.rawValue), "url": .string(url), "headers": Self.json(headers),
        ]
        if !body.isEmpty {
            let file = "\(name).request.\(Self.fileExtension(headers))"
            try body.write(to: folder.appendingPathComponent(file))
            request["body"] = .string(file)
        }
        var members: [String: JSONValue] = ["request": .object(request)]
        switch answer {
        case .failure(let kind, let reason):
            members["failure"] = ["kind": .string(kind.rawValue), "reason": .string(reason)]
        case .response(let status, let headers, let url, let body):
            var response: [String: JSONValue] = [
                "status": .number(JSONNumber(status)), "url": .string(url), "headers": Self.json(headers),
            ]
            if !body.isEmpty {
                let file = "\(name).response.\(Self.fileExtension(headers))"
                try body.write(to: folder.appendingPathComponent(file))
                response["body"] = .string(file)
            }
            members["response"] = .object(response)
        }
        let text = try JSONValue.object(members).jsonData(options: [.pretty, .sortedKeys])
        // Renamed last: if the file exists, the exchange is complete.
        try text.write(to: claim)
        try FileManager.default.moveItem(at: claim, to: file)
    }

    /// The name of an exchange that another recording has used.
    struct Taken: Error, CustomStringConvertible {
        let name: String

        var description: String {
            "\(name) is another recording's; use one RecordingTransport for the folder, or a folder for each"
        }
    }

    private func fileName(_ number: Int) -> String {
        let path = URLComponents(string: url)?.path ?? ""
        let words = path.split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }.joined(separator: "-")
        let verb = method.rawValue.filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
        let digits = String(number)
        let padding = String(repeating: "0", count: max(0, 4 - digits.count))
        return (["\(padding)\(digits)", verb, words.isEmpty ? "root" : String(words.prefix(60))])
            .joined(separator: "-")
    }

    private static func fileExtension(_ headers: HTTPHeaders) -> String {
        let type = (headers[.contentType] ?? "").lowercased()
        if type.contains("json") { return "json" }
        if type.hasPrefix("text/") { return "txt" }
        return "bin"
    }

    private static func json(_ headers: HTTPHeaders) -> JSONValue {
        .array(headers.fields.map { ["name": .string($0.name.description), "value": .string($0.value)] })
    }
}
