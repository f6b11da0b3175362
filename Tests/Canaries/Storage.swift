// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Foundation
public import ModelMirror

/// A value between two properties, which no mapping may change.
public struct Canary: Equatable, Sendable {
    public var left: UInt64 = 0xC0FF_EE00_DEAD_BEEF
    public var right: UInt8 = 0xA5
    public init() {}
}

public enum Level: String, CaseIterable { case low, high }
public enum Number: Int8 { case minusOne = -1, seven = 7 }
public struct Bytes3: Codable, Equatable { public var a: UInt8 = 1; public var b: UInt8 = 2; public var c: UInt8 = 3 }
public struct Large: Codable, Equatable {
    public var texts = ["a", "b", "c", "d"]; public var number = 1.5; public var name: String?
}
public struct Nothing: Codable, Equatable {}
public enum Payload: Codable, Equatable { case text(String), number(Int64), none }
public protocol Marked {}
public final class Reference { public init() {} }

@propertyWrapper public struct Wrapped<Value> {
    public var wrappedValue: Value
    var tail: UInt8 = 0x5A
    public init(wrappedValue: Value) { self.wrappedValue = wrappedValue }
}

/// The stored properties of a superclass.
open class Front: AbstractModel {
    public var c00 = Canary()
    public var flag = false
    public var c01 = Canary()
    public var optionalFlag: Bool?
    public var c02 = Canary()
    private var hidden = "hidden"
    public var c03 = Canary()
    public var int8: Int8 = 1
    public var c04 = Canary()
    public var uint8: UInt8 = 1
    public var int16: Int16?
    public var c05 = Canary()
    public var uint16: UInt16 = 1
    public var int32: Int32 = 1
    public var c06 = Canary()
    public var uint32: UInt32?
    public var c07 = Canary()
    public var int64: Int64 = 1
    public var optionalInt: Int?
    public var c08 = Canary()
    public var uint: UInt = 1
    public var int128: Int128 = 1
    public var c09 = Canary()
    public var uint128: UInt128?
    public var c10 = Canary()
    public var ignoredClosure: (@Sendable () -> Int) = { 7 }
    public var c11 = Canary()

    open override class var ignoredProperties: Set<String> { canaries(0...11).union(["ignoredClosure"]) }
    /// The names of the canaries of a level.
    static func canaries(_ numbers: ClosedRange<Int>) -> Set<String> {
        Set(numbers.map { $0 < 10 ? "c0\($0)" : "c\($0)" })
    }
    public var hiddenText: String { hidden }
}

/// Every kind of storage, with a canary after each.
open class Storage: Front {
    public var float: Float = 1
    public var c12 = Canary()
    public var double: Double?
    public var c13 = Canary()
    public var decimal = Decimal(1)
    public var c14 = Canary()
    public var text = "a text that is longer than fifteen bytes"
    public var c15 = Canary()
    public var optionalText: String?
    public var c16 = Canary()
    public var slice: Substring = "slice"
    public var c17 = Canary()
    public var character: Character = "a"
    public var c18 = Canary()
    public var optionalCharacter: Character?
    public var c19 = Canary()
    public var date: Date?
    public var c20 = Canary()
    public var url: URL!
    public var c21 = Canary()
    public var uuid: UUID?
    public var c22 = Canary()
    public var data = Data()
    public var c23 = Canary()
    public var level = Level.low
    public var c24 = Canary()
    public var optionalLevel: Level?
    public var number: Number? = .seven
    public var c25 = Canary()
    public var bytes = Bytes3()
    public var c26 = Canary()
    public var optionalBytes: Bytes3?
    public var c27 = Canary()
    public var large: Large?
    public var c28 = Canary()
    public var nothing = Nothing()
    public var c29 = Canary()
    public var optionalNothing: Nothing?
    public var c30 = Canary()
    public var payload = Payload.none
    public var c31 = Canary()
    public var json: JSONValue = nil
    public var c32 = Canary()
    public var optionalJSON: JSONValue?
    public var c33 = Canary()
    public var color: RGBAColor?
    public var c34 = Canary()
    public var ints: [Int] = []
    public var c35 = Canary()
    public var rows: [[Double]]?
    public var c36 = Canary()
    public var texts: Set<String> = []
    public var c37 = Canary()
    public var table: [String: Int] = [:]
    public var c38 = Canary()
    public var numbers: [Int: [Bool]]?
    public var c39 = Canary()
    public var maybes: [Int?] = []
    public var c40 = Canary()
    public var child: Storage?
    public var c41 = Canary()
    public var children: [Storage] = []
    public var c42 = Canary()
    public var byName: [String: Storage]?
    public var c43 = Canary()
    public var double2: Int?? = nil
    public var c44 = Canary()
    @Wrapped public var wrapped = 5
    public var c45 = Canary()
    public var any: Any?
    public var c46 = Canary()
    public var type: Any.Type = Int.self
    public var c47 = Canary()
    public var pair = (1, "b")
    public var c48 = Canary()
    public var marked: (any Marked)?
    public var c49 = Canary()
    public var object: AnyObject? = Reference()
    public var c50 = Canary()
    public weak var weakObject: Reference?
    public var c51 = Canary()
    public unowned(unsafe) var unsafeObject: Reference = shared
    public var c52 = Canary()
    public lazy var lazyText = "lazy"
    public var c53 = Canary()
    public let constant = 11
    public var c54 = Canary()
    public var pointer: UnsafeRawPointer?
    public var c55 = Canary()
    public static nonisolated(unsafe) let shared = Reference()

    open override class var ignoredProperties: Set<String> {
        super.ignoredProperties.union(canaries(12...55)).union([
            "type", "pair", "marked", "object", "pointer", "constant",
        ])
    }
}

/// A level with a type parameter.
open class Generic<Value>: Storage {
    public var value: Value?
    public var c56 = Canary()
    public var values: [Value] = []
    public var c57 = Canary()
    public var last: UInt8 = 3
    public var c58 = Canary()

    open override class var ignoredProperties: Set<String> { super.ignoredProperties.union(canaries(56...58)) }
}
