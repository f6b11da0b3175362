extension Unicode.Scalar {
    /// The columns that a terminal takes for the scalar: 0, 1 or 2, after Unicode's East Asian Width (UAX 11).
    var displayWidth: Int {
        if value < 0x300 { return 1 }
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: break
        }
        switch value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
            0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F680...0x1F6FF, 0x1F900...0x1FAFF,
            0x20000...0x3FFFD:
            return 2
        default: return 1
        }
    }
}

extension String {
    /// The columns that a terminal takes for the text, which has no line breaks or tabs.
    var displayWidth: Int { unicodeScalars.reduce(0) { $0 + $1.displayWidth } }
}
