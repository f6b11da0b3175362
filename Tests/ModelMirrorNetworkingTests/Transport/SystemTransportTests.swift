#if os(Linux)
import Foundation
import Testing

@testable import ModelMirrorNetworking

struct SystemTransportTests {
    @Test("Without libcurl a request fails with a remedy, or uses URLSession with the trait")
    func withoutLibcurl() async throws {
        let library = CurlLibrary(named: ["libmodelmirror-missing.so.4"])
        #expect(library == nil)
        #if FoundationNetworking
        #expect(SystemTransport.transport(over: library) is URLSessionTransport)
        let transport = CurlTransport(CurlTransport.Options(), over: library)
        let trait = ""
        #else
        let transport = SystemTransport.transport(over: library)
        let trait = "enable ModelMirror's package trait FoundationNetworking, "
        #endif
        let url = try #require(URL(string: "http://user@127.0.0.1:1/a"))
        let error = await #expect(throws: RequestError.self) {
            try await transport.response(to: TransportRequest(.get, url))
        }
        #expect(
            error?.description
                == "The request cannot be sent: no libcurl of version 7.68 or later is found; install libcurl, \(trait)"
                + "or pass another transport.")
        #expect(error?.isTransient == false)
    }

    @Test("With libcurl the shared transport is one CurlTransport")
    func withLibcurl() throws {
        try #require(CurlTransport.isAvailable)
        let shared = try #require(SystemTransport.shared as? CurlTransport)
        #expect(shared === SystemTransport.shared as? CurlTransport)
    }
}
#endif
