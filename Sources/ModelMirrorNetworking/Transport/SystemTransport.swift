/// The transport that clients and wrapping transports use unless they are given one.
public enum SystemTransport {
    /// One transport for the whole program, whose connections are shared and kept.
    public static var shared: any Transport { URLSessionTransport.shared }
}
