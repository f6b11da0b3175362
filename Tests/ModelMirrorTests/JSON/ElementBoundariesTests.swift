import Testing

@testable import ModelMirror

@Suite("Boundaries between the elements of an array")
struct ElementBoundariesTests {
    /// The text from each boundary to the next, of an array whose first element begins at offset 1.
    private func parts(of text: String, atLeast distance: Int) -> [String] {
        let bytes = Array(text.utf8)
        return bytes.withUnsafeBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return [] }
            var reader = JSONReader(base, count: buffer.count, depth: 512)
            reader.offset = 1
            var boundaries = ElementBoundaries(reader)
            var (parts, start): ([String], Int) = ([], 1)
            while let next = boundaries.next(behind: distance) {
                parts.append(String(decoding: bytes[start..<next], as: UTF8.self))
                start = next
            }
            return parts + [String(decoding: bytes[start...], as: UTF8.self)]
        }
    }

    private let padding = String(repeating: " ", count: 64)

    @Test(
        "A boundary follows every container element, whatever it contains",
        arguments: [
            #"{"a":1}"#, #"{"a":"},{"}"#, #"{"a":"\"},{\""}"#, #"{"a":"\\"}"#, #"{"a":"\\\"}"}"#, "[[],[{}]]", "{}",
            " {}\n",
            #"{"a":{"b":[{"c":"]"}]}}"#, #"{"Y_y\u007f":"{[\\"}"#, #"{"é":"日本語\\","x":[" ","\\\\"]}"#,
        ], [0, 1, 2, 3, 7, 31, 62, 63])
    func elements(_ element: String, _ shift: Int) {
        // Each alignment within the blocks of 64 bytes.
        let spaces = String(repeating: " ", count: shift)
        #expect(
            parts(of: "[\(spaces)\(element),\(element) ,\(element)\(padding)]", atLeast: 0)
                == ["\(spaces)\(element),", "\(element) ,", "\(element)\(padding)]"])
    }

    @Test("Boundaries are at least the requested number of bytes apart")
    func distance() {
        let element = #"{"a":1}"#
        #expect(
            parts(of: "[\(Array(repeating: element, count: 7).joined(separator: ","))\(padding)]", atLeast: 9) == [
                "\(element),\(element),", "\(element),\(element),", "\(element),\(element),", "\(element)\(padding)]",
            ])
    }

    @Test("No boundary follows a scalar or the array's end, or lies in a string or an element")
    func others() {
        for text in [
            "[1,2,3\(padding)]", #"["},{","},{"\#(padding)]"#, #"[{"a":{"b":1},"c":[[],[]]}\#(padding)]"#,
            "[{}] , {} , {\(padding)", "[] , {} , {\(padding)", "[{}]},{\"x\":[{},{},{}\(padding)]",
            // A string without an end.
            "[{\"a\":\"},{},{},{}\(padding)", "[{\"a\":\"\\\"},{},{},{}\(padding)",
        ] {
            #expect(parts(of: text, atLeast: 0) == [String(text.dropFirst())])
        }
        #expect(parts(of: "[{},1,{},\"x\",{}\(padding)]", atLeast: 0) == ["{},", "1,{},", "\"x\",{}\(padding)]"])
    }

    @Test("Boundaries separate the elements of random arrays")
    func random() throws {
        var random = SeededGenerator(seed: 11)
        for _ in 0..<300 {
            var count = 0
            let elements = (0..<Int.random(in: 1...40, using: &random)).map { _ in
                RandomJSON.container(depth: 4, using: &random)
            }
            let text = "[" + elements.joined(separator: ",") + padding + "]"
            for (found, element) in zip(parts(of: text, atLeast: 0), elements) {
                #expect(found.hasPrefix(element))
                count += 1
            }
            #expect(count == elements.count)
        }
    }
}

private enum RandomJSON {
    private static let pieces = [
        "\\\"", "\\\\", "{", "}", "[", "]", ",", ":", "a", "Y", "_", "y", "é", "日", "\\u0022", " ",
        "long text without anything",
    ]

    static func string(using random: inout SeededGenerator) -> String {
        let text = (0..<Int.random(in: 0...12, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }
        return "\"\(text.joined())\""
    }

    static func container(depth: Int, using random: inout SeededGenerator) -> String {
        let count = Int.random(in: 0...4, using: &random)
        let space =
            Bool.random(using: &random) ? "" : String(repeating: " ", count: Int.random(in: 0...70, using: &random))
        func value() -> String {
            switch Int.random(in: 0...3, using: &random) {
            case 0 where depth > 0: container(depth: depth - 1, using: &random)
            case 1: "\(Int.random(in: -99...99, using: &random))"
            case 2: "null"
            default: string(using: &random)
            }
        }
        if Bool.random(using: &random) {
            return "[\(space)" + (0..<count).map { _ in value() }.joined(separator: ",\(space)") + "\(space)]"
        }
        return "{\(space)"
            + (0..<count).map { _ in "\(string(using: &random))\(space):\(value())" }.joined(separator: ",") + "}"
    }
}
