#if os(Linux)
import ModelMirrorFoundation

extension CurlEasy {
    /// Sets all options for a transfer, and returns the list of its header fields, which the caller must free after the
    /// handle.
    func configure(for transfer: CurlTransfer, _ options: CurlTransport.Options) throws(Refusal) -> CurlLibrary.List? {
        let request = transfer.request
        let isSecure = request.url.isSecure
        try set(.url, request.url.absoluteString)
        // CURLPROTO_HTTP and CURLPROTO_HTTPS.
        set(.protocols, 3)
        set(.pathAsIs, 1)
        // libcurl must not touch the program's signals; the engine's thread blocks them.
        set(.noSignal, 1)
        // libcurl resolves names on its own threads; a cancelled request need not wait for them.
        set(.quickExit, 1)
        setOpenSocket()
        // So that an invalid first line is passed on, which CurlExchange reports.
        set(.acceptsHTTP09, 1)
        set(.suppressConnectHeaders, 1)
        // ContentDecoder decodes the body, because libcurl accepts a truncated compressed body as complete.
        set(.decodesContent, 0)
        set(.bufferSize, 1 << 16)
        // The engine's own timeout expires first.
        set(.connectTimeoutMilliseconds, min(transfer.timeout.milliseconds + 60_000, Int(Int32.max)))
        // HTTP/2 by ALPN, so only over TLS. There, a request waits to see whether a connection being opened can be shared.
        set(.httpVersion, isSecure ? 4 : options.assumesHTTP2 ? 5 : 2)
        set(.pipeWait, request.mayUseHTTP2(options) ? 1 : 0)
        // After a broken connection, others may be dead as well.
        if let reason = transfer.resends.last, reason != .refused { set(.freshConnection, 1) }
        try setMethod(request, transfer.feed)
        if isSecure { try setSecurity(options.tls, presentsCertificate: !request.hasLeftOrigin) }
        switch options.proxy {
        case .environment: break
        // A libcurl built without proxies rejects the option, and uses none.
        case .none: try? set(.proxy, "")
        case .url(let url, let exceptions):
            try set(.proxy, url.absoluteString)
            let hosts = exceptions.map { $0.host(atPort: Origin(request.url).port) }
            try set(.noProxy, hosts.joined(separator: ","))
        }
        // RFC 6265 section 5.4: in one field, together with those of the jar.
        let cookies = request.headers.values(for: .cookie)
        if !cookies.isEmpty { try set(.cookie, cookies.joined(separator: "; ")) }
        return headerList(request)
    }

    private func setMethod(_ request: TransportRequest, _ feed: UploadFeed?) throws(Refusal) {
        if request.method == .head { return set(.noBody, 1) }
        if request.method == .get, feed == nil { return }
        // Without a body, these methods announce the length 0.
        if feed != nil || [.post, .put, .patch].contains(request.method) {
            set(.upload, 1)
            setUploadLength(feed.map { $0.lengthSoFar ?? -1 } ?? 0)
        }
        try set(.method, request.method.rawValue)
    }

    private func setSecurity(_ options: TLSOptions, presentsCertificate: Bool) throws(Refusal) {
        if let authorities = options.certificateAuthorities {
            try set(.certificateAuthority, authorities.path)
            // Otherwise the authorities that libcurl was built with would be trusted as well.
            try? set(.certificateAuthorityFolder, nil)
        }
        switch presentsCertificate ? options.clientCertificate : nil {
        case .pem(let certificate, let key, let password)?:
            try set(.clientCertificate, certificate.path)
            try set(.clientKey, key.path)
            // Without a password, OpenSSL would ask for that of an encrypted key at the terminal, and the engine would wait. With an
            // empty one, GnuTLS, which never asks, refuses some keys that are not encrypted.
            if let password = password ?? (library.usesGnuTLS ? nil : "") { try set(.clientKeyPassword, password) }
        case .pkcs12(let file, let password)?:
            try set(.clientCertificateType, "P12")
            try set(.clientCertificate, file.path)
            try set(.clientKeyPassword, password)
        case nil: break
        }
        if !options.pinnedPublicKeys.isEmpty {
            try set(.pinnedPublicKey, options.pinnedPublicKeys.map { "sha256//\($0)" }.joined(separator: ";"))
        }
    }

    private func headerList(_ request: TransportRequest) -> CurlLibrary.List? {
        // With `Expect`, a server that does not support it would delay the body by a second.
        var lines = ["Expect:"]
        // A part of a compressed body cannot be decoded.
        if request.headers[.acceptEncoding] == nil, request.headers[.range] == nil, library.inflating != nil {
            lines.append("Accept-Encoding: gzip, deflate")
        }
        for field in request.headers.fields where field.name != .cookie {
            // libcurl omits a field without a value, or of white space as `isspace` knows it, except in this form.
            let isEmpty = field.value.utf8.allSatisfy { (0x09...0x0D).contains($0) || $0 == 0x20 }
            lines.append(isEmpty ? "\(field.name);" : "\(field.name): \(field.value)")
        }
        // If memory runs out, the list stays as it was.
        return lines.reduce(nil) { library.listAppend($0, $1) ?? $0 }
    }
}

extension String {
    /// An exception of a proxy as libcurl compares it, by hosts alone and without brackets. One with another port is no host.
    fileprivate func host(atPort port: Int) -> Substring {
        let isOfPort = hasSuffix(":\(port)") && (hasPrefix("[") || count { $0 == ":" } == 1)
        return (isOfPort ? dropLast("\(port)".count + 1) : self[...]).trimming { "[]".contains($0) }
    }
}

extension TransportRequest {
    /// Whether the request may be sent over HTTP/2.
    func mayUseHTTP2(_ options: CurlTransport.Options) -> Bool { url.isSecure || options.assumesHTTP2 }
}

extension Duration {
    /// Whole milliseconds, rounded up, at most ``TransportRequest/longestTimeout``.
    var milliseconds: Int {
        let (seconds, attoseconds) = min(self, TransportRequest.longestTimeout).components
        return Int(seconds) * 1000 + Int((attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    }
}
#endif
