import ModelMirrorNetworking
import Testing

struct HTTPHeadersCredentialsTests {
    /// The fields after a change; nil if it throws, which changes none.
    private func changed(_ set: (inout HTTPHeaders) throws -> Void) throws -> HTTPHeaders? {
        var headers: HTTPHeaders = ["authorization": "old"]
        do {
            try set(&headers)
            return headers
        } catch is RequestError {
            #expect(headers == ["authorization": "old"])
            return nil
        }
    }

    /// The first two are the examples of RFC 7617 sections 2 and 2.1.
    @Test(
        arguments: [
            ("Aladdin", "open sesame", "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=="),
            ("test", "123£", "Basic dGVzdDoxMjPCow=="), ("", "", "Basic Og=="), ("a", "b:c", "Basic YTpiOmM="),
            ("a:b", "c", nil), ("a", "b\n", nil), ("a\u{7F}", "b", nil), ("\0", "", nil),
        ] as [(String, String, String?)])
    func setsBasicCredentials(_ user: String, _ password: String, _ value: String?) throws {
        let headers = try changed { try $0.setBasicAuthorization(user: user, password: password) }
        #expect(headers == value.map { [.authorization: $0] })
    }

    @Test(
        arguments: [
            ("mF_9.B5f-4.1JqM", "Bearer mF_9.B5f-4.1JqM"), ("", nil), ("a b", nil), ("a\r\nX: 1", nil), ("tökén", nil),
        ] as [(String, String?)])
    func setsBearerTokens(_ token: String, _ value: String?) throws {
        #expect(try changed { try $0.setBearerAuthorization(token) } == value.map { [.authorization: $0] })
    }
}
