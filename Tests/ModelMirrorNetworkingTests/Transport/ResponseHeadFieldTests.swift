import Foundation
import ModelMirrorNetworking
import Testing

@Suite("Fields of a response's head")
struct ResponseHeadFieldTests {
    private func head(_ name: HeaderName, _ value: String) -> ResponseHead {
        ResponseHead(url: URL(string: "https://a.example/l")!, headers: [name: value])
    }

    @Test(
        "An entity tag is strong or weak, and nil by any other grammar",
        arguments: [
            (#""a1""#, false), (#"W/"a1""#, true), (#""""#, false), ("a1", nil), (#"w/"a1""#, nil), (#""a"b""#, nil),
            (#""a b""#, nil), (#""a", "b""#, nil), (#"""#, nil), ("W/", nil), ("", nil), (#"W/ "a""#, nil),
        ] as [(String, Bool?)])
    func entityTags(text: String, isWeak: Bool?) {
        let tag = head("ETag", text).eTag
        #expect(tag?.hasPrefix("W/") == isWeak)
        #expect(tag == (isWeak == nil ? nil : text))
    }

    @Test(
        "A content range has the bytes and the total, and is nil by any other grammar",
        arguments: [
            ("bytes 5-9/10", 5...9, 10), ("Bytes 0-0/*", 0...0, nil), ("bytes */10", nil, 10), ("bytes */*", nil, nil),
            ("bytes 5-10/10", nil, nil), ("bytes 9-5/10", nil, nil), ("bytes +5-9/10", nil, nil),
            ("bytes  5-9/10", nil, nil), ("items 5-9/10", nil, nil), ("bytes 5-/10", nil, nil), ("5-9/10", nil, nil),
            ("bytes 5-9", nil, nil), ("bytes 5-9//10", nil, nil), ("bytes 5-9/99999999999999999999", nil, nil),
        ] as [(String, ClosedRange<Int64>?, Int64?)])
    func contentRanges(text: String, bytes: ClosedRange<Int64>?, total: Int64?) {
        let range = head("Content-Range", text).contentRange
        #expect(range?.bytes == bytes)
        #expect(range?.total == total)
        #expect((range == nil) == (bytes == nil && total == nil))
    }

    @Test(
        "Dates and waits are read in each form of RFC 9110",
        arguments: [
            ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
            ("Sun Nov  6 08:49:37 1994", 784_111_777), ("1994-11-06", nil), ("", nil),
        ] as [(String, Double?)])
    func dates(text: String, seconds: Double?) {
        #expect(head("Last-Modified", text).lastModified?.timeIntervalSince1970 == seconds)
        let now = Date(timeIntervalSince1970: 784_111_770)
        #expect(head("Retry-After", text).retryAfter(at: now) == seconds.map { .seconds($0 - 784_111_770) })
        #expect(head("Retry-After", "120").retryAfter(at: now) == .seconds(120))
        #expect(head("Retry-After", "-1").retryAfter(at: now) == nil)
    }
}
