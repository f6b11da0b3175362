/// The UTF-8 of a text as a slice of a longer array: its indices do not begin at 0, and code that reads out of its bounds
/// sees digits and a `Z`, not the end.
func slice(_ text: String) -> ArraySlice<UInt8> {
    let bytes = Array("123456789".utf8) + Array(text.utf8) + Array("0Z+".utf8)
    return bytes[9..<(9 + text.utf8.count)]
}

/// A random number generator with the same sequence in every run (SplitMix64), so that failures are reproducible.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
