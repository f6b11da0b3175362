import Foundation
import ModelMirror
import ModelMirrorNetworking
import Synchronization

private class Item: AbstractModel {
    var id = 0
    var name: String?
    var parts: [Item] = []
}

extension FuzzTarget {
    /// An array in pieces: the elements and the error are those of the whole array, and of mapping it as a document.
    static let elements = FuzzTarget(
        "elements",
        seeds: [
            #"[{"id":1,"name":"a]\"\\"},{"id":2,"parts":[{"id":3},{}]}, {"name":null} ]"#, "[]", " [ {} , {} ] ",
            #"[{"id":"7"},{"id":"x"},null,[]]"#, #"{"a":[1,{"b":"]"}],"items":[{"id":1}],"z":{}}"#,
        ].map { [3] + Array($0.utf8) },
        words: Mutations.words + ["]", "},{", ",", "\"items\":[", "\"items\":"].map { Array($0.utf8) }
    ) { bytes in
        let path: JSONPath = bytes.contains(UInt8(ascii: "z")) ? "items" : .root
        return comparison(of: bytes) { body in
            body.elements(Item.self, at: path)
        } whole: { document in
            // With duplicate keys on a path, a document uses the last and a stream the first. A key may be escaped.
            let text = String(decoding: document, as: UTF8.self)
            let isOnce = !text.contains("\\") && text.ranges(of: "\"items\"").count == 1
            guard path == .root || isOnce else { return nil }
            return try? [Item](json: document, at: path).map { try $0.jsonString() }
        }
    }

    /// Newline-delimited JSON in pieces: the objects and the error are those of mapping each line by itself.
    static let lines = FuzzTarget(
        "lines",
        seeds: ["{\"id\":1}\n{\"name\":\"a\\n\"}\r\n\n{}", "{}\r{}\n", "\u{FEFF}{\"id\":2}\n", "{\"id\":\"x\"}\n{}"].map
        {
            [1] + Array($0.utf8)
        },
        words: Mutations.words + ["\n", "\r\n", "\r", "{}\n", "\u{2028}"].map { Array($0.utf8) }
    ) { bytes in
        comparison(of: bytes) { body in
            body.lines(of: Item.self)
        } whole: { document in
            lineByLine(document)
        }
    }

    /// Server-sent events in pieces: the same events.
    static let events = FuzzTarget(
        "events",
        seeds: [
            "event: add\ndata: {\"id\":1}\nid: 7\nretry: 1000\n\n: comment\n\ndata\ndata: b\r\n\r\n",
            "\u{FEFF}data:a\r\rdata:b",
            "id: \u{0}\nretry: 99999999999999999999\ndata: x\n\n", "data: cut",
        ].map { [2] + Array($0.utf8) },
        words: ["\n", "\r", "\r\n", "data:", "data", "event: ", "id:", "retry: ", ":", " ", "\u{0}", "é", "\u{FEFF}"]
            .map {
                Array($0.utf8)
            }
    ) { bytes in
        comparison(of: bytes, events: true)
    }

    /// Fields of a response: links, dates and types of any bytes are parsed or skipped, and stay inside the text. (Cookies are
    /// parsed by libcurl, which `heads` covers.)
    static let headers = FuzzTarget(
        "headers",
        seeds: [
            "<https://api.example.com/gists?page=3>; rel=\"next\", </gists?page=1>; rel=\"first prev\"; title=\"a, b\"",
            "<?page=2>;rel=next;anchor=\"#a\"", "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT",
            "Sun Nov  6 08:49:37 1994", "\t application/json ;charset=utf-8",
            "multipart/form-data; boundary=\"a b\"; charset=utf-8",
        ].map { Array($0.utf8) },
        words: ["<", ">", ";", ",", "\"", "\\", "rel=", "next", "rel*=UTF-8''a", "%", " ", "\t", "=", "Nov", "99"].map {
            Array($0.utf8)
        }
    ) { bytes in
        let text = String(decoding: bytes, as: UTF8.self)
        let links = ResponseHead.Link.links(in: text, relativeTo: URL(string: "https://example.com/a/b"))
        guard links.count <= text.utf8.count else { return .broken("there are more links than bytes") }
        for link in links where link.target.scheme == nil { return .broken("the link \(link.target) is not absolute") }
        let headers = HTTPHeaders([HTTPHeaders.Field(name: HeaderName(text), value: text)])
        guard headers[HeaderName(text)] == text, headers[HeaderName(text.lowercased())] == text else {
            return .broken("a field is not found by its name")
        }
        let type = text.unicodeScalars.split(separator: ";", omittingEmptySubsequences: false)[0]
        guard
            MIMEType.essence(of: text).elementsEqual(
                String(type).trimmingCharacters(in: CharacterSet(charactersIn: " \t")).utf8)
        else { return .broken("the type is \(String(decoding: MIMEType.essence(of: text), as: UTF8.self))") }
        let date = HTTPDate.parse(bytes, now: Date(timeIntervalSince1970: 1_700_000_000))
        return links.isEmpty && date == nil ? .refused : .accepted
    }

    /// Compares a body in pieces, whose size is the first byte, with the body as a whole, and with mapping the whole document.
    private static func comparison(
        of bytes: [UInt8], _ stream: @escaping @Sendable (ResponseBody) -> ElementStream<Item>,
        whole: ([UInt8]) -> [String]?
    ) -> Verdict {
        guard let size = bytes.first else { return .refused }
        let document = Array(bytes.dropFirst())
        let once = waiting { await outcome(of: stream(ResponseBody(Data(document)))) }
        let pieces = waiting { await outcome(of: stream(body(document, size: Int(size) % 16 + 1))) }
        guard once == pieces else { return .broken("at once: \(once), in pieces: \(pieces)") }
        if let objects = whole(document), objects != once {
            return .broken("mapped as a whole: \(objects), as a stream: \(once)")
        }
        return once.last?.hasPrefix("error") == true ? .refused : .accepted
    }

    private static func comparison(of bytes: [UInt8], events: Bool) -> Verdict {
        guard let size = bytes.first else { return .refused }
        let document = Array(bytes.dropFirst())
        let once = waiting { await outcome(of: ResponseBody(Data(document)).events()) }
        let pieces = waiting { await outcome(of: body(document, size: Int(size) % 16 + 1).events()) }
        guard once == pieces else { return .broken("at once: \(once), in pieces: \(pieces)") }
        return once.isEmpty ? .refused : .accepted
    }

    /// The outcome of mapping each line of a text as a document.
    private static func lineByLine(_ text: [UInt8]) -> [String]? {
        var texts: [String] = []
        let mark = text.starts(with: byteOrderMark) ? byteOrderMark : []
        // Earlier lines become spaces, so that positions in errors are those in the text.
        var before = mark
        for line in text.dropFirst(mark.count).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            defer { before += line.map { _ in UInt8(ascii: " ") } + [UInt8(ascii: "\n")] }
            if line.allSatisfy({ " \t\r".utf8.contains($0) }) { continue }
            // A line may begin with a byte order mark, which has no column, unlike the spaces that would precede it here.
            if line.starts(with: byteOrderMark) { return nil }
            let isBreak = line.endIndex < text.endIndex && line.last == UInt8(ascii: "\r")
            let document = before + (isBreak ? line.dropLast() : line)
            do {
                texts.append(try Item(json: document).jsonString())
            } catch ModelError.invalidValues(let failures) {
                let error = ModelError.invalidValues(failures)
                // Mapping a single object suggests the array's type, which does not apply to a stream.
                let text = "error: \(error)".replacing("Item at $", with: "Item at $[\(texts.count)]")
                return texts + [text.replacing("; use [Item]", with: "")]
            } catch {
                return texts + ["error: \(error)"]
            }
        }
        return texts
    }

    static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    private static func outcome(of stream: ElementStream<Item>) async -> [String] {
        var texts: [String] = []
        do {
            for try await item in stream { texts.append(try item.jsonString()) }
        } catch {
            texts.append("error: \(error)")
        }
        return texts
    }

    private static func outcome(of stream: EventStream) async -> [String] {
        var texts: [String] = []
        do {
            for try await event in stream { texts.append("\(event)") }
        } catch {
            texts.append("error: \(error)")
        }
        return texts
    }

    private static func body(_ bytes: [UInt8], size: Int) -> ResponseBody {
        let offset = Mutex(0)
        return ResponseBody {
            offset.withLock { offset in
                guard offset < bytes.count else { return nil }
                defer { offset += size }
                return Data(bytes[offset..<min(offset + size, bytes.count)])
            }
        }
    }

    /// Waits on this thread for an asynchronous function, since the fuzzer's function is synchronous.
    static func waiting<Value: Sendable>(_ run: @escaping @Sendable () async -> Value) -> Value {
        let result = Mutex<Value?>(nil)
        let semaphore = DispatchSemaphore(value: 0)
        Task {
            let value = await run()
            result.withLock { $0 = value }
            semaphore.signal()
        }
        while true {
            semaphore.wait()
            if let value = result.withLock({ $0 }) { return value }
        }
    }
}
