import ModelMirrorFoundation

/// Parses X.509 certificates where Apple's Security framework cannot: reads the certificates of a PEM file, and hashes a public key
/// for pinning. Compiled on every platform, so that it is tested on Linux too.
///
///     Certificate ─ TBSCertificate ─ [version] serial signature issuer validity subject SubjectPublicKeyInfo …
enum CertificateBytes {
    /// The certificates in PEM text (RFC 7468), each in DER; nil if one of them cannot be decoded.
    static func certificates(inPEM text: String) -> [Data]? {
        var certificates: [Data] = []
        var lines: [Substring]?
        for line in text.split(whereSeparator: \.isNewline) {
            switch line.trimming({ $0 == " " || $0 == "\t" }) {
            case "-----BEGIN CERTIFICATE-----": lines = []
            case "-----END CERTIFICATE-----":
                guard let encoded = lines?.joined(), let data = Data(base64Encoded: encoded) else { return nil }
                certificates.append(data)
                lines = nil
            case let line: lines?.append(line)
            }
        }
        return lines == nil ? certificates : nil
    }

    /// The SHA-256 digest of a certificate's `SubjectPublicKeyInfo` in base64, the form of ``TLSOptions/pinnedPublicKeys``; nil if
    /// the bytes are not a certificate.
    static func publicKeyHash(of certificate: Data) -> String? {
        // RFC 5280 section 4.1.
        var outer = DERReader(rest: Array(certificate)[...])
        guard var whole = outer.next(.sequence)?.content, var signed = whole.next(.sequence)?.content else {
            return nil
        }
        // The version, which version 1 certificates omit.
        if signed.rest.first == 0xA0 { _ = signed.next(nil) }
        // Serial number, signature, issuer, validity and subject.
        let before: [DERReader.Tag] = [.integer, .sequence, .sequence, .sequence, .sequence]
        guard before.allSatisfy({ signed.next($0) != nil }), let key = signed.next(.sequence) else { return nil }
        return Data(SHA256Digest(of: Data(key.bytes)).bytes).base64EncodedString()
    }
}

/// Reads DER elements (X.690) one after the other.
private struct DERReader {
    enum Tag: UInt8 {
        case integer = 0x02
        case sequence = 0x30
    }

    var rest: ArraySlice<UInt8>

    /// The next element, with any tag if none is given: all of its bytes, and a reader of its content; nil if it is incomplete.
    mutating func next(_ tag: Tag?) -> (bytes: ArraySlice<UInt8>, content: DERReader)? {
        let all = rest
        guard let found = rest.popFirst(), tag == nil || found == tag?.rawValue, let count = length(),
            count <= rest.count
        else { return nil }
        let content = rest.prefix(count)
        rest = rest.dropFirst(count)
        return (all[..<content.endIndex], DERReader(rest: content))
    }

    private mutating func length() -> Int? {
        guard let first = rest.popFirst() else { return nil }
        if first < 0x80 { return Int(first) }
        // Up to four length bytes; DER does not allow an indefinite length.
        let count = Int(first & 0x7F)
        guard (1...4).contains(count), rest.count >= count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count).reduce(0) { $0 << 8 | Int($1) }
    }
}
