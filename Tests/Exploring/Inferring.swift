import Foundation
import ModelMirror
import ModelMirrorExploring

// Writes the inferred classes of documents as one program that maps them and writes them back.
//
//     inferring OUTPUT DOCUMENT...
//     inferring OUTPUT --openAPI DOCUMENT
//
// Each document's classes are in an enum of their own, with the call that reads the document as its source says, but strictly.

let arguments = CommandLine.arguments
let output = URL(fileURLWithPath: arguments[1])
var cases: [String] = []

if arguments.dropFirst(2).first == "--openAPI" {
    let document = Array(try Data(contentsOf: URL(fileURLWithPath: arguments[3])))
    try ClassInference.source(openAPI: document).write(
        to: output.appendingPathComponent("Client.swift"), atomically: true, encoding: .utf8)
    exit(0)
}

/// A document of about 5 MB with objects of several kinds.
func largeDocument() -> Data {
    var text = "{\"objects\": ["
    for number in 0..<20_000 {
        if number > 0 { text += ",\n" }
        let kind = ["alpha", "beta", "gamma"][number % 3]
        text +=
            #"{"id": \#(number), "guid": "5f0c9a1e-2a3b-4c5d-8e9f-\#(String(number + 100_000_000_000))", "kind": "\#(kind)", "#
        text +=
            #""created_at": "2016-01-23T18:30:\#(10 + number % 50)Z", "url": "https://example.com/\#(number)", "ratio": \#(Double(number) / 7), "#
        text +=
            #""owner": {"login": "user\#(number % 100)", "site_admin": \#(number % 2 == 0)}, "tags": ["a\#(number % 9)"], "#
        text += #""note": \#(number % 5 == 0 ? "null" : "\"text\"")}"#
    }
    return Data((text + "]}").utf8)
}

let large = output.appendingPathComponent("large.json")
try largeDocument().write(to: large)

/// Writes the classes of a source into an enum of their own, with a function that reads data as the source says.
func write(_ source: String, to space: String) throws {
    let lines = source.split(separator: "\n", omittingEmptySubsequences: false)
    let calls = lines.filter { $0.hasPrefix("// let ") }.map { line in
        let call = line.dropFirst(3).dropLast() + ", options: strict)"
        return call.drop { $0 != "=" }.dropFirst(2)
    }
    let parts = calls.map { call in
        let index = call.range(of: "at: [").flatMap { Int(call[$0.upperBound...].prefix { $0.isNumber }) }
        return "Part(index: \(index.map { "\($0)" } ?? "nil"), value: \(call))"
    }
    let classes = lines.filter { !$0.hasPrefix("import ") && !$0.hasPrefix("// let ") }.joined(separator: "\n")
    try """
    import Foundation
    import ModelMirror

    enum \(space) {
    \(classes)
        static func read(_ data: Data) throws -> [Part] { [\(parts.joined(separator: ", "))] }
    }
    """.write(to: output.appendingPathComponent("\(space).swift"), atomically: true, encoding: .utf8)
}

for path in arguments.dropFirst(2) + [large.path] {
    let file = URL(fileURLWithPath: path)
    let name = file.deletingPathExtension().lastPathComponent
    let space = "Document_" + String(name.map { $0.isLetter || $0.isNumber ? $0 : "_" })
    let data = Array(try Data(contentsOf: file))
    if file.deletingLastPathComponent().lastPathComponent == "Schemas" {
        let schema = try JSONValue(json: data)["schema"] ?? .null
        try write(ClassInference.source(schema: Array(schema.jsonData())), to: "Schema" + space.dropFirst(8))
        cases.append("try checkSchema(\"\(name)\", \"\(file.path)\", Schema\(space.dropFirst(8)).read)")
    } else {
        try write(ClassInference.source(documents: [data]), to: space)
        cases.append("try check(\"\(name)\", \"\(file.path)\", \(space).read)")
        guard ["snake-keys", "camel-collisions", "same-names", "recursion", "root-dictionary"].contains(name) else {
            continue
        }
        // Once more with the options of the command line.
        let source = try ClassInference.source(documents: [data], name: "Chosen", prefix: "Own", keys: .snake)
        let types = source.split(separator: "\n").filter { $0.hasPrefix("class ") || $0.hasPrefix("enum ") }
            .map { $0.split(separator: " ")[1] }
        guard types.contains("Chosen:"), types.allSatisfy({ $0 == "Chosen:" || $0.hasPrefix("Own") }) else {
            fatalError("\(name): not named as asked: \(types)")
        }
        try write(source, to: "Chosen" + space.dropFirst(8))
        cases.append("try check(\"\(name), with options\", \"\(file.path)\", Chosen\(space.dropFirst(8)).read)")
    }
}
try (cases + ["finish()"]).joined(separator: "\n").write(
    to: output.appendingPathComponent("main.swift"), atomically: true, encoding: .utf8)
