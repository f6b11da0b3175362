import Foundation
import ModelMirror

/// Objects to JSON.
enum WritingRows {
    static func all(_ documents: Documents) throws -> [Row] {
        let gists = try [Gist](json: documents.gists)
        let decoded = try JSONDecoder().decode([CodableGist].self, from: Data(documents.gists))
        let encoder = JSONEncoder()
        return [
            Row(
                group: .writing, name: "gists", bytes: try gists.jsonData().count,
                contestants: [
                    Row.Contestant("ModelMirror") { _ = try gists.jsonData() },
                    Row.Contestant("JSONEncoder") { _ = try encoder.encode(decoded) },
                ]
            ) {
                let written = try JSONDecoder().decode([CodableGist].self, from: encoder.encode(decoded))
                return Comparison.difference(try [Gist](json: gists.jsonData()), written)
            }
        ]
    }
}
