import ModelMirrorNetworking
import Testing

struct HTTPHeadersCredentialsTests {
    /// The examples of RFC 7617 sections 2 and 2.1.
    @Test(arguments: [
        ("Aladdin", "open sesame", "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="), ("test", "123£", "Basic dGVzdDoxMjPCow=="),
        ("", "", "Basic Og=="), ("a", "b:c", "Basic YTpiOmM="),
    ])
    func setsBasicCredentials(_ user: String, _ password: String, _ value: String) throws {
        var headers: HTTPHeaders = ["authorization": "old"]
        try headers.setBasicAuthorization(user: user, password: password)
        #expect(headers.values(for: .authorization) == [value])
    }

    @Test(arguments: [("a:b", "c"), ("a", "b\n"), ("a\u{7F}", "b"), ("\0", "")])
    func rejectsInvalidBasicCredentials(_ user: String, _ password: String) {
        var headers: HTTPHeaders = [:]
        #expect(throws: RequestError.self) { try headers.setBasicAuthorization(user: user, password: password) }
        #expect(headers == [:])
    }

    @Test func setsBearerTokens() throws {
        var headers: HTTPHeaders = [:]
        try headers.setBearerAuthorization("mF_9.B5f-4.1JqM")
        #expect(headers == [.authorization: "Bearer mF_9.B5f-4.1JqM"])
    }

    @Test(arguments: ["", "a b", "a\r\nX: 1", "tökén"])
    func rejectsInvalidBearerTokens(_ token: String) {
        var headers: HTTPHeaders = [:]
        #expect(throws: RequestError.self) { try headers.setBearerAuthorization(token) }
        #expect(headers == [:])
    }
}
