import Foundation
public import ModelMirror

extension RequestError.FailedResponse {
    /// Reads a value from the body: a model, a `Decodable` structure, whatever a property may be.
    ///
    /// ```swift
    /// struct Refusal: Error, Decodable { var code: Int; var reason: String }
    /// let refusal = try response.value(Refusal.self, at: "error")
    /// ```
    ///
    /// - Parameters:
    ///   - path: Leads to the value; by default it is the whole body.
    /// - Returns: nil if the body is no JSON (as the pages of gateways are, or a body that is cut), or if the path leads to
    ///   nothing or `null`.
    /// - Throws: `ModelError` if there is something, and it does not fit.
    public func value<Value>(
        _ type: Value.Type = Value.self, at path: JSONPath = .root, options: MappingOptions = .init()
    ) throws(ModelError) -> Value? {
        try body.valueIfPresent(type, at: path, options: options)
    }
}

extension Data {
    /// A value in a body of JSON; nil if there is no JSON, or nothing at the path.
    func valueIfPresent<Found>(
        _ type: Found.Type, at path: JSONPath, options: MappingOptions
    ) throws(ModelError) -> Found? {
        guard let found = try? ValueReading.value(JSONValue.self, from: self, at: path), found != .null else {
            return nil
        }
        return try ValueReading.value(type, from: self, at: path, options: options)
    }
}
