/// What the page uses of a web framework and of SwiftNIO's `ByteBuffer`.
struct Router {
    struct Context {}
    struct Request {
        let body = Body()
    }
    struct Body {
        func collect(upTo limit: Int) async throws -> Buffer { Buffer() }
    }
    struct Buffer {
        func withUnsafeReadableBytes<Value>(_ body: (UnsafeRawBufferPointer) throws -> Value) rethrows -> Value {
            try [UInt8]().withUnsafeBytes(body)
        }
    }
    func post(_ path: String, _ answer: @Sendable (Request, Context) async throws -> String) {}
}
let router = Router()
