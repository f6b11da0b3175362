import Foundation
import Testing

@testable import ModelMirror

@Suite struct URLTextTests {
    /// The bytes that a text encodes: `%XX` is one byte, and every other character is its own UTF-8.
    private func percentDecoded(_ text: String) -> [UInt8] {
        var rest = Array(text.utf8)[...]
        var decoded: [UInt8] = []
        while let byte = rest.popFirst() {
            let digits = rest.prefix(2)
            if byte == UInt8(ascii: "%"), digits.count == 2,
                digits.allSatisfy({ Character(UnicodeScalar($0)).isHexDigit })
            {
                decoded.append(UInt8(String(decoding: digits, as: UTF8.self), radix: 16) ?? 0)
                rest = rest.dropFirst(2)
            } else {
                decoded.append(byte)
            }
        }
        return decoded
    }

    @Test(arguments: [
        "https://api.github.com/users/octocat/gists?page=2&per_page=100#top", "http://example.com",
        "http://example.com/",
        "HTTP://Example.COM/%7Euser/../A", "https://user:pa%20ss@example.com:8080/", "http://host:/", "http://host:0",
        "http://host:65535/", "http://host:000000080", "http://127.0.0.1:80/", "http://[::1]/", "http://[::1]:8080",
        "http://[2001:db8::ff00:42:8329]/x",
        "http://[::ffff:192.0.2.1]/", "http://[1:2:3:4:5:6:7:8]/", "http://h%C3%A9.com/", "http://a_b.com/",
        "file:///tmp/a", "mailto:a@b.org", "urn:isbn:0451450523", "data:,x", "x:", "x+y-z.1:a", "tel:+1-816-555-1212",
        "//example.com/a", "///a", "//", "/a/b", "a/b", "a/b:c", "./a:b", "../a", ".", "?q=1", "?", "#f", "#",
        "a?b?c#d?e",
        "/a;b=1,2/!$&'()*+,;=:@~._-", "http://example.com?q", "http://example.com#f", "/?x:y@z/w", "/#x:y@z/w?",
        "/%25%aF",
        "http:a", "http:/a", "http://",
    ])
    func `A valid URI reference becomes a URL unchanged`(text: String) {
        #expect(URLText.url(from: text)?.absoluteString == text)
        #expect(URLText.url(fromUTF8: slice(text))?.absoluteString == text)
        #expect(Array(text.utf8).withUnsafeBufferPointer { URLText.url(fromUTF8: $0) }?.absoluteString == text)
        #expect(URIReference(slice(text))?.needsEncoding == false)
    }

    @Test(arguments: [
        ("http://example.com/a b", "http://example.com/a%20b"),
        ("http://example.com/ä?ö=ü#ß", "http://example.com/%C3%A4?%C3%B6=%C3%BC#%C3%9F"),
        ("/日本/😀", "/%E6%97%A5%E6%9C%AC/%F0%9F%98%80"), ("http://münchen.de/x", "http://m%C3%BCnchen.de/x"),
        ("http://münchen.de:80/x", "http://m%C3%BCnchen.de:80/x"),
        ("http://ü@[::1]:80/ä", "http://%C3%BC@[::1]:80/%C3%A4"),
        ("http://us er:p^w@host/", "http://us%20er:p%5Ew@host/"), ("http://a@b@host/", "http://a%40b@host/"),
        ("http://[x]@host/", "http://%5Bx%5D@host/"), ("/100%", "/100%25"), ("/100%/", "/100%25/"), ("/%zz", "/%25zz"),
        ("/%2", "/%252"), ("/%2?a", "/%252?a"), ("/%2/f", "/%252/f"), ("/%20%", "/%20%25"), ("/%%20", "/%25%20"),
        ("?%", "?%25"), ("#%4", "#%254"),
        ("/a?b#c#d", "/a?b#c%23d"), ("/a[1]?b[]=c#[d]", "/a%5B1%5D?b%5B%5D=c#%5Bd%5D"),
        (
            "/\"<>\\^`{|}?\"<>\\^`{|}#\"<>\\^`{|}",
            "/%22%3C%3E%5C%5E%60%7B%7C%7D?%22%3C%3E%5C%5E%60%7B%7C%7D#%22%3C%3E%5C%5E%60%7B%7C%7D"
        ),
        (" ", "%20"), (" /", "%20/"), ("/ ", "/%20"), ("a b", "a%20b"), ("é", "%C3%A9"), ("\u{A0}", "%C2%A0"),
        ("/\u{A0}\u{ABF}", "/%C2%A0%E0%AA%BF"),
        ("http:\\\\host\\path", "http:%5C%5Chost%5Cpath"), ("e\u{301}", "e%CC%81"), ("//ü", "//%C3%BC"),
        ("x:ü", "x:%C3%BC"),
        ("https://example.com/\u{202E}gpj.exe", "https://example.com/%E2%80%AEgpj.exe"),
    ])
    func `Characters that a URI cannot contain are percent-encoded`(text: String, encoded: String) {
        #expect(URLText.url(from: text)?.absoluteString == encoded)
        #expect(URLText.url(fromUTF8: slice(text))?.absoluteString == encoded)
        #expect(URLText.url(from: encoded)?.absoluteString == encoded)
    }

    @Test(arguments: [
        "", "http://[::1", "http://host:abc", "http://host:80a", "http://host:65536",
        "http://host:999999999", "http://host:0000000080", "http://host:99999999999999999999",
        "http://host:-1", "http://host: 80", "http://host:80:90", "http://:80", "http://:", "http://user@",
        "http://user@:80", "http://@",
        "http://x y/", "http://a<b/", "http://a\"b/", "http://a%/", "http://a%2/", "http://a%zz/", "http://a^b",
        "http://a\\b/", "http://a|b",
        "http://a[b]/", "http://a]/", "http://[::1]x/", "http://[::1]]/", "http://x[::1]/", "http://[]/",
        "http://[zz]/", "http://[1:2]/",
        "http://[::1%25eth0]/", "http://[fe80::1%eth0]/", "http://[v1.a]/", "http://[127.0.0.1]/", "http://[::1]:x",
        "://", ":", ":a", "12:30", "1http://a", "-a:b", "a b:c", "é:b", "ht^tp://a", " http://a", "+a:b", "a_b:c",
        "@:x",
        "/a\u{0}b", "/a\nb", "/a\tb", "/\u{1F}", "/\u{7F}", "/\u{80}", "/a?\u{9F}", "/a#\u{85}", "http://a\u{0}/",
        "http://u\u{1}@a/", "http://\u{80}/", "\n", "http://a/\r\n",
    ])
    func `Texts that are not URLs are rejected`(text: String) {
        #expect(URLText.url(from: text) == nil)
        #expect(URLText.url(fromUTF8: slice(text)) == nil)
    }

    @Test func `Every ASCII character is kept, encoded or rejected in a path and a query`() {
        let kept = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~!$&'()*+,;=:@/?#".utf8)
        for byte in UInt8(0)...0x7F {
            let character = String(UnicodeScalar(byte))
            let digits = String(byte, radix: 16, uppercase: true)
            let encoded = kept.contains(byte) ? character : "%" + (digits.count == 1 ? "0" : "") + digits
            let isRefused = byte < 0x20 || byte == 0x7F
            #expect(URLText.url(from: "/a\(character)b")?.absoluteString == (isRefused ? nil : "/a\(encoded)b"))
            #expect(URLText.url(from: "/a?b\(character)b")?.absoluteString == (isRefused ? nil : "/a?b\(encoded)b"))
        }
    }

    @Test func `URLs from random text are ASCII URIs that Foundation keeps unchanged`() throws {
        var generator = SeededGenerator(seed: 8)
        let pieces = [
            "http", "a", "Z", "0", ":", "/", "/", "?", "#", "[", "]", "@", "%", "%4", "%41", " ", "ü", "😀", ".", "1",
            "::", "//", "\\", "\u{7}",
        ]
        var count = 0
        for _ in 0..<5000 {
            let text = (0..<Int.random(in: 1...9, using: &generator)).map { _ in
                pieces.randomElement(using: &generator) ?? ""
            }.joined()
            let expected = URIReference(slice(text)).map { $0.needsEncoding ? $0.percentEncoded() : text }
            let url = URLText.url(from: text)
            #expect(url?.absoluteString == expected, "\(text)")
            guard let expected else { continue }
            count += 1
            #expect(expected.utf8.allSatisfy { $0 < 0x80 })
            #expect(URIReference(slice(expected))?.needsEncoding == false, "\(text)")
            #expect(percentDecoded(expected) == percentDecoded(text))
        }
        #expect(count > 2000)
    }
}

@Suite struct IPv6SyntaxTests {
    @Test(arguments: [
        ("::", true), ("::1", true), ("1::", true), ("1:2:3:4:5:6:7:8", true), ("2001:DB8::ff00:42:8329", true),
        ("1:2:3:4:5:6:7::", true), ("::2:3:4:5:6:7:8", true), ("1::8", true),
        ("abcd:ef01:2345:6789:abcd:ef01:2345:6789", true), ("::192.0.2.1", true), ("::ffff:0.0.0.0", true),
        ("1:2:3:4:5:6:255.255.255.255", true), ("1::5:6:10.1.1.1", true), ("0:0::0", true), ("", false), (":", false),
        (":::", false), ("1", false), ("1:", false), (":1", false), ("1:2:3:4:5:6:7", false),
        ("1:2:3:4:5:6:7:8:9", false), ("1:2:3:4:5:6:7:", false), (":2:3:4:5:6:7:8", false), ("1::2::3", false),
        ("::1::", false), ("1:2:3:4::5:6:7:8", false), ("12345::", false), ("::g", false), ("1:::2", false),
        ("::1:", false), ("1.2.3.4", false), ("::1.2.3", false), ("::1.2.3.4.5", false), ("::256.1.1.1", false),
        ("::1.2.3.04", false), ("::1.2.3.4:5", false), ("1:2:3:4:5:6:7:1.2.3.4", false), ("::%25eth0", false),
        ("fe80::1%eth0", false), (" ::1", false), ("::1 ", false), ("::1.2.3.", false), ("::.1.2.3", false),
        ("1:2:3:4:5:6:7::1.2.3.4", false), ("::0000.1.1.1", false), ("::00001", false), ("00001::", false),
    ])
    func `IPv6 addresses are recognized, and no other texts`(text: String, isAddress: Bool) {
        #expect(IPv6Syntax.isAddress(slice(text)) == isAddress)
    }
}
