import SwiftShims

/// One stored property as the Swift runtime describes it.
struct RuntimeField {
    let name: String
    /// The declared type; `Void` where the runtime cannot resolve it.
    let type: Any.Type
    /// Bytes from the object's address to the property.
    var offset: Int
    let isVar: Bool
    /// Whether the property is neither `weak` nor `unowned`.
    let isStrong: Bool
}

/// The stored properties of a class, inherited ones first, from the functions that `Mirror` itself calls.
///
/// The standard library of every platform exports them, and they are declared here with exactly its types (`SwiftShims` has the
/// structure). Beyond these, only the extents and the superclass of a class are read, through functions of the standard library. No
/// metadata words or mangled names are read: reading those broke other mappers with every other Swift release.
enum RuntimeFields {
    /// The fields of a class, or the elements of a tuple; nil if its reflection metadata was stripped, or its names.
    static func of(_ type: Any.Type) -> [RuntimeField]? {
        var fields: [RuntimeField] = []
        for index in 0..<recursiveCount(type) {
            var metadata = _FieldReflectionMetadata()
            let fieldType = recursiveChildMetadata(type, index: index, fieldMetadata: &metadata)
            // The runtime owns the name; the function that comes with it frees it.
            defer { metadata.freeFunc?(metadata.name) }
            guard let name = metadata.name else { return nil }
            fields.append(
                RuntimeField(
                    name: String(cString: name), type: fieldType, offset: recursiveChildOffset(type, index: index),
                    isVar: metadata.isVar, isStrong: metadata.isStrong))
        }
        return fields
    }

    /// The number of the fields of a class, inherited ones included; 0 if its reflection metadata was stripped.
    static func count(_ type: Any.Type) -> Int { recursiveCount(type) }

    /// The kinds of types that are treated apart, by their numbers in the runtime's ABI.
    enum Kind: UInt {
        case structure = 0x200
        case tuple = 0x301
        case function = 0x302
        case existential = 0x303
        case metatype = 0x304
        case existentialMetatype = 0x306
        /// A constrained existential, such as `any ~Copyable`, or its metatype.
        case extendedExistential = 0x307
    }

    static func kind(of type: Any.Type) -> Kind? { Kind(rawValue: metadataKind(type)) }

    /// The size of a class's objects in bytes: 16, that of the header, if no stored property takes up space.
    ///
    /// From the function by which the standard library's `ManagedBuffer` places its elements. The size distinguishes a class
    /// without properties from one whose metadata was stripped: see `Docs/Decisions/0011-classes-without-properties.md`.
    static func instanceSize(of type: AnyClass) -> Int { Int(instanceExtents(type).positive) }
}

@_silgen_name("_swift_getSwiftClassInstanceExtents")
private func instanceExtents(_: AnyClass) -> (negative: UInt, positive: UInt)

@_silgen_name("swift_getMetadataKind")
private func metadataKind(_: Any.Type) -> UInt

@_silgen_name("swift_reflectionMirror_recursiveCount")
private func recursiveCount(_: Any.Type) -> Int

@_silgen_name("swift_reflectionMirror_recursiveChildOffset")
private func recursiveChildOffset(_: Any.Type, index: Int) -> Int

@_silgen_name("swift_reflectionMirror_recursiveChildMetadata")
private func recursiveChildMetadata(
    _: Any.Type, index: Int, fieldMetadata: UnsafeMutablePointer<_FieldReflectionMetadata>
) -> Any.Type
