#if !os(Linux) || FoundationNetworking
import Foundation
import Testing

@testable import ModelMirrorNetworking

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

struct HTTPHeadersURLResponseTests {
    @Test(arguments: [
        ["a=1"], ["a=1; Path=/", "b=2"], ["a=1; Expires=Wed, 21 Oct 2065 07:28:00 GMT", "b=2; Secure"],
        ["a=1; Expires=Wednesday, 21-Oct-65 07:28:00 GMT; Path=/", "__Host-b=x,y", "c="], ["a=1, 2 3", "b=2"], [""],
    ])
    func separatesCookies(_ cookies: [String]) {
        #expect(HTTPHeaders.cookies(in: cookies.joined(separator: ", ")) == cookies)
        #expect(HTTPHeaders.cookies(in: cookies.joined(separator: ",")) == cookies)
    }

    @Test func ordersFieldsByName() throws {
        let url = try #require(URL(string: "https://example.com/"))
        let response = try #require(
            HTTPURLResponse(
                url: url, statusCode: 200, httpVersion: "HTTP/1.1",
                headerFields: ["X-B": "2", "Set-Cookie": "b=2, a=1", "Accept": "c"]))
        #expect(
            HTTPHeaders(response).fields == [
                .init(name: .accept, value: "c"), .init(name: .setCookie, value: "b=2"),
                .init(name: .setCookie, value: "a=1"), .init(name: "X-B", value: "2"),
            ])
    }
}
#endif
