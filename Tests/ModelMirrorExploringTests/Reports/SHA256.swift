import Foundation

/// The digest of FIPS 180-4, for the policies of pages.
enum SHA256 {
    // The fractions of the square roots and cube roots of the first primes.
    private static let primes = (2..<312).filter { number in !(2..<number).contains { number % $0 == 0 } }
    private static let roots = primes.prefix(8).map { fraction(Double($0).squareRoot()) }
    private static let constants = primes.prefix(64).map { fraction(cbrt(Double($0))) }

    private static func fraction(_ root: Double) -> UInt32 { UInt32((root - root.rounded(.down)) * 4_294_967_296) }

    private static func rotated(_ word: UInt32, _ places: UInt32) -> UInt32 { word >> places | word << (32 - places) }

    static func base64(_ text: String) -> String {
        var bytes = Array(text.utf8) + [0x80]
        while bytes.count % 64 != 56 { bytes.append(0) }
        bytes += (0..<8).reversed().map { UInt8(truncatingIfNeeded: (text.utf8.count * 8) >> ($0 * 8)) }
        var digest = roots
        for block in stride(from: 0, to: bytes.count, by: 64) {
            var words = stride(from: block, to: block + 64, by: 4).map {
                bytes[$0..<$0 + 4].reduce(0 as UInt32) { $0 << 8 | UInt32($1) }
            }
            for index in 16..<64 {
                let (old, new) = (words[index - 15], words[index - 2])
                let first = rotated(old, 7) ^ rotated(old, 18) ^ old >> 3
                let second = rotated(new, 17) ^ rotated(new, 19) ^ new >> 10
                words.append(words[index - 16] &+ first &+ words[index - 7] &+ second)
            }
            var state = digest
            for index in 0..<64 {
                let (a, e) = (state[0], state[4])
                let sum = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)
                let choice = e & state[5] ^ ~e & state[6]
                let first = state[7] &+ sum &+ choice &+ constants[index] &+ words[index]
                let majority = a & state[1] ^ a & state[2] ^ state[1] & state[2]
                let second = (rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) &+ majority
                state = [first &+ second, a, state[1], state[2], state[3] &+ first, e, state[5], state[6]]
            }
            digest = zip(digest, state).map { $0 &+ $1 }
        }
        return Data(digest.flatMap { word in [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: word >> $0) } })
            .base64EncodedString()
    }
}
