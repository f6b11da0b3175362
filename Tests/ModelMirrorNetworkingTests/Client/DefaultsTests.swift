import Foundation
import ModelMirrorNetworking
import Testing

@Suite("Documented defaults")
struct DefaultsTests {
    @Test func aClient() {
        let configuration = APIClient.Configuration()
        #expect(configuration.acceptedStatus == Set(200...299))
        #expect(configuration.acceptedContentTypes == ["application/json", "text/json", "+json"])
        #expect(configuration.bodyLimit == 67_108_864)
        #expect(configuration.errorBodyLimit == 65_536)
        #expect(configuration.headers == [:])
        #expect(configuration.timeout == nil)
        #expect(configuration.deadline == nil)
        #expect(configuration.redirects == nil)
        #expect(configuration.allowsExpensiveNetwork)
    }

    @Test func retries() throws {
        let policy = RetryPolicy()
        #expect(policy.attempts == 3)
        #expect(policy.statuses == [408, 429, 500, 502, 503, 504])
        #expect(policy.failures == [.cannotConnect, .connectionLost, .timedOut, .hostNotFound])
        #expect(policy.firstDelay == .milliseconds(500))
        #expect(policy.longestDelay == .seconds(30))
        #expect(policy.longestRetryAfter == .seconds(60))
        let url = try #require(URL(string: "https://example.com"))
        let methods: [HTTPMethod] = [.get, .head, .put, .delete, .options, .trace, .post, .patch]
        #expect(methods.filter { policy.isRepeatable(TransportRequest($0, url)) } == Array(methods.prefix(6)))
    }

    @Test func storing() throws {
        let persistence = Persistence(MemoryStore())
        #expect(persistence.waitsForSaving)
        #expect(!persistence.failsWhenSavingFails)
        #expect(persistence.prunes == nil)
        #expect(persistence.revalidates)
    }

    @Test func aRequest() throws {
        let url = try #require(URL(string: "https://example.com"))
        let request = TransportRequest(.get, url)
        #expect(request.headers == [:])
        #expect(request.timeout == nil)
        #expect(request.deadline == nil)
        #expect(request.redirects == nil)
        #expect(!request.isStream)
        #expect(request.attempt == 1)
        #expect(request.declaredFields == [])
        #expect(request.allowsExpensiveNetwork)
        #expect(TransportRequest.longestTimeout == .seconds(1_000_000_000))
    }

    #if os(Linux)
    @Test func theCurlTransport() {
        let options = CurlTransport.Options()
        #expect(options.timeout == .seconds(60))
        #expect(options.deadline == nil)
        #expect(options.redirects == .follow(limit: 20))
        #expect(options.cookies == .none)
        #expect(options.maximumRequestsPerHost == 32)
        #expect(options.maximumRequests == 256)
        #expect(options.maximumStreamsPerHost == 256)
        #expect(options.bodyBufferSize == 262_144)
        #expect(options.proxy == .environment)
        #expect(options.tls == TLSOptions())
        #expect(options.account == nil)
    }
    #endif

    #if !os(Linux) || FoundationNetworking
    @Test func theURLSessionTransport() {
        let options = URLSessionTransport.Options()
        #expect(options.timeout == .seconds(60))
        #expect(options.deadline == nil)
        #expect(options.redirects == .follow(limit: 20))
        #expect(options.cookies == .none)
        #expect(options.maximumConnectionsPerHost == 6)
        #expect(options.bodyBufferSize == 262_144)
        #expect(options.bodySpoolLimit == 1_073_741_824)
        #expect(options.tls == TLSOptions())
    }
    #endif
}
