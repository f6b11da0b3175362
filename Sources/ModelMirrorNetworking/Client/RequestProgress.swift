/// The bytes sent and received by a request.
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
        /// Body bytes transferred so far.
        public var bytes: Int64 = 0
        /// Length of the whole body in bytes; nil if unknown.
        public var total: Int64?

        /// From 0 to 1; nil if the total is unknown. An empty body is 1.
        public var fraction: Double? { total.map { total in total > 0 ? min(Double(bytes) / Double(total), 1) : 1 } }
    }

    /// The body of the request. Stays at 0 bytes on platforms that do not report it.
    public var upload = Transfer()
    /// The body of the response. Its total is known at the latest at the end, except for a download without an announced length.
    public var download = Transfer()
}
