// Writes the classes inferred from many schemas as one program, which says for each document whether they map it strictly.
//
//     suite CASES OUTPUT
//
// CASES has a line for each schema: {"number": 7, "root": SCHEMA, "member": SCHEMA}, of which the second has the first as the
// required property `a`, for what no class can be the root of. Prints a line for each schema without classes.

import Foundation
import ModelMirror
import ModelMirrorExploring

let (cases, output) = (CommandLine.arguments[1], URL(fileURLWithPath: CommandLine.arguments[2]))
var entries: [String] = []
var files: [String] = []

/// The classes of a schema in an enum of their own, with a function that reads data as their source says.
func text(_ source: String, in space: String) -> String {
    let lines = source.split(separator: "\n", omittingEmptySubsequences: false)
    let call = (lines.first { $0.hasPrefix("// let ") } ?? "").drop { $0 != "=" }.dropFirst(2).dropLast()
    let classes = lines.filter { !$0.hasPrefix("import ") && !$0.hasPrefix("// ") }.joined(separator: "\n")
    return "enum \(space) {\n\(classes)\nstatic func read(_ data: Data) throws { _ = \(call), options: .strict) }\n}\n"
}

for line in try String(contentsOfFile: cases, encoding: .utf8).split(separator: "\n") {
    let entry = try JSONValue(json: String(line))
    guard let number = entry["number"]?.int, let root = entry["root"], let member = entry["member"] else { continue }
    do {
        let source: String
        var isMember = root.isNull
        do {
            if isMember { throw InferenceError.noClass(found: "") }
            source = try ClassInference.source(schema: Array(root.jsonData()))
        } catch InferenceError.noClass {
            isMember = true
            source = try ClassInference.source(schema: Array(member.jsonData()))
        }
        files.append(text(source, in: "Schema\(number)"))
        entries.append("\(number): (\(isMember), Schema\(number).read)")
    } catch {
        print("\(number) \(error)")
    }
}
for start in stride(from: 0, to: files.count, by: 30) {
    let text = "import Foundation\nimport ModelMirror\n" + files[start..<min(start + 30, files.count)].joined()
    try text.write(to: output.appendingPathComponent("Schemas\(start).swift"), atomically: true, encoding: .utf8)
}
try """
import Foundation
import ModelMirror

let read: [Int: (isMember: Bool, read: (Data) throws -> Void)] = [
    \(entries.joined(separator: ",\n    "))
]
while let line = readLine() {
    let parts = line.split(separator: " ", maxSplits: 1)
    guard let schema = read[Int(parts[0]) ?? 0] else { continue }
    do {
        try schema.read(Data((schema.isMember ? "{\\"a\\": \\(parts[1])}" : parts[1]).utf8))
        print("mapped")
    } catch ModelError.invalidValues {
        print("refused")
    } catch {
        print("failed: \\(error)")
    }
}
""".write(to: output.appendingPathComponent("main.swift"), atomically: true, encoding: .utf8)
