import Foundation
import Testing

@testable import ModelMirror

@Suite struct Base64Tests {
    @Test(arguments: [
        // RFC 4648 section 10.
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
        ("foobar", "Zm9vYmFy"),
    ])
    func `The examples of RFC 4648 are encoded, and decoded with and without padding`(text: String, base64: String) {
        #expect(Base64.encode(Array(text.utf8)) == base64)
        #expect(Base64.decode(slice(base64)) == Data(text.utf8))
        #expect(Base64.decode(slice(base64.filter { $0 != "=" })) == Data(text.utf8))
        #expect(Array(base64.utf8).withUnsafeBufferPointer { Base64.decode($0) } == Data(text.utf8))
    }

    @Test func `Base64 decodes both alphabets and encodes with the standard one`() {
        #expect(Base64.decode(slice("+/+/")) == Data([0xFB, 0xFF, 0xBF]))
        #expect(Base64.decode(slice("-_-_")) == Data([0xFB, 0xFF, 0xBF]))
        #expect(Base64.decode(slice("-w")) == Data([0xFB]))
        #expect(Base64.encode([0xFB, 0xFF, 0xBF]) == "+/+/")
    }

    @Test(arguments: [
        "Z", "Zg=", "Zg===", "Zg====", "Z===", "=", "==", "====", "Zm8==", "Zm9v=", "Zm9v==", "Zm9v====", "Zg==Zg==",
        "Zg=g",
        "=Zg=", "Zm9vY", "Zm9vYg=", "Zh==", "Zh", "Zm9=", "Zm9", "Zm9vYh", "Zm9v\n", "Zm 9v", " Zm9v", "Zm9v ",
        "Zm9.", "Zm.", "Zm.=", "Z.8=", ".m8=", "Z.==", ".g==", "+_8=", "Zm9,", "Zmév", "+_+_", "-/AA", "Zm8=\n",
        "Z\u{0}9v", "Zm9vZ\u{7F}==",
    ])
    func `Malformed Base64 is rejected`(text: String) {
        #expect(Base64.decode(slice(text)) == nil)
    }

    @Test func `Bytes outside both Base64 alphabets are rejected at every position`() {
        let alphabet = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_".utf8)
        for byte in UInt8.min...UInt8.max {
            for index in 0..<4 {
                var text = Array("AAAA".utf8)
                text[index] = byte
                // An = at the end is padding.
                let isRead = alphabet.contains(byte)
                if byte != UInt8(ascii: "=") { #expect((Base64.decode(text) != nil) == isRead, "\(byte) at \(index)") }
            }
        }
    }

    @Test func `Random bytes are encoded as by Foundation and decode to the same bytes`() {
        var generator = SeededGenerator(seed: 7)
        for count in 0...200 {
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
            let text = Base64.encode(bytes)
            #expect(text == Data(bytes).base64EncodedString())
            #expect(Base64.decode(slice(text)) == Data(bytes))
            let forURL = String(text.map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 }.filter { $0 != "=" })
            #expect(Base64.decode(slice(forURL)) == Data(bytes))
        }
    }
}
