import Foundation
import Testing

@testable import ModelMirrorNetworking

/// Certificates and hashes come from OpenSSL, by the command in the documentation of ``TLSOptions``.
struct CertificateBytesTests {
    private static let elliptic = """
        -----BEGIN CERTIFICATE-----
        MIIBcDCCARWgAwIBAgIUOAJqIhuAkTiq4fDxnuqFHxJMWJwwCgYIKoZIzj0EAwIw
        DDEKMAgGA1UEAwwBYTAgFw0yNjExMjIxMjI0MzlaGA8yMTI2MTAyOTEyMjQzOVow
        DDEKMAgGA1UEAwwBYTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABDFoOsOy4eIG
        RhJSfdrfdWjh1oqHJmYbj7HLSruz+inYxEpiJ7+zLupNGu5nb5CUoJXe2TK5TFqH
        q0mxNDPxSR6jUzBRMB0GA1UdDgQWBBQMR4C9VJHbSyiRo0rkxxyr30QRkDAfBgNV
        HSMEGDAWgBQMR4C9VJHbSyiRo0rkxxyr30QRkDAPBgNVHRMBAf8EBTADAQH/MAoG
        CCqGSM49BAMCA0kAMEYCIQClPYCinvM0/1bEF8VBr+NWZwN5WwmXi7tifg4mSGhI
        7AIhAPys09c58lPGNLj2S1LdU7rvRZNQj5TbvTq3s49YOlhl
        -----END CERTIFICATE-----
        """

    private static let rsa = """
        -----BEGIN CERTIFICATE-----
        MIIC+zCCAeOgAwIBAgIUIJ01/N3WXzVmodVCbzdfs6a4e0EwDQYJKoZIhvcNAQEL
        BQAwDDEKMAgGA1UEAwwBYTAgFw0yNjExMjIxMjI0MzlaGA8yMTI2MTAyOTEyMjQz
        OVowDDEKMAgGA1UEAwwBYTCCASIwDQYJKoZIhvcNAQEBBQADggEPADCCAQoCggEB
        AMjUmt16FQ9IhuZO5j/pbyC5nLodyCTXPXfxXft8cBMNVv1qJCJN12MbKph8yimN
        BIKTVZRr21zSJVzzX0G/M/kt1HAxbjRe6L5V6b8+byDurfZqNEN8nQWv7y4whEnu
        zdJaVpN2fpXfGQkGhDnk6IU6NAZ5lKYY+kSIpsIMA7QXl0DU+NBEJpl50nuFRx2J
        VzxgSj/5nbyP2oFwSpW6rpRaZ5mZJ7XMXf0sBibWby9lP08E6YNHHhJ1aM+3PIAb
        C4peyTK8ZAS/FyXVn4/2C/WZ0BG9UQwTheq627lBZ0QTWUea/5t7wJ+hpCAIMdCl
        2T9CgaJA9/pbdkgjpJhlcm8CAwEAAaNTMFEwHQYDVR0OBBYEFFxELtsqhkfB/UIP
        n+ZXjova/lU6MB8GA1UdIwQYMBaAFFxELtsqhkfB/UIPn+ZXjova/lU6MA8GA1Ud
        EwEB/wQFMAMBAf8wDQYJKoZIhvcNAQELBQADggEBAGnQNdgtiQH6cHfcW9wpMmtO
        dXNLfoslQg4Enm5nR3NuTPNHLwNT2xmL9NPMCfeYEB5oxyO2ytuC4O6WDjlaEGIk
        lTMNzgZLPpgvD2lgVdqbavQ0LRJn7ptNLOKnAGk9HjKBr5zxq3lpxnW/H59WZptK
        JBOvDBXeqp3INA/Ybjbf/+7X++Zm+e/gvYqJ2cPfEErRPkllH6bnLjngT+OBbCpm
        yb1ukPwE2Nd5gI0hIjJMVLF7SGtABI4lEwzDECfU9CdnNKKWAIbAbztUquqRYZEH
        C6JIJO8+u2xRlHajd7xGgqJtlxzUjXjeCCnV0mjg1fjSKvL6RLS9NCaN1P1LGq4=
        -----END CERTIFICATE-----
        """

    @Test("Public keys of both kinds are hashed, from PEM with other text and Windows line endings")
    func hashes() throws {
        let text = "subject: a\r\n" + CertificateBytesTests.elliptic.replacing("\n", with: "  \r\n") + "\r\n\r\n"
        let certificates = try #require(
            CertificateBytes.certificates(inPEM: text + CertificateBytesTests.rsa))
        #expect(
            certificates.map(CertificateBytes.publicKeyHash) == [
                "OJJAo7e8MIldf7wY3EFSkVWM0RvV9K+onDpPF+A8COE=", "qziq2OKUMnoiaPrg9h9FO2AA3ncqw7LyO5gc4QXLT4c=",
            ])
    }

    @Test("PEM without certificates yields none, and damaged PEM yields nil")
    func damaged() {
        #expect(CertificateBytes.certificates(inPEM: "") == [])
        #expect(
            CertificateBytes.certificates(inPEM: "-----BEGIN PRIVATE KEY-----\nAA==\n-----END PRIVATE KEY-----") == [])
        let text = CertificateBytesTests.elliptic
        #expect(CertificateBytes.certificates(inPEM: String(text.dropLast(30))) == nil)
        #expect(CertificateBytes.certificates(inPEM: text.replacing("MIIB", with: "MI*B")) == nil)
        #expect(CertificateBytes.certificates(inPEM: "-----END CERTIFICATE-----") == nil)
    }

    @Test("A truncated or altered certificate never traps")
    func anyBytes() throws {
        let whole = try #require(CertificateBytes.certificates(inPEM: CertificateBytesTests.elliptic)?.first)
        for count in 0..<whole.count { #expect(CertificateBytes.publicKeyHash(of: whole.prefix(count)) == nil) }
        for index in whole.indices {
            for byte in [0x00, 0x30, 0x7F, 0x80, 0x84, 0xFF] as [UInt8] {
                var changed = whole
                changed[index] = byte
                _ = CertificateBytes.publicKeyHash(of: changed)
            }
        }
        #expect(CertificateBytes.publicKeyHash(of: Data([0x30, 0x84, 0xFF, 0xFF, 0xFF, 0xFF])) == nil)
    }
}
