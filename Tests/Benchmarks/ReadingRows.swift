import Foundation
import ModelMirror

/// JSON to objects: against Foundation, and against the lower limits of any mapper.
///
/// The two limits of a document are the reader alone, which checks every byte and creates nothing, and the same objects and strings
/// created by hand from existing objects. Their ratios are their shares of the mapping.
enum ReadingRows {
    static func all(_ documents: Documents) throws -> [Row] {
        let dates = JSONDecoder()
        dates.dateDecodingStrategy = .iso8601
        return [
            row("gists", documents.gists, [CodableGist].self, copy: { $0.map { $0.madeByHand() } }) {
                try [Gist](json: $0)
            },
            row(
                "gists with URL and Date", documents.gists, [CodableTypedGist].self, dates,
                copy: { $0.map { $0.madeByHand() } }
            ) {
                try [TypedGist](json: $0)
            },
            row("small object", documents.small, CodableSmallAccount.self, repeats: 500, copy: { $0.madeByHand() }) {
                try SmallAccount(json: $0)
            },
            row("tiny", documents.tiny, [CodableTinyObject].self, copy: { $0.map { $0.madeByHand() } }) {
                try [TinyObject](json: $0)
            },
            row("sparse", documents.sparse, [CodablePartialAccount].self, copy: { $0.map { $0.madeByHand() } }) {
                try [PartialAccount](json: $0)
            },
            row("nulls", documents.nulls, [CodableBlank].self, copy: { $0.map { $0.madeByHand() } }) {
                try [Blank](json: $0)
            },
        ] + files(documents) + [try dictionaries(documents)]
    }

    /// The contestants of the lower limits, at the end of each row of a document.
    static let limits: ArraySlice = ["reader alone", "objects by hand"]

    private static func files(_ documents: Documents) -> [Row] {
        [
            documents.file("twitter.json").map {
                row("twitter.json", Array($0), CodableTimeline.self, copy: { $0.madeByHand() }) {
                    try Timeline(json: $0)
                }
            },
            documents.file("citm_catalog.json").map {
                row("citm_catalog.json", Array($0), CodableCatalog.self, copy: { $0.madeByHand() }) {
                    try Catalog(json: $0)
                }
            },
            documents.file("canada.json").map {
                row("canada.json", Array($0), CodableOutline.self, copy: { $0.madeByHand() }) { try Outline(json: $0) }
            },
        ].compactMap(\.self)
    }

    private static func row<Mapped, Decoded: Decodable>(
        _ name: String, _ bytes: [UInt8], _ type: Decoded.Type, _ decoder: JSONDecoder = JSONDecoder(),
        repeats: Int = 1, copy: @escaping (Mapped) -> Mapped, map: @escaping ([UInt8]) throws -> Mapped
    ) -> Row {
        let data = Data(bytes)
        var contestants = [
            Row.Contestant("ModelMirror") { _ = try map(bytes) },
            Row.Contestant("JSONDecoder") { _ = try decoder.decode(type, from: data) },
            Row.Contestant("JSONSerialization, no objects") { _ = try JSONSerialization.jsonObject(with: data) },
            Row.Contestant(limits[0]) { try ValueReading.check(bytes, options: .init()) },
        ]
        var original: Mapped?
        contestants.append(
            Row.Contestant(limits[1]) {
                let mapped = try original ?? map(bytes)
                original = mapped
                _ = copy(mapped)
            })
        return Row(group: .reading, name: name, bytes: bytes.count, repeats: repeats, contestants: contestants) {
            let mapped = try map(bytes)
            return Comparison.difference(mapped, try decoder.decode(type, from: data))
                ?? Comparison.difference(mapped, copy(mapped))
        }
    }

    /// Mapping dictionaries of `JSONSerialization`, against creating them.
    private static func dictionaries(_ documents: Documents) throws -> Row {
        let bytes = documents.gists
        let data = Data(bytes)
        let dictionaries = try JSONSerialization.jsonObject(with: data) as? [[String: Any]] ?? []
        return Row(
            group: .reading, name: "init(dictionaries:)", bytes: bytes.count,
            contestants: [
                Row.Contestant("ModelMirror") { _ = try [Gist](dictionaries: dictionaries) },
                Row.Contestant("JSONSerialization, no objects") { _ = try JSONSerialization.jsonObject(with: data) },
            ]
        ) { Comparison.difference(try [Gist](dictionaries: dictionaries), try [Gist](json: bytes)) }
    }
}

/// The gists in documents of growing size.
enum SizeRows {
    static func all() -> [Row] {
        let decoder = JSONDecoder()
        return [1, 10, 100, 1000, 10_000].filter { $0 <= 10_000 / Documents.divisor }.map { count in
            let bytes = GistsDocument.bytes(count: count)
            let data = Data(bytes)
            return Row(
                group: .sizes, name: "gists × \(count)", bytes: bytes.count, repeats: max(1000 / count, 1),
                contestants: [
                    Row.Contestant("ModelMirror") { _ = try [Gist](json: bytes) },
                    Row.Contestant("JSONDecoder") { _ = try decoder.decode([CodableGist].self, from: data) },
                    Row.Contestant("JSONSerialization, no objects") {
                        _ = try JSONSerialization.jsonObject(with: data)
                    },
                ]
            ) { Comparison.difference(try [Gist](json: bytes), try decoder.decode([CodableGist].self, from: data)) }
        }
    }
}
