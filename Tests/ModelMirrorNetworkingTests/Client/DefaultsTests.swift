import Foundation
import ModelMirrorNetworking
import Testing

@Suite("Documented defaults")
struct DefaultsTests {
    @Test func aClient() {
        let configuration = APIClient.Configuration()
        #expect(configuration.acceptedStatus == Set(200...299))
        #expect(configuration.acceptedContentTypes == ["application/json", "text/json", "+json"])
        #expect((configuration.bodyLimit, configuration.errorBodyLimit) == (67_108_864, 65_536))
        #expect((configuration.timeout, configuration.deadline, configuration.redirects) == (nil, nil, nil))
        #expect((configuration.headers, configuration.allowsExpensiveNetwork) == ([:], true))
    }

    @Test func retries() throws {
        let policy = RetryPolicy()
        #expect(policy.attempts == 3)
        #expect(policy.statuses == [408, 429, 500, 502, 503, 504])
        #expect(policy.failures == [.cannotConnect, .connectionLost, .timedOut, .hostNotFound])
        let delays = [policy.firstDelay, policy.longestDelay, policy.longestRetryAfter]
        #expect(delays == [.milliseconds(500), .seconds(30), .seconds(60)])
        let url = try #require(URL(string: "https://example.com"))
        let methods: [HTTPMethod] = [.get, .head, .put, .delete, .options, .trace, .post, .patch]
        #expect(methods.filter { policy.isRepeatable(TransportRequest($0, url)) } == Array(methods.prefix(6)))
    }

    @Test func storing() throws {
        let persistence = Persistence(MemoryStore())
        let flags = [persistence.waitsForSaving, persistence.failsWhenSavingFails, persistence.revalidates]
        #expect(flags == [true, false, true])
        #expect(persistence.prunes == nil)
    }

    @Test func aRequest() throws {
        let url = try #require(URL(string: "https://example.com"))
        let request = TransportRequest(.get, url)
        #expect((request.timeout, request.deadline, request.redirects) == (nil, nil, nil))
        #expect((request.headers, request.declaredFields) == ([:], []))
        #expect((request.isStream, request.attempt, request.allowsExpensiveNetwork) == (false, 1, true))
        #expect(TransportRequest.longestTimeout == .seconds(1_000_000_000))
    }

    #if os(Linux)
    @Test func theCurlTransport() {
        let options = CurlTransport.Options()
        #expect((options.timeout, options.deadline) == (.seconds(60), nil))
        #expect((options.redirects, options.cookies) == (.follow(limit: 20), .none))
        let counts = [options.maximumRequestsPerHost, options.maximumRequests, options.maximumStreamsPerHost]
        #expect(counts == [32, 256, 256])
        #expect(options.bodyBufferSize == 262_144)
        #expect((options.proxy, options.tls, options.account) == (.environment, TLSOptions(), nil))
    }
    #endif

    #if !os(Linux) || FoundationNetworking
    @Test func theURLSessionTransport() {
        let options = URLSessionTransport.Options()
        #expect((options.timeout, options.deadline) == (.seconds(60), nil))
        #expect((options.redirects, options.cookies) == (.follow(limit: 20), .none))
        #expect(options.maximumConnectionsPerHost == 6)
        #expect((options.bodyBufferSize, options.bodySpoolLimit) == (262_144, 1_073_741_824))
        #expect(options.tls == TLSOptions())
    }
    #endif
}
