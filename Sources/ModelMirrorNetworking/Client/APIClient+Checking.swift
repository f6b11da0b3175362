import ModelMirror
import ModelMirrorFoundation

/// Decides whether a response reports success, by the error hooks and the status in the envelope.
extension APIClient.Configuration {
    /// Throws if the envelope of an accepted response reports a failure. A body that is empty or whose root is not an object has
    /// no envelope.
    ///
    /// - Parameter isStatusNeeded: Whether a missing status is a failure.
    func checkEnvelope(of response: Response<Data>, isStatusNeeded: Bool) throws {
        guard let envelope else { return }
        // Only a body that begins as a JSON object, after a byte order mark and whitespace.
        let content = response.value.starts(with: [0xEF, 0xBB, 0xBF]) ? response.value.dropFirst(3) : response.value
        guard content.first(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }) == UInt8(ascii: "{") else { return }
        let mappingError = try mappingErrorOfHook(for: response)
        do throws(ModelError) {
            if mappingError == nil, try envelope.isSuccess(response.value, mappingOptions) { return }
        } catch {
            // If the status may be missing, the body need not even be JSON.
            guard isStatusNeeded else { return }
            guard case .invalidValues = error else { throw error }
            // An unreadable status is a failure. The server's description is more useful than the conversion error.
            let isDescribed = [errorDescriptionKey, errorCodeKey].contains { text(at: $0, of: response.value) != nil }
            guard isDescribed else { throw error }
        }
        var kept = response
        let limit = max(errorBodyLimit, 0)
        if response.value.count > limit { kept.value = Data(response.value.prefix(limit)) }
        var failed = RequestError.FailedResponse(kept, isBodyCut: response.value.count > limit)
        failed.mappingError = mappingError
        throw failure(failed, describedBy: response.value, in: envelope)
    }

    func error(for failed: RequestError.FailedResponse) throws -> any Error {
        var failed = failed
        failed.mappingError = try mappingErrorOfHook(for: failed.response)
        return failure(failed, describedBy: failed.body, in: nil)
    }

    /// Throws the error that the hook makes from a response. If the hook cannot map the body, returns why: alone, that error would
    /// hide the method, the URL, the status and the header fields.
    private func mappingErrorOfHook(for response: Response<Data>) throws -> ModelError? {
        let own: (any Error)?
        do {
            let hook = errorFromResponse ?? classHooks.map { hooks in { try hooks.error(from: $0) } }
            own = try hook?(response)
        } catch let error as ModelError {
            return error
        }
        if let own { throw own }
        return nil
    }

    /// The error of a response that reports a failure: in an envelope, or by its status.
    private func failure(
        _ failed: RequestError.FailedResponse, describedBy body: Data, in envelope: Envelope?
    ) -> any Error {
        let code = text(at: errorCodeKey, of: body)
        let message = text(at: errorDescriptionKey, of: body)
        if envelope == nil, code == nil, message == nil { return RequestError.unacceptableStatus(failed) }
        let hook = errorForCode ?? classHooks.map { hooks in { hooks.error(forCode: $0, message: $1) } }
        return hook?(code, message)
            ?? RequestError.statusFailure(
                .init(message: message, code: code, status: text(at: envelope?.statusKey, of: body), response: failed))
    }

    /// The string at a path, the digits of a number, or `true` or `false`; nil for anything else.
    private func text(at path: JSONPath?, of body: Data) -> String? {
        guard let path, let value = try? JSONMapper.value(JSONValue.self, from: body, at: path) else { return nil }
        return value.string ?? value.number?.description ?? value.bool?.description
    }
}
