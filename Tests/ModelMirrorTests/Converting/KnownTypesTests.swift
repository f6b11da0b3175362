import Foundation
import Testing

@testable import ModelMirror

/// What is known of common types is what the runtime would find.
@Suite("Known types")
struct KnownTypesTests {
    @Test("Common types and classes are recognized as by casts", arguments: KnownTypesTests.types)
    func answers(_ type: Any.Type) {
        #expect(same(KnownTypes.planned(type), type as? any PlannedType.Type))
        #expect(same(KnownTypes.optional(type), type as? any OptionalType.Type))
    }

    private func same(_ one: Any.Type?, _ other: Any.Type?) -> Bool { one == other }

    static let types: [Any.Type] =
        [
            String.self, Int.self, Bool.self, Double.self, Date.self, URL.self, UUID.self, Int64.self, Float.self,
            Decimal.self, Data.self, JSONValue.self, UInt8.self, Character.self, Base.self, Derived.self, Other.self,
            AbstractModel.self, Point.self, Color.self, Any.self, (any Sendable).self, (Int, Int).self,
            [String: Int].self, Set<String>.self, [Derived].self, Derived?.self, [String?].self, [[Int]].self,
            Int??.self,
            Base.Type.self, (() -> Void).self,
        ] + scalars.flatMap { both($0) }

    private static let scalars: [any JSONScalar.Type] = [
        String.self, Int.self, Bool.self, Double.self, Date.self, URL.self, UUID.self, Int64.self, Float.self,
        Decimal.self, Data.self, JSONValue.self, UInt16.self,
    ]

    private static func both<Scalar>(_: Scalar.Type) -> [Any.Type] { [Scalar?.self, [Scalar].self, [Scalar]?.self] }

    @Test("A subclass is planned as itself", arguments: [Base.self, Derived.self])
    func subclass(_ type: Base.Type) {
        #expect(KnownTypes.planned(type) == type)
    }

    @Test("Values of one type agree if they are equal, and NaN agrees with all numbers")
    func agreement() {
        let (none, one): (Int?, Int?) = (nil, 1)
        for (left, right, type, agrees) in [
            ("a", "a", String.self, true), ("a", "b", String.self, false), ("a", 1, String.self, false),
            ([1, 2], [1, 2], [Int].self, true), ([1, 2], [2, 1], [Int].self, false),
            (none as Any, none as Any, Int?.self, true), (none as Any, one as Any, Int?.self, false),
            (Double.nan, 1.0, Double.self, true), (Color.red, Color.red, Color.self, true),
            (Color.red, Color.blue, Color.self, false), (Point(), Point(), Point.self, nil),
        ] as [(Any, Any, Any.Type, Bool?)] {
            #expect(KnownTypes.agree(left, right, as: type) == agrees, "\(left), \(right), \(type)")
        }
    }

    @Test(
        "Strings that are told apart by bytes are equal only if all bytes are",
        arguments: [("é", "e\u{301}"), ("Å", "A\u{30A}"), ("\u{212B}", "Å"), ("a", "b")])
    func keys(_ one: String, _ other: String) {
        #expect(String(distinguishing: one.utf8) == String(distinguishing: one.utf8))
        #expect(String(distinguishing: one.utf8) != String(distinguishing: other.utf8))
    }

    class Base: AbstractModel { var name = "" }
    final class Derived: Base {}
    final class Other {}
    struct Point {}
    enum Color { case red, blue }
}
