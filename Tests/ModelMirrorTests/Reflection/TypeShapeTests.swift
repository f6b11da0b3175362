import Testing

@testable import ModelMirror

@Suite("Unstorable types")
struct TypeShapeTests {
    @Test(
        "Functions, metatypes, (), and Optionals and tuples of them are unstorable",
        arguments: functions + metatypes + others)
    func unstorable(_ type: Any.Type) {
        #expect(TypeShape(type).isUnstorable)
    }

    @Test("Nominal types, existentials and tuples of them are storable", arguments: storableTypes)
    func storable(_ type: Any.Type) {
        #expect(!TypeShape(type).isUnstorable)
    }

    @Test(
        "Messages name types as they are written in source code",
        arguments: [
            (Int.self, "Int"), (Int?.self, "Int?"), (Int??.self, "Int??"), ([Int?].self, "Array<Optional<Int>>"),
            ((() -> Void).self, "() -> ()"), ((() -> Void)?.self, "(() -> ())?"),
            (Any.Type?.self, "Any.Type?"), ((any Drawable)?.self, "Drawable?"),
        ] as [(Any.Type, String)])
    func sourceNames(_ type: Any.Type, _ name: String) {
        #expect(TypeShape.name(type) == name)
    }

    /// Not as arguments: the runtime crashes when it prints these types.
    @Test("Metatypes of constrained existentials are unstorable, and named without the runtime")
    func constrainedMetatypes() {
        let types: [(type: Any.Type, isUnstorable: Bool, name: String)] = [
            ((any Collection<Int>.Type).self, true, "any Protocol<…>.Type"),
            ((any Bounded<Int>.Type)?.self, true, "any Protocol<…>.Type?"),
            (BoundedAndSendable.self, true, "any Protocol<…>.Type"),
            (Of<(Int, any Sequence<Int>.Type)>.type, true, "(any Protocol<…>.Type)"),
            ([any Bounded<Int>.Type].self, false, "[any Protocol<…>.Type]"),
            ([String: [(any Sequence<Int>.Type)?]].self, false, "[[any Protocol<…>.Type?]]"),
            (Node<any Bounded<Int>.Type>.self, false, "…<any Protocol<…>.Type?>"),
            ([Node<(Int, any Sequence<Int>.Type)>].self, false, "[…<(any Protocol<…>.Type)?>]"),
        ]
        for (type, isUnstorable, name) in types {
            #expect(TypeShape(type).isUnstorable == isUnstorable, "\(name)")
            #expect(TypeShape.name(type) == name)
        }
    }
}

// MARK: Types

private let others: [Any.Type] = [
    Void.self, Void?.self, Void??.self, Of<(Int, Void)>.type, Of<(Int, Void?)>.type,
    Of<(Int, () -> Void)>.type, Of<(name: String, action: (() -> Void)?)>.type, Of<(Int, (Int, () -> Void))>.type,
    Of<(Int, () -> Void)?>.type, Of<(Int, Int.Type)>.type, Of<(Any.Type, Int)>.type,
    Of<(Int, (any Drawable.Type)?)>.type,
]

private let functions: [Any.Type] = [
    Of<() -> Void>.type, Of<(() -> Void)?>.type, Of<(() -> Void)??>.type, Of<(Int) -> Int>.type,
    Of<@Sendable () -> Void>.type, Of<(@Sendable () -> Void)?>.type, Of<@MainActor () -> Void>.type,
    Of<@MainActor @Sendable () async throws -> Int>.type, Of<@convention(c) (Int) -> Int>.type,
    Of<@isolated(any) () -> Void>.type, Of<(Int) throws(ModelError) -> Int>.type, Of<() -> Int.Type>.type,
    Of<(isolated (any Actor)?) async -> Void>.type, Of<(inout Int, sending Box<Int>) -> sending Box<Int>>.type,
    Of<(Int) -> (Int) -> Int>.type, Of<(Box<() -> Void>) -> Box<() -> Void>>.type, Of<(`a<b`) -> Void>.type,
    Of<@Sendable (`a<b`) -> Void>.type, Nonsending.self,
]

private let metatypes: [Any.Type] = [
    Int.Type.self, Int.Type?.self, Int.Type.Type.self, Any.Type.self, Any.Type?.self, AnyClass.self,
    (any Drawable).Type.self, (any Drawable.Type).self, (any Drawable & Sendable).Type.self,
    Box<() -> Void>.Type.self, (() -> Void).Type.self, [Int].Type.self, (any Collection<Int>).Type.self,
]

private let storableTypes: [Any.Type] = [
    Int.self, Int?.self, Int??.self, String.self, [Int].self, [String: Int?].self, Never.self, OpaquePointer.self,
    Any.self, Any?.self, AnyObject.self, AnyObject?.self, (any Drawable).self, (any Drawable & Sendable).self,
    (any AnyObject & Drawable).self, (any Collection<Int>).self, (any Bounded<Int>).self,
    (any Bounded<Int> & Sendable).self, Of<any Collection<() -> Void>>.type,
    Of<[() -> Void]>.type, Of<[String: () -> Void]>.type, [Int.Type].self, Of<Box<() -> Void>>.type,
    Box<Int.Type>.self, Of<[4 of () -> Void]>.type, Of<Result<() -> Void, any Error>>.type, Box<Int>.Inner.self,
    Of<Box<() -> Void>.Inner>.type, KeyPath<Box<Int>, Int>.self, Unmanaged<AnyObject>.self,
    Of<(Int, String)>.type, Of<(name: String, age: Int)>.type, Of<(Int, (Int, Int)?)>.type, Of<(Int, TypeCode)>.type,
    Of<(Int, TypeCode.Inner)>.type, Of<(Int, ProtocolVersion)>.type, Of<(Int, Box<() -> Void>)>.type,
    Of<(Int, [Any.Type])>.type, `a->b`.self, `Type`.self, Private.self, LocalTypes.make(),
]

/// Names a type that cannot be followed by `.self`.
private enum Of<Type> {
    static var type: Any.Type { Type.self }
}

private typealias Nonsending = nonisolated(nonsending) () async -> Void

private protocol Drawable {}

private protocol Bounded<Bound>: AnyObject { associatedtype Bound }

private typealias BoundedAndSendable = any (Bounded<Int> & Sendable).Type

private struct Box<Value> {
    struct Inner {}
}

/// Contains itself.
private struct Node<Value> {
    var children: [Node] = []
    var value: Value?
}

private struct Private {}

private enum LocalTypes {
    static func make() -> Any.Type {
        struct Local {}
        return Local.self
    }
}

private struct TypeCode {
    struct Inner {}
}

private struct ProtocolVersion {}

private struct `a->b` {}

private struct `a<b` {}

private struct `Type` {}
