import Foundation
import ModelMirrorExploring

// infer FILE... [--name N] [--keys K]
var files: [String] = []; var name: String?; var keys: KeyStyle?
var args = CommandLine.arguments.dropFirst().makeIterator()
while let a = args.next() {
    if a == "--name" {
        name = args.next()
    } else if a == "--keys" {
        keys = args.next().flatMap(KeyStyle.init)
    } else {
        files.append(a)
    }
}
do {
    print(
        try ClassInference.source(
            documents: files.map { Array(try Data(contentsOf: URL(fileURLWithPath: $0))) }, name: name, keys: keys),
        terminator: "")
} catch { print("error:", error); exit(1) }
