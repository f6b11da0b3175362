#if canImport(Security)
import Foundation
import Security

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Applies ``TLSOptions`` with the Security framework: evaluates the certificates of servers, and provides the client's.
///
/// Files are read once, when the transport is made. If one cannot be read, challenges that need it are refused.
// @unchecked: not all of Security's types are Sendable. Only the trust of a single challenge is changed here.
final class TransferSecurity: @unchecked Sendable {
    /// Why a connection is refused, as a clause.
    struct Refusal: Error {
        let reason: String
    }

    private let authorities: Result<[SecCertificate], Refusal>?
    private let client: Result<URLCredential, Refusal>?
    private let pinnedKeys: Set<String>

    /// Nil if the options leave everything to the system.
    init?(_ options: TLSOptions) {
        guard options != TLSOptions() else { return nil }
        authorities = options.certificateAuthorities.map { file in
            Result { () throws(Refusal) in try TransferSecurity.authorities(in: file) }
                .mapError { Refusal(reason: "the file of certificate authorities cannot be read (\($0.reason))") }
        }
        client = options.clientCertificate.map { certificate in
            Result { () throws(Refusal) in try TransferSecurity.credential(of: certificate) }
                .mapError { Refusal(reason: "the client certificate cannot be used (\($0.reason))") }
        }
        pinnedKeys = Set(options.pinnedPublicKeys)
    }

    /// The credential that the options give; nil if they do not apply to the challenge of a request.
    func credential(
        for challenge: URLAuthenticationChallenge, of request: TransportRequest?
    ) throws(Refusal) -> URLCredential? {
        if let trust = challenge.protectionSpace.serverTrust { return try credential(for: trust) }
        let method = challenge.protectionSpace.authenticationMethod
        guard method == NSURLAuthenticationMethodClientCertificate, request?.hasLeftOrigin == false else { return nil }
        return try client?.get()
    }

    // MARK: The server

    private func credential(for trust: SecTrust) throws(Refusal) -> URLCredential? {
        guard authorities != nil || !pinnedKeys.isEmpty else { return nil }
        if let authorities = try authorities?.get() {
            guard SecTrustSetAnchorCertificates(trust, NSArray(array: authorities) as CFArray) == errSecSuccess,
                SecTrustSetAnchorCertificatesOnly(trust, true) == errSecSuccess
            else { throw Refusal(reason: "the certificate authorities cannot be used") }
        }
        var error: CFError?
        guard SecTrustEvaluateWithError(trust, &error) else {
            let detail = error.map { " (\($0.localizedDescription))" } ?? ""
            throw Refusal(reason: "the certificate of the server is not trusted\(detail)")
        }
        guard pinnedKeys.isEmpty || hasPinnedKey(trust) else {
            throw Refusal(reason: "the public key of the server is none of those that are pinned")
        }
        return URLCredential(trust: trust)
    }

    /// Whether the key of the server's own certificate, the first of the chain, is pinned.
    private func hasPinnedKey(_ trust: SecTrust) -> Bool {
        guard let certificate = (SecTrustCopyCertificateChain(trust) as? [SecCertificate])?.first else { return false }
        let data = Data(referencing: SecCertificateCopyData(certificate) as NSData)
        return CertificateBytes.publicKeyHash(of: data).map(pinnedKeys.contains) ?? false
    }

    // MARK: Files

    private static func authorities(in file: URL) throws(Refusal) -> [SecCertificate] {
        guard let text = try? String(contentsOf: file, encoding: .utf8) else {
            throw Refusal(reason: "no text file is at \(file.path)")
        }
        let encoded = CertificateBytes.certificates(inPEM: text) ?? []
        let certificates = encoded.compactMap { SecCertificateCreateWithData(nil, NSData(data: $0) as CFData) }
        guard !certificates.isEmpty, certificates.count == encoded.count else {
            throw Refusal(reason: "\(file.path) has no certificates in PEM format, or a damaged one")
        }
        return certificates
    }

    private static func credential(of certificate: TLSOptions.ClientCertificate) throws(Refusal) -> URLCredential {
        guard case .pkcs12(let file, let password) = certificate else {
            throw Refusal(reason: "Apple platforms import keys from PKCS#12 files alone; use .pkcs12 in place of .pem")
        }
        guard let data = try? Data(contentsOf: file) else { throw Refusal(reason: "no file is at \(file.path)") }
        let options: NSMutableDictionary = [:]
        options.setObject(password, forKey: kSecImportExportPassphrase as NSString)
        #if os(macOS)
        // Otherwise the key would be added to the user's keychain.
        options.setObject(true, forKey: kSecImportToMemoryOnly as NSString)
        #endif
        var items: CFArray?
        let status = SecPKCS12Import(NSData(data: data) as CFData, options as CFDictionary, &items)
        guard status == errSecSuccess, let item = (items as NSArray?)?.firstObject as? NSDictionary,
            let identity: SecIdentity = object(item, kSecImportItemIdentity)
        else { throw Refusal(reason: "\(file.path) is no PKCS#12 file with this password; its status is \(status)") }
        let chain: NSArray? = object(item, kSecImportItemCertChain)
        // The first is the client's own certificate, which the identity contains.
        let authorities = chain.map { Array($0.dropFirst()) }
        // Not kept: a user's configuration may share its credential storage with other sessions of the program.
        return URLCredential(identity: identity, certificates: authorities, persistence: .none)
    }

    /// Casts in generic code, because a conditional cast to a Core Foundation type does not compile.
    private static func object<Found>(_ item: NSDictionary, _ key: CFString) -> Found? {
        item.object(forKey: key as NSString) as? Found
    }
}
#endif
