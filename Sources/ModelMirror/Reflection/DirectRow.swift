#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A common type whose values are moved between the document and their place in an object without a plan.
///
/// A protocol, so that the compiler specialises the functions for every scalar: unspecialised, they take several times as long.
protocol DirectlyStored: SendableMetatype {
    /// Reads values into a property of this type, or of this type's Optional.
    static func rowRead(at offset: Int, isOptional: Bool) -> PropertyRow.Read
    /// Writes values of a property of this type, or of this type's Optional.
    static func rowWrite(at offset: Int, isOptional: Bool) -> PropertyRow.Write
    /// Stores nil in a property of this type's Optional.
    static func nilStore(at offset: Int) -> PropertyRow.NilStore
    /// Reads values into a property that is an array of this type, or the array's Optional.
    static func arrayRowRead(at offset: Int, isOptional: Bool) -> PropertyRow.Read
}

extension DirectlyStored where Self: JSONScalar {
    static func rowWrite(at offset: Int, isOptional: Bool) -> PropertyRow.Write {
        if isOptional {
            return { object, writer, session in
                guard let value = ModelStorage.load(Self?.self, at: offset, of: object) else {
                    writer.writeNull()
                    return false
                }
                value.write(&writer, session)
                return true
            }
        }
        return { object, writer, session in
            ModelStorage.load(Self.self, at: offset, of: object).write(&writer, session)
            return true
        }
    }

    static func rowRead(at offset: Int, isOptional: Bool) -> PropertyRow.Read {
        if isOptional {
            return { reader, session, object throws(Interruption) in
                guard let value = try read(&reader, session) else { return false }
                ModelStorage.store(Optional(value), at: offset, of: object)
                return true
            }
        }
        return { reader, session, object throws(Interruption) in
            guard let value = try read(&reader, session) else { return false }
            ModelStorage.store(value, at: offset, of: object)
            return true
        }
    }
}

extension DirectlyStored where Self: JSONScalar {
    static func nilStore(at offset: Int) -> PropertyRow.NilStore {
        { ModelStorage.store(Self?.none, at: offset, of: $0) }
    }

    static func arrayRowRead(at offset: Int, isOptional: Bool) -> PropertyRow.Read {
        if isOptional {
            return { reader, session, object throws(Interruption) in
                guard let values = try readArray(&reader, session) else { return false }
                ModelStorage.store(Optional(values), at: offset, of: object)
                return true
            }
        }
        return { reader, session, object throws(Interruption) in
            guard let values = try readArray(&reader, session) else { return false }
            ModelStorage.store(values, at: offset, of: object)
            return true
        }
    }
}

extension String: DirectlyStored {}
extension Bool: DirectlyStored {}
extension Double: DirectlyStored {}
extension Float: DirectlyStored {}
extension Decimal: DirectlyStored {}
extension Int: DirectlyStored {}
extension Int32: DirectlyStored {}
extension Int64: DirectlyStored {}
extension UInt: DirectlyStored {}
extension UInt32: DirectlyStored {}
extension UInt64: DirectlyStored {}
extension Date: DirectlyStored {}
extension URL: DirectlyStored {}
extension UUID: DirectlyStored {}
extension Data: DirectlyStored {}
extension JSONValue: DirectlyStored {}

/// How a property is read, and perhaps written and set to nil, without a plan. (Not Optional closures, which are called through
/// thunks.)
enum DirectRow {
    case value(PropertyRow.Read, PropertyRow.Write)
    case optional(PropertyRow.Read, PropertyRow.Write, PropertyRow.NilStore)
    case array(PropertyRow.Read)
}

extension PlanBuilder {
    /// Faster ways to read and write a property, if its type alone decides how; else nil.
    func directRow(for type: Any.Type, at offset: Int) -> DirectRow? {
        let optional = type as? any OptionalType.Type
        let inner = optional?.wrappedType ?? type
        guard usesTypeAlone(inner), !(inner is any JSONConvertible.Type) else { return nil }
        if let direct = inner as? any DirectlyStored.Type {
            let isOptional = optional != nil
            let read = direct.rowRead(at: offset, isOptional: isOptional)
            let write = direct.rowWrite(at: offset, isOptional: isOptional)
            return isOptional ? .optional(read, write, direct.nilStore(at: offset)) : .value(read, write)
        }
        guard let element = (inner as? any ContainerType.Type)?.arrayElement, usesTypeAlone(element),
            !(element is any JSONConvertible.Type), let direct = element as? any DirectlyStored.Type
        else { return nil }
        return .array(direct.arrayRowRead(at: offset, isOptional: optional != nil))
    }
}
