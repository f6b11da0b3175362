import Foundation
import ModelMirror

/// Reads what stands around the objects: the status, and what is said of an error.
struct Envelope<Status: Equatable & Sendable> {
    private let configuration: AbstractRepository<Status>.Configuration
    private let repository: AbstractRepository<Status>.Type

    init(_ configuration: AbstractRepository<Status>.Configuration, _ repository: AbstractRepository<Status>.Type) {
        self.configuration = configuration
        self.repository = repository
    }

    /// Throws if the status in the body is not the one of success. A body that is empty has none.
    ///
    /// - Parameter isNeeded: Whether a status must be there.
    func check(_ answer: Exchange<Status>.Answer, isNeeded: Bool) throws {
        guard let key = configuration.statusKey, let success = configuration.statusOk, !answer.body.isEmpty else {
            return
        }
        let body = answer.body
        do throws(ModelError) {
            let status = try ValueReading.value(
                Status.self, from: body, at: key, options: configuration.mappingOptions)
            if status == success { return }
        } catch {
            guard case .invalidValues = error else { throw error }
            guard isNeeded else { return }
            // A status that cannot be read is not the good one. What the server says of it is worth more than its type.
            guard
                text(at: configuration.errorDescriptionKey, of: body) != nil
                    || text(at: configuration.errorCodeKey, of: body) != nil
            else { throw error }
        }
        throw try failure(answer)
    }

    /// The error for a response whose HTTP status is not accepted.
    func error(for response: RequestError.FailedResponse) throws -> any Error {
        if let own = try repository.error(from: response) { return own }
        let message = text(at: configuration.errorDescriptionKey, of: response.body)
        let code = text(at: configuration.errorCodeKey, of: response.body)
        guard message != nil || code != nil else { return RequestError.unacceptableStatus(response) }
        return repository.error(forCode: code, message: message)
            ?? RequestError.statusFailure(.init(message: message, code: code, status: nil, response: response))
    }

    /// The error for a response whose envelope says that the request failed.
    private func failure(_ answer: Exchange<Status>.Answer) throws -> any Error {
        let body = answer.body
        let response = answer.refused(keeping: max(configuration.errorBodyLimit, 0))
        if let own = try repository.error(from: response) { return own }
        let message = text(at: configuration.errorDescriptionKey, of: body)
        let code = text(at: configuration.errorCodeKey, of: body)
        let status = text(at: configuration.statusKey, of: body)
        return repository.error(forCode: code, message: message)
            ?? RequestError.statusFailure(.init(message: message, code: code, status: status, response: response))
    }

    /// The text at a path, a number as its digits; nil if there is neither, or no JSON.
    private func text(at path: JSONPath?, of body: Data) -> String? {
        guard let path, let value = try? ValueReading.value(JSONValue.self, from: body, at: path) else { return nil }
        return switch value {
        case .string(let text): text
        case .number(let number): number.description
        case .bool(let flag): "\(flag)"
        case .null, .array, .object: nil
        }
    }
}
