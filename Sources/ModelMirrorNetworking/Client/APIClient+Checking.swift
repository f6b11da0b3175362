import ModelMirror
import ModelMirrorFoundation

/// Decides whether a response reports success, by the error hooks and the status in the envelope.
extension APIClient.Configuration {
    /// Throws if the envelope of an accepted response reports a failure. A body that is empty or whose root is not an object has
    /// no envelope.
    ///
    /// - Parameter isStatusNeeded: Whether a missing status is a failure.
    func checkEnvelope(of response: Response<Data>, isStatusNeeded: Bool) throws {
        guard let envelope, response.value.isJSONObject else { return }
        let own: (any Error)?
        do {
            own = try hooks.fromResponse?(response)
        } catch let error as ModelError {
            throw failure(of: response, envelope, error)
        }
        if let own { throw own }
        do throws(ModelError) {
            if try envelope.isSuccess(response.value, mappingOptions) { return }
        } catch {
            // If the status may be missing, the body need not even be JSON.
            guard isStatusNeeded else { return }
            guard case .invalidValues = error else { throw error }
            // An unreadable status is a failure. The server's description is more useful than the conversion error.
            guard description(in: response.value) != nil || code(in: response.value) != nil else { throw error }
        }
        throw failure(of: response, envelope, nil)
    }

    private func failure(of response: Response<Data>, _ envelope: Envelope, _ error: ModelError?) -> any Error {
        var failed = RequestError.FailedResponse(response, keeping: errorBodyLimit)
        failed.mappingError = error
        return statusError(
            failed, code: code(in: response.value), message: description(in: response.value),
            status: text(at: envelope.statusKey, of: response.value))
    }

    func error(for failed: RequestError.FailedResponse) throws -> any Error {
        var failed = failed
        do {
            if let own = try hooks.fromResponse?(failed.response) { return own }
        } catch let error as ModelError {
            // Alone, it would hide the method, the URL, the status and the header fields.
            failed.mappingError = error
        }
        let message = description(in: failed.body)
        let code = code(in: failed.body)
        guard message != nil || code != nil else { return RequestError.unacceptableStatus(failed) }
        return statusError(failed, code: code, message: message, status: nil)
    }

    private func statusError(
        _ response: RequestError.FailedResponse, code: String?, message: String?, status: String?
    ) -> any Error {
        hooks.forCode?(code, message)
            ?? RequestError.statusFailure(.init(message: message, code: code, status: status, response: response))
    }

    private func description(in body: Data) -> String? { text(at: errorDescriptionKey, of: body) }

    private func code(in body: Data) -> String? { text(at: errorCodeKey, of: body) }

    /// The string at a path, the digits of a number, or `true` or `false`; nil for anything else.
    private func text(at path: JSONPath?, of body: Data) -> String? {
        guard let path, let value = try? JSONMapper.value(JSONValue.self, from: body, at: path) else { return nil }
        return switch value {
        case .string(let text): text
        case .number(let number): number.description
        case .bool(let flag): "\(flag)"
        case .null, .array, .object: nil
        }
    }
}

extension Data {
    /// Whether it begins as a JSON object, after a byte order mark and whitespace.
    fileprivate var isJSONObject: Bool {
        let text = starts(with: [0xEF, 0xBB, 0xBF]) ? dropFirst(3) : self
        return text.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) } == UInt8(ascii: "{")
    }
}

extension RequestError.FailedResponse {
    /// A complete response, as an error keeps it.
    ///
    /// - Parameter limit: The largest part of the body to keep, in bytes.
    init(_ response: Response<Data>, keeping limit: Int) {
        let limit = max(limit, 0)
        var kept = response
        kept.value = response.value.count > limit ? Data(response.value.prefix(limit)) : response.value
        self.init(kept, isBodyCut: response.value.count > limit)
    }
}
