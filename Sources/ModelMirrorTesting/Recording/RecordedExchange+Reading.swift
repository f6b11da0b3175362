import ModelMirror
import ModelMirrorFoundation
import ModelMirrorNetworking

/// A recorded file that cannot be read.
struct RecordingFault: Error, CustomStringConvertible {
    let description: String

    init(_ file: URL, _ reason: String) { description = "The recording \(file.path) cannot be read: \(reason)." }
}

extension RecordedExchange {
    /// The exchanges of a folder in the order of their numbers.
    ///
    /// - Throws: `RecordingFault` for a malformed file; file system errors.
    static func all(in folder: URL) throws -> [(file: URL, exchange: RecordedExchange)] {
        try files(in: folder).map { ($0.file, try RecordedExchange(contentsOf: $0.file)) }
    }

    /// The exchange files of a folder with their numbers, in order.
    static func files(in folder: URL) throws -> [(number: Int, file: URL)] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .compactMap { name -> (Int, URL)? in
                // Names of body files contain another dot.
                guard name.hasSuffix(".json"), name.dropLast(5).firstIndex(of: ".") == nil,
                    let number = Int(name.prefix { $0 != "-" })
                else { return nil }
                return (number, folder.appending(path: name))
            }
            .sorted { $0.0 < $1.0 }
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
