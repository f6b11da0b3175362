#if os(Linux)
import Foundation
import Testing

@testable import ModelMirrorNetworking

struct ContentDecoderTests {
    private func decoder(_ coding: String) throws -> ContentDecoder? {
        ContentDecoder(coding, try #require(CurlLibrary.shared?.inflating))
    }

    /// A megabyte of NUL in about a kilobyte is decoded piece by piece, on demand.
    @Test func expandsAtTheReadersPace() throws {
        let decoder = try #require(try decoder("gzip"))
        #expect(try decoder.next() == nil)
        decoder.add(try #require(Data(base64Encoded: megabyte)))
        var pieces: [Data] = []
        while let piece = try decoder.next() { pieces.append(piece) }
        #expect(pieces.count == 16)
        #expect(pieces.allSatisfy { $0 == Data(count: 1 << 16) })
        #expect(decoder.isWhole)
    }

    @Test(arguments: ["gzip", "deflate"])
    func decodesByteByByte(_ coding: String) throws {
        let decoder = try #require(try decoder(coding))
        let bytes = try #require(Data(base64Encoded: coding == "gzip" ? small : smallDeflate))
        var text = Data()
        for byte in bytes {
            #expect(!decoder.isWhole || text.isEmpty)
            decoder.add(Data([byte]))
            while let piece = try decoder.next() { text.append(piece) }
        }
        #expect(text == Data("to and fro".utf8))
        #expect(decoder.isWhole)
        // Padding.
        decoder.add(Data([0, 0]))
        #expect(try decoder.next() == nil)
        #expect(decoder.isWhole)
    }

    /// A chunk may end anywhere in a member, also after the first byte of its mark.
    @Test func decodesSeveralMembersByteByByte() throws {
        let decoder = try #require(try decoder("gzip"))
        let member = try #require(Data(base64Encoded: small))
        var text = Data()
        for byte in member + emptyMember + member + [0x1F] {
            decoder.add(Data([byte]))
            while let piece = try decoder.next() { text.append(piece) }
        }
        #expect(text == Data("to and froto and fro".utf8))
        #expect(decoder.isWhole)
    }

    /// A member takes neither a stack frame nor a copy of the remaining bytes.
    @Test func takesAnyNumberOfEmptyMembers() throws {
        let decoder = try #require(try decoder("gzip"))
        let empty = Data(repeatElement(emptyMember, count: 100_000).joined())
        decoder.add(empty + (try #require(Data(base64Encoded: small))))
        #expect(try decoder.next() == Data("to and fro".utf8))
        #expect(try decoder.next() == nil)
        #expect(decoder.isWhole)
    }

    @Test func rejectsUnknownCodings() throws {
        #expect(try decoder("br") == nil)
        #expect(try decoder("") == nil)
    }
}

private let megabyte = """
    H4sIAAAAAAACA+3BMQEAAADCoPVPbQhfoAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\
    AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\
    AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\
    AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\
    AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\
    AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\
    AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\
    AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\
    AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\
    AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\
    AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\
    AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\
    AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\
    AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAPgMc6jinAAAQ\
    AA==
    """
/// The output of `gzip` for empty input.
private let emptyMember: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 3, 0, 0, 0, 0, 0, 0, 0, 0, 0]
private let small = "H4sIAAAAAAACAyvJV0jMS1FIK8oHAFDmZTkKAAAA"
private let smallDeflate = "eJwryVdIzEtRSCvKBwATrQOe"
#endif
