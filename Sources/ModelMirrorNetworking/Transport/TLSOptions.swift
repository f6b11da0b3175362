#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Which servers a transport trusts over TLS, and the certificate that it shows them: the same value for `CurlTransport` on Linux
/// and for ``URLSessionTransport`` on Apple platforms.
///
/// ```swift
/// var tls = TLSOptions()
/// tls.pinnedPublicKeys = [currentKey, nextKey]
/// let client = APIClient(transport: SystemTransport.make(tls: tls), baseURL: base)
/// ```
///
/// A server that does not fit ends the request with ``RequestError/ConnectionFailure/Kind/notSecure``, and so does a file that cannot
/// be read. `URLSession` on Linux has no such options: ``URLSessionTransport`` refuses its requests there, with
/// ``RequestError/invalidRequest(_:)``, unless all of them have their default values.
public struct TLSOptions: Sendable, Hashable {
    /// A file in PEM format with the authorities to trust, in place of those of the system. Nil, the default, for the system's.
    ///
    /// On Apple platforms, App Transport Security asks for the system's authorities too, unless the `Info.plist` has an exception for
    /// the host.
    public var certificateAuthorities: URL?
    /// The certificate for servers that ask who the client is; nil by default. With one, a transport's identity is
    /// ``TransportIdentity/unknown`` unless an account is named.
    public var clientCertificate: ClientCertificate?
    /// Pinned public keys: a server must present one of them. Empty, the default, accepts any key. The certificate chain is validated
    /// as well.
    ///
    /// Each is the SHA-256 digest of the certificate's `SubjectPublicKeyInfo` in base64, 44 characters, what curl calls `sha256//`:
    ///
    /// ```sh
    /// openssl x509 -in server.pem -pubkey -noout | openssl pkey -pubin -outform der | openssl dgst -sha256 -binary | openssl base64
    /// ```
    public var pinnedPublicKeys: [String] = []

    /// Trusts whom the system trusts, and shows no certificate.
    public init() {}

    /// A certificate of the client with its private key.
    public enum ClientCertificate: Sendable, Hashable {
        /// A PKCS#12 file (`.p12`, `.pfx`) with the certificate, its key and its authorities, and the password of the file. On every
        /// platform. On Linux, a libcurl over OpenSSL is needed.
        case pkcs12(URL, password: String)
        /// Files in PEM format: the certificate, followed by its authorities if need be, and the key with its password. On Linux only,
        /// since Apple platforms import keys from PKCS#12 alone.
        case pem(certificate: URL, key: URL, password: String? = nil)
    }
}
