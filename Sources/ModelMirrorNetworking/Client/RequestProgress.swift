/// The bytes of a request sent and of its response received.
///
/// ```swift
/// request.progress { progress in
///     bar.isIndeterminate = progress.download.fraction == nil
///     bar.value = progress.download.fraction ?? 0
/// }
/// ```
public struct RequestProgress: Hashable, Sendable {
    /// One direction.
    public struct Transfer: Hashable, Sendable {
        /// Bytes of the body so far.
        public var bytes: Int64 = 0
        /// Bytes of the whole body; nil if unknown.
        public var total: Int64?

        /// A transfer.
        package init(bytes: Int64 = 0, total: Int64? = nil) {
            self.bytes = bytes
            self.total = total
        }

        /// From 0 to 1; nil if the total is not known. An empty body counts as done.
        public var fraction: Double? {
            total.map { total in total > 0 ? min(Double(bytes) / Double(total), 1) : 1 }
        }
    }

    /// The body of the request. On platforms that do not report it, its bytes stay at 0.
    public var upload: Transfer
    /// The body of the response. Its total becomes known at the latest when all of it has come.
    public var download: Transfer

    /// A progress.
    package init(upload: Transfer = Transfer(), download: Transfer = Transfer()) {
        self.upload = upload
        self.download = download
    }
}
