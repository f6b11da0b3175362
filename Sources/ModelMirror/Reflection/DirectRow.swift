#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A common type whose values are moved between the document and their place in an object without a codec in between.
///
/// A protocol, so that the compiler specialises both functions for every scalar: unspecialised they take several times as long.
protocol DirectlyStored: SendableMetatype {
    /// Reads values into a property of this type, or of this type's Optional.
    static func rowRead(at offset: Int, isOptional: Bool) -> PropertyRow.Read
    /// Writes values of a property of this type, or of this type's Optional, `null` for nil.
    static func rowWrite(at offset: Int, isOptional: Bool) -> PropertyRow.Write
}

extension DirectlyStored where Self: JSONScalar {
    static func rowWrite(at offset: Int, isOptional: Bool) -> PropertyRow.Write {
        if isOptional {
            return { object, writer, session in
                if let value = ModelStorage.load(Self?.self, at: offset, of: object) {
                    value.write(&writer, session)
                } else {
                    writer.writeNull()
                }
            }
        }
        return { object, writer, session in
            ModelStorage.load(Self.self, at: offset, of: object).write(&writer, session)
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

/// How a property is read and written. A structure, since closures in a tuple that is Optional are called through thunks.
struct DirectRow {
    let read: PropertyRow.Read
    let write: PropertyRow.Write
}

extension CodecBuilder {
    /// Faster ways to read and write a property, where nothing but its own type decides how.
    func directRow(for type: Any.Type, at offset: Int) -> DirectRow? {
        let optional = type as? any OptionalType.Type
        let inner = optional?.wrappedType ?? type
        guard usesTypeAlone(inner), !(inner is any JSONConvertible.Type), let direct = inner as? any DirectlyStored.Type
        else {
            return nil
        }
        return DirectRow(
            read: direct.rowRead(at: offset, isOptional: optional != nil),
            write: direct.rowWrite(at: offset, isOptional: optional != nil))
    }
}
