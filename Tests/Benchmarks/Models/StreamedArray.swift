import Foundation
import ModelMirror

/// One object of a ``StreamedArray``.
final class StreamedEntry: AbstractModel {
    var id = 0
    var name = ""
    var tags: [String] = []
    var text = ""
}

/// A large array of objects, created piece by piece.
///
///     [{"id":1,"name":"entry 1","tags":["even","odd"],"text":"…"},{"id":2,…},…]
///
/// The size of an object follows from its id, so that server and client know the array without communicating.
struct StreamedArray {
    /// The number of objects; their ids are 1 to this.
    let count: Int
    /// Bytes, brackets and commas included.
    let byteCount: Int

    /// - Parameter megabytes: The minimum size, in millions of bytes.
    init(megabytes: Int) {
        var (count, byteCount) = (0, 1)
        while byteCount < megabytes * 1_000_000 {
            count += 1
            byteCount += StreamedArray.size(of: count)
        }
        self.count = count
        self.byteCount = byteCount
    }

    /// The sum of all ids.
    var sum: Int { count * (count + 1) / 2 }

    /// The bytes of an object and of the comma or bracket after it: 300 to 1,700.
    static func size(of id: Int) -> Int { 300 + id * 7919 % 1401 }

    /// Creates the array in pieces of about 64 KiB.
    func forEachPiece(_ body: (Data) throws -> Void) rethrows {
        var piece = Data("[".utf8)
        for id in 1...count {
            append(id, to: &piece)
            if piece.count >= 1 << 16 || id == count {
                try body(piece)
                piece.removeAll(keepingCapacity: true)
            }
        }
    }

    private func append(_ id: Int, to piece: inout Data) {
        let start = piece.count
        piece.append(contentsOf: #"{"id":\#(id),"name":"entry \#(id)","tags":["even","odd"],"text":""#.utf8)
        let end = id == count ? #""}]"# : #""},"#
        let padding = StreamedArray.size(of: id) - (piece.count - start) - end.utf8.count
        piece.append(contentsOf: repeatElement(UInt8(ascii: "x"), count: padding))
        piece.append(contentsOf: end.utf8)
    }
}
