/// A color with red, green, blue and alpha, the same on every platform. A property of this type reads the hex notation of
/// the web.
///
/// ```swift
/// class Label: AbstractModel {
///     var color = RGBAColor(red: 0, green: 0, blue: 0)
/// }
/// try Label(json: ##"{"color": "#FF8000"}"##).color  // red 1, green 0.50196…, blue 0, alpha 1
/// ```
///
/// The components are sRGB and not premultiplied by alpha. Hex notation has eight bits per component: a color read from it is
/// written unchanged, any other is rounded.
public struct RGBAColor: Hashable, Sendable {
    /// 0...1.
    public let red: Double
    /// 0...1.
    public let green: Double
    /// 0...1.
    public let blue: Double
    /// 0...1: 0 is invisible, 1 is opaque.
    public let alpha: Double

    /// A color from its components. Values are clamped to 0...1; NaN becomes 0.
    public init(red: Double, green: Double, blue: Double, alpha: Double = 1) {
        self.red = Self.clamped(red)
        self.green = Self.clamped(green)
        self.blue = Self.clamped(blue)
        self.alpha = Self.clamped(alpha)
    }

    /// A color from `#RGB`, `#RGBA`, `#RRGGBB` or `#RRGGBBAA`, as in CSS Color 4 section 5.2; a single digit counts
    /// twice.
    ///
    /// ```swift
    /// RGBAColor(hex: " f80 ")     // red 1, green 0.53333…, blue 0
    /// RGBAColor(hex: "#FF000080") // red, half transparent
    /// RGBAColor(hex: "0xFFFF")    // nil
    /// ```
    ///
    /// The `#` is optional, digits may be in any case, and surrounding ASCII white space is ignored.
    ///
    /// - Returns: `nil` for any other text.
    public init?(hex: String) { self.init(bytes: Array(hex.utf8)) }

    /// A color from `#ARGB` or `#AARRGGBB`, the alpha first as on Android; without alpha, `#RGB` or `#RRGGBB`. The `#`, case and
    /// white space are handled as in ``init(hex:)``.
    ///
    /// ```swift
    /// RGBAColor(argbHex: "#80FF0000") // red, half transparent
    /// ```
    ///
    /// - Returns: `nil` for any other text.
    public init?(argbHex: String) { self.init(bytes: Array(argbHex.utf8), isAlphaFirst: true) }

    /// `#RRGGBB`, or `#RRGGBBAA` if the color is not opaque, in upper case, readable by ``init(hex:)``.
    ///
    /// Each component is rounded to eight bits. An alpha that rounds to `FF` counts as opaque.
    public var hex: String { Self.text(of: colorBytes + alphaBytes) }

    /// `#RRGGBB`, or `#AARRGGBB` if the color is not opaque, in upper case, readable by ``init(argbHex:)``.
    ///
    /// Each component is rounded to eight bits. An alpha that rounds to `FF` counts as opaque.
    public var argbHex: String { Self.text(of: alphaBytes + colorBytes) }

    private var colorBytes: [UInt8] { [Self.byte(red), Self.byte(green), Self.byte(blue)] }
    private var alphaBytes: [UInt8] { [Self.byte(alpha)].filter { $0 < 255 } }

    /// The comparison is false for NaN; the result is never -0.
    private static func clamped(_ component: Double) -> Double { component > 0 ? min(component, 1) : 0 }

    private static func byte(_ component: Double) -> UInt8 { UInt8((component * 255).rounded()) }

    private static func text(of bytes: [UInt8]) -> String { "#" + Hexadecimal.encode(bytes).uppercased() }
}

/// Reads hex notation from UTF-8, for the mapper.
extension RGBAColor {
    /// - Parameter isAlphaFirst: Whether the alpha comes first; a missing one is 255.
    init?(bytes: some ByteString, isAlphaFirst: Bool = false) {
        var digits = bytes.drop(while: Self.isWhitespace)
        while digits.last.map(Self.isWhitespace) == true { digits.removeLast() }
        if digits.first == UInt8(ascii: "#") { digits.removeFirst() }
        guard [3, 4, 6, 8].contains(digits.count) else { return nil }
        // Red, green, blue and alpha from the highest byte to the lowest; the single digits of short forms are added twice.
        var bits: UInt32 = 0
        for digit in digits {
            guard let value = Hexadecimal.value(ofDigit: digit) else { return nil }
            bits = bits << 4 | UInt32(value)
            if digits.count <= 4 { bits = bits << 4 | UInt32(value) }
        }
        if digits.count % 3 == 0 {
            bits = bits << 8 | 0xFF
        } else if isAlphaFirst {
            bits = bits << 8 | bits >> 24
        }
        func component(_ shift: UInt32) -> Double { Double(bits >> shift & 0xFF) / 255 }
        self.init(red: component(24), green: component(16), blue: component(8), alpha: component(0))
    }

    /// Space, tab, and the line and page breaks.
    private static func isWhitespace(_ byte: UInt8) -> Bool { byte == 0x20 || 0x09...0x0D ~= byte }
}
