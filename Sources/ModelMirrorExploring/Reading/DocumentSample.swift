import ModelMirror

/// Documents of sources, chosen at random and in their order. If a source is one array, its elements are chosen.
struct DocumentSample {
    /// A document or an element, with the bytes around it that are shown.
    struct Part {
        /// The number among all documents and elements.
        let number: Int
        /// The name of the source.
        let source: String
        /// The number of the array, and the index in it; nil for a document.
        let element: (array: Int, index: Int)?
        let content: DocumentReader.Part
    }

    /// The number of top-level documents that were offered.
    private(set) var documentCount = 0
    private var reservoir: Reservoir<Part>
    private var (arrays, elements) = (0, 0)
    /// An array that is the only document so far of its source.
    private var array: DocumentReader.Part?
    private var isFirst = true

    /// - Parameter seed: Nil for a fixed one.
    init(_ size: Int, seed: UInt64?) { reservoir = Reservoir(size, seed: seed) }

    var parts: [Part] { reservoir.elements.sorted { $0.number < $1.number } }

    /// The number of documents and elements that were offered.
    var count: Int { reservoir.count }

    /// `a sample of 100 of 5000 documents`; nil if all are in it.
    var note: String? {
        reservoir.isWhole ? nil : "a sample of \(reservoir.elements.count) of \(reservoir.count) documents"
    }

    /// Offers a piece of a source, or its end.
    mutating func offer(
        _ piece: DocumentReader.Piece?, of reader: inout DocumentReader, _ source: String
    ) throws(ByteSource.Failure) {
        if let array {
            self.array = nil
            if piece == nil { try offerElements(of: array, source) } else { offer(array, source, nil) }
        }
        switch piece {
        case .document(let range):
            documentCount += 1
            let part = try reader.part(range)
            if isFirst, reader.splitsArrays, reader.buffer[range.lowerBound] == UInt8(ascii: "[") {
                array = part
            } else {
                offer(part, source, nil)
            }
        case .element(let range):
            if elements == 0 { arrays += 1 }
            offer(try reader.part(range), source, elements)
            elements += 1
        case .arrayEnd: documentCount += 1
        case .fault, nil: break
        }
        isFirst = piece == nil
        if case .element = piece {} else { elements = 0 }
    }

    private mutating func offerElements(of array: DocumentReader.Part, _ source: String) throws(ByteSource.Failure) {
        var reader = DocumentReader(array, splitsArray: true)
        arrays += 1
        var index = 0
        while case .element(let range)? = try reader.next() {
            offer(try reader.part(range), source, index)
            index += 1
        }
        if index == 0 { offer(array, source, nil) }
    }

    private mutating func offer(_ content: DocumentReader.Part, _ source: String, _ index: Int?) {
        let element = index.map { (array: arrays, index: $0) }
        let part = Part(number: reservoir.count, source: source, element: element, content: content)
        reservoir.offer(part)
    }
}
