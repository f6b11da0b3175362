import Foundation
import ModelMirror

/// The measured documents.
struct Documents {
    /// What the numbers of elements are divided by: a debug build takes many times as long.
    #if DEBUG
    static let divisor = 10
    #else
    static let divisor = 1
    #endif

    let gists = GistsDocument.bytes(count: 2000 / divisor)
    let small = GistsDocument.smallObject()
    let tiny = Documents.array(100_000 / divisor) { #"{"id":\#($0),"ok":\#($0.isMultiple(of: 3))}"# }
    /// 3 of the 17 members of a ``PartialAccount``.
    let sparse = Documents.array(20_000 / divisor) { #"{"login":"user\#($0)","id":\#($0),"type":"User"}"# }
    /// 4 of 6 values are null.
    let nulls = Documents.array(20_000 / divisor) {
        #"{"id":\#($0),"name":null,"parent":null,"ratio":null,"flag":null,"title":"title \#($0)"}"#
    }
    /// The files of `MODELMIRROR_DATA`, by name.
    private let files: [String: Data]
    /// The names of the missing files.
    let skipped: [String]

    init() throws {
        let folder = ProcessInfo.processInfo.environment["MODELMIRROR_DATA"].map { URL(fileURLWithPath: $0) }
        var files: [String: Data] = [:]
        var skipped: [String] = []
        for name in ["twitter.json", "citm_catalog.json", "canada.json"] {
            let file = folder?.appendingPathComponent(name)
            if let file, FileManager.default.fileExists(atPath: file.path) {
                files[name] = try Data(contentsOf: file)
            } else {
                skipped.append(name)
            }
        }
        (self.files, self.skipped) = (files, skipped)
    }

    /// The bytes of a file; nil if it is missing.
    func file(_ name: String) -> Data? { files[name] }

    static func array(_ count: Int, _ element: (Int) -> String) -> [UInt8] {
        Array("[\((0..<count).map(element).joined(separator: ","))]".utf8)
    }
}
