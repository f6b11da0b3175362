import Foundation

extension TransportRequest {
    /// This request with the user and password of its URL as a field, since some platforms send them and some do not.
    func withCredentialsAsField() throws(RequestError) -> TransportRequest {
        guard url.user != nil || url.password != nil else { return self }
        var request = self
        request.url = url.withoutUserInfo
        if headers[.authorization] == nil {
            try request.headers.setBasicAuthorization(
                user: (url.user ?? "").removingPercentEncoding ?? "",
                password: (url.password ?? "").removingPercentEncoding ?? "")
        }
        return request
    }

    /// This request with the length of the file that is its body, if it is one.
    ///
    /// - Throws: `.invalidRequest` if there is no such file, or none that can be read.
    func withMeasuredFile() throws(RequestError) -> TransportRequest {
        guard let body, case .file(let file) = body.content else { return self }
        let size: UInt64
        do {
            guard file.isFileURL else { throw CocoaError(.fileReadUnsupportedScheme) }
            let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
            guard attributes[.type] as? FileAttributeType == .typeRegular else { throw CocoaError(.fileReadUnknown) }
            guard FileManager.default.isReadableFile(atPath: file.path) else {
                throw CocoaError(.fileReadNoPermission)
            }
            size = (attributes[.size] as? NSNumber)?.uint64Value ?? 0
        } catch {
            throw .invalidRequest("the file \(file.path.debugDescription) cannot be read as a body: \(error)")
        }
        var request = self
        // FoundationNetworking waits for the first byte of an empty file for ever.
        request.body = size == 0 ? .data(Data()) : HTTPBody(content: body.content, length: Int(size))
        return request
    }
}
