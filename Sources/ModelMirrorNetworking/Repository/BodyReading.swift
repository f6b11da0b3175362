import Foundation
import ModelMirror

/// How the body of a response becomes a value, for one kind of call.
struct BodyReading<Value>: Sendable {
    /// Which of the repository's keys leads to the value.
    enum Key: Sendable {
        case object, objects, none
    }

    /// Which key leads to the value.
    let key: Key
    /// Whether the value is a dictionary or an array, which at the root of a body leaves no room for an envelope.
    var isCollection = false
    /// Makes the value. It shares nothing with what was made before.
    let read: @Sendable (_ body: Data, _ path: JSONPath, _ options: MappingOptions) throws -> sending Value
}

extension BodyReading where Value: AbstractModel {
    /// One object.
    static var object: BodyReading {
        BodyReading(key: .object) { body, path, options in
            try ValueReading.object(Value.self, from: body, at: path, options: options)
        }
    }
}

extension BodyReading {
    /// An array of objects.
    static func objects<Model: AbstractModel>() -> BodyReading where Value == [Model] {
        BodyReading(key: .objects, isCollection: true) { body, path, options in
            try [Model](json: body, at: path, options: options)
        }
    }

    /// Objects by key.
    static func dictionaryOfObjects<Model: AbstractModel>() -> BodyReading where Value == [String: Model] {
        BodyReading(key: .objects, isCollection: true) { body, path, options in
            try [String: Model](json: body, at: path, options: options)
        }
    }

    /// A value of any type that a property may have.
    static var value: BodyReading {
        BodyReading(key: .object) { body, path, options in
            try ValueReading.value(Value.self, from: body, at: path, options: options)
        }
    }
}

extension BodyReading {
    /// Whatever a closure makes of the bytes.
    static func decoded(_ decode: @escaping @Sendable (_ bytes: Data) throws -> sending Value) -> BodyReading {
        BodyReading(key: .object) { body, path, options in
            try decode(try ValueReading.bytes(of: body, at: path, options: options))
        }
    }
}

extension BodyReading where Value == Void {
    /// Nothing; a body must be JSON all the same, for half of one is no success.
    static var success: BodyReading {
        BodyReading(key: .none) { body, _, options in
            if !body.isEmpty { try ValueReading.check(body, options: options) }
        }
    }
}
