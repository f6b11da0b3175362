import ModelMirror
import ModelMirrorFoundation
import ModelMirrorNetworking

/// A recorded file that cannot be read, or a folder that cannot be used.
struct RecordingFault: Error, CustomStringConvertible {
    let description: String

    init(_ file: URL, cannotBe use: String = "read", _ reason: String) {
        description = "The recording \(file.path) cannot be \(use): \(reason)."
    }
}

extension RecordedExchange {
    /// The exchanges of a folder in the order of their numbers.
    ///
    /// - Throws: `RecordingFault` for a malformed file, and for a folder that cannot be read.
    static func all(in folder: URL) throws -> [(file: URL, exchange: RecordedExchange)] {
        try names(in: folder)
            // Names of body files contain another dot.
            .filter { $0.name.hasSuffix(".json") && $0.name.dropLast(5).firstIndex(of: ".") == nil }
            .sorted { ($0.number, $0.name) < ($1.number, $1.name) }
            .map { folder.appending(path: $0.name) }
            .map { ($0, try RecordedExchange(contentsOf: $0)) }
    }

    /// The highest number in a folder, of complete and of incomplete exchanges; 0 for none.
    static func lastNumber(in folder: URL) throws -> Int { try names(in: folder).map(\.number).max() ?? 0 }

    private static func names(in folder: URL) throws -> [(number: Int, name: String)] {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: folder.path).compactMap { name in
                Int(name.prefix { $0 != "-" }).map { ($0, name) }
            }
        } catch {
            throw RecordingFault(folder, error.clause)
        }
    }

    init(contentsOf file: URL) throws {
        let json: JSONValue
        do {
            json = try JSONValue(json: try Data(contentsOf: file))
        } catch {
            throw RecordingFault(file, error.clause)
        }
        guard let members = json.object, let request = members["request"]?.object,
            let method = request["method"]?.string,
            let url = request["url"]?.string
        else { throw RecordingFault(file, "it has no request with a method and a url") }
        self.method = HTTPMethod(method)
        self.url = url
        headers = try Self.headers(request, file)
        body = try Self.body(request, file)
        if let failure = members["failure"] {
            guard let kind = failure.object?["kind"]?.string.flatMap(RequestError.ConnectionFailure.Kind.init) else {
                throw RecordingFault(file, "its failure has an unknown kind")
            }
            answer = .failure(kind, reason: failure.object?["reason"]?.string ?? "")
        } else {
            guard let response = members["response"]?.object, let status = response["status"]?.int else {
                throw RecordingFault(file, "it has neither a failure nor a response with a status")
            }
            guard let address = (response["url"] ?? .string(url)).string else {
                throw RecordingFault(file, "the url of its response is not a string")
            }
            answer = .response(
                status: status, headers: try Self.headers(response, file), url: address,
                body: try Self.body(response, file))
        }
    }

    private static func headers(_ members: [String: JSONValue], _ file: URL) throws -> HTTPHeaders {
        var headers = HTTPHeaders()
        guard let fields = (members["headers"] ?? []).array else {
            throw RecordingFault(file, "its header fields are not an array")
        }
        for field in fields {
            guard let name = field.object?["name"]?.string, let value = field.object?["value"]?.string else {
                throw RecordingFault(file, "a header field has no name and value")
            }
            headers.append(value, for: HeaderName(name))
        }
        return headers
    }

    private static func body(_ members: [String: JSONValue], _ file: URL) throws -> Data {
        guard let body = members["body"] else { return Data() }
        guard let name = body.string else { throw RecordingFault(file, "the name of its body is not a string") }
        // A name with a path could refer to any file of the machine.
        guard !name.contains("/"), name != ".." else { throw RecordingFault(file, "the name of its body is a path") }
        do {
            return try Data(contentsOf: file.deletingLastPathComponent().appendingPathComponent(name))
        } catch {
            throw RecordingFault(file, "its body file \(name) cannot be read: \(error.clause)")
        }
    }
}
