import ModelMirrorFoundation
#if canImport(SwiftUI)
import SwiftUI
#endif
#if canImport(UIKit)
import UIKit
#elseif canImport(AppKit)
import AppKit
#endif

/// Types that only some platforms have, each with a counterpart on all: `URL` for `NSURL`, ``RGBAColor`` for `UIColor`.
///
/// They are read and written by the rules of their counterpart. `NSURL`, `NSDate` and `NSDecimalNumber` are supported where the
/// library is built with all of Foundation, which is not the case on Linux.
enum PlatformType {
    /// The plan for a type, erased; nil if it is none of these.
    static func plan(for type: Any.Type, _ rules: TableRules) -> Any? {
        #if !canImport(FoundationEssentials)
        if type == NSURL.self { return URL.plan.bridged(to: { $0 as NSURL }, from: { $0 as URL }) }
        if type == NSDate.self {
            return (rules.dates?.plan ?? Date.plan).bridged(to: { $0 as NSDate }, from: { $0 as Date })
        }
        if type == NSDecimalNumber.self {
            return Decimal.plan.bridged(to: { NSDecimalNumber(decimal: $0) }, from: { $0.decimalValue })
        }
        #endif
        #if canImport(UIKit)
        if type == UIColor.self {
            return RGBAColor.plan.bridged(
                to: { UIColor(red: $0.red, green: $0.green, blue: $0.blue, alpha: $0.alpha) },
                from: { color in
                    var (red, green, blue, alpha): (CGFloat, CGFloat, CGFloat, CGFloat) = (0, 0, 0, 0)
                    guard color.getRed(&red, green: &green, blue: &blue, alpha: &alpha) else { return nil }
                    return RGBAColor(red: red, green: green, blue: blue, alpha: alpha)
                })
        }
        #elseif canImport(AppKit)
        if type == NSColor.self {
            return RGBAColor.plan.bridged(
                to: { NSColor(srgbRed: $0.red, green: $0.green, blue: $0.blue, alpha: $0.alpha) },
                from: { color in
                    color.usingColorSpace(.sRGB).map {
                        RGBAColor(
                            red: $0.redComponent, green: $0.greenComponent, blue: $0.blueComponent,
                            alpha: $0.alphaComponent)
                    }
                })
        }
        #endif
        #if canImport(SwiftUI)
        if type == SwiftUI.Color.self {
            return RGBAColor.plan.bridged(
                to: { SwiftUI.Color(.sRGB, red: $0.red, green: $0.green, blue: $0.blue, opacity: $0.alpha) },
                from: { color in
                    let shown = color.resolve(in: EnvironmentValues())
                    return RGBAColor(
                        red: Double(shown.red), green: Double(shown.green), blue: Double(shown.blue),
                        alpha: Double(shown.opacity))
                })
        }
        #endif
        return nil
    }
}

extension TypePlan {
    /// A plan for a type that is converted from and to this plan's values.
    ///
    /// - Parameters:
    ///   - own: What is expected of a value; nil for the same as by this plan.
    ///   - range: What is expected where a value has no counterpart; nil for the same as elsewhere.
    ///   - unknown: Returns what stands for a value without a counterpart; nil if it does not fit.
    ///   - to: Returns the counterpart of a value; nil if it does not fit.
    ///   - from: Returns the counterpart of a value; nil if there is none, as for a color that is a pattern.
    func bridged<Other>(
        expected own: Expectation? = nil, range: Expectation? = nil, unknown: ((Value) -> Other?)? = nil,
        to: @escaping (Value) -> Other?, from: @escaping (Other) -> Value?
    ) -> TypePlan<Other> {
        let expected = own ?? expected
        var plan = TypePlan<Other>(
            expected: expected, acceptsNull: acceptsNull, held: held.map { _ in Any.self },
            read: { reader, session, store throws(Interruption) in
                let (offset, notes) = (reader.offset, session.notes.count)
                var (fits, isKnown) = (true, true)
                let isRead = try read(&reader, session) {
                    if let other = to($0) { return store(other) }
                    isKnown = false
                    if let other = unknown?($0) { store(other) } else { fits = false }
                }
                if !isRead || isKnown { return isRead }
                // The report need not contain the coercion of a value without a counterpart.
                session.dropNotes(to: notes)
                if fits { session.coerced(at: offset, range ?? expected) }
                return fits || session.refused(at: offset, range ?? expected)
            },
            write: { value, writer, session in
                guard let plain = from(value) else {
                    return session.refuse(&writer, expected: expected, found: FoundValue.text(value))
                }
                write(plain, &writer, session)
            },
            isEqual: { left, right in
                guard let left = from(left), let right = from(right) else { return false }
                return areEqual(left, right)
            }, schema: schema)
        if copy != nil {
            plan.copy = { value throws(ModelError) in
                guard let plain = from(value) else { return value }
                return to(try copied(plain)) ?? value
            }
        }
        return plan
    }
}
