public import ModelMirror

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension RequestError.FailedResponse {
    /// Reads a value from the body: a model, a `Decodable`, or any type a property may have.
    ///
    /// ```swift
    /// struct Refusal: Error, Decodable { var code: Int; var reason: String }
    /// let refusal = try failed.value(Refusal.self, at: "error")
    /// ```
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - path: The path of the value; defaults to the whole body.
    ///   - options: How the value is mapped.
    /// - Returns: nil if the body is not JSON (a gateway's error page, a truncated body), or the path leads to nothing or `null`.
    /// - Throws: `ModelError` if the value does not fit the type.
    public func value<Value>(
        _ type: Value.Type = Value.self, at path: JSONPath = .root, options: MappingOptions = .init()
    ) throws(ModelError) -> Value? {
        try body.valueIfPresent(type, at: path, options: options)
    }
}

extension Data {
    /// A value in a JSON body; nil if the body is not JSON, or the path leads to nothing or `null`.
    func valueIfPresent<Found>(
        _ type: Found.Type, at path: JSONPath, options: MappingOptions
    ) throws(ModelError) -> Found? {
        guard let found = try? JSONMapper.value(JSONValue.self, from: self, at: path), found != .null else {
            return nil
        }
        return try JSONMapper.value(type, from: self, at: path, options: options)
    }
}
