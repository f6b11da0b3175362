public import ModelMirrorFoundation

/// Which servers a transport trusts over TLS, and the client certificate it presents. The same value configures `CurlTransport` on
/// Linux and ``URLSessionTransport`` on Apple platforms.
///
/// ```swift
/// var tls = TLSOptions()
/// tls.pinnedPublicKeys = [currentKey, nextKey]
/// let client = APIClient(transport: SystemTransport.make(tls: tls), baseURL: base)
/// ```
///
/// A server that is not trusted, or a file that cannot be read, fails the request with
/// ``RequestError/ConnectionFailure/Kind/notSecure``. `URLSession` on Linux has no such options: with any value but the default,
/// ``URLSessionTransport`` fails every request there with ``RequestError/invalidRequest(_:)``.
public struct TLSOptions: Sendable, Hashable {
    /// A PEM file of the certificate authorities to trust in place of the system's. Nil, the default, trusts the system's.
    ///
    /// On Apple platforms, App Transport Security requires the system's authorities as well, unless the `Info.plist` has an
    /// exception for the host.
    public var certificateAuthorities: URL?
    /// The certificate for servers that request one from the client; nil by default. With one, a transport's identity is
    /// ``TransportIdentity/unknown`` unless an account is named. It is not presented after a redirect to another origin; a connection to
    /// which `URLSession` has presented it may be used again.
    public var clientCertificate: ClientCertificate?
    /// Pinned public keys: a server must present one of them. Empty, the default, accepts any key. The certificate chain is validated
    /// as well.
    ///
    /// Each is the SHA-256 digest of the certificate's `SubjectPublicKeyInfo` in base64 (44 characters), without curl's prefix
    /// `sha256//`:
    ///
    /// ```sh
    /// openssl x509 -in server.pem -pubkey -noout | openssl pkey -pubin -outform der | openssl dgst -sha256 -binary | openssl base64
    /// ```
    public var pinnedPublicKeys: [String] = []

    /// Trusts the system's authorities, and presents no certificate.
    public init() {}

    /// A certificate of the client with its private key.
    public enum ClientCertificate: Sendable, Hashable {
        /// A PKCS#12 file (`.p12`, `.pfx`) with the certificate, its key and its authorities, and the file's password. Works on
        /// every platform; on Linux, it needs a libcurl built with OpenSSL.
        case pkcs12(URL, password: String)
        /// PEM files: the certificate, followed by its authorities if needed, and the key with its password. Linux only: Apple
        /// platforms import keys only from PKCS#12.
        case pem(certificate: URL, key: URL, password: String? = nil)
    }
}
