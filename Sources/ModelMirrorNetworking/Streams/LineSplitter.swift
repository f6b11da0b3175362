import ModelMirror
import ModelMirrorFoundation

/// Finds the objects of newline-delimited JSON: one document per line; empty lines are skipped.
struct LineSplitter<Element>: StreamSplitter {
    private let limit: Int
    private let options: MappingOptions
    private var lines = LineScanner(endsAtReturn: false)
    private var index = 0
    /// The first line while it is the only one.
    private var onlyLine: [UInt8]?

    init(limit: Int, options: MappingOptions) {
        self.limit = max(limit, 1)
        self.options = options
    }

    mutating func take(_ chunk: Data?) { lines.take(chunk) }

    mutating func next() throws -> SendingBox<Element>? {
        while true {
            let isWhole = lines.advance() || lines.endLine()
            guard (isWhole ? lines.line.count : lines.gatheredCount) <= limit else {
                throw StreamError.tooLarge(.line, at: path, lines.place, limit: limit)
            }
            guard isWhole else { return nil }
            if lines.line.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) { continue }
            onlyLine = index == 0 ? lines.line : nil
            defer { index += 1 }
            if let object = try mapped() { return object }
        }
    }

    mutating func conclude(_ checkEnvelope: (Data) throws -> Void) throws {
        if let onlyLine { try checkEnvelope(Data(onlyLine)) }
    }

    private var path: JSONPath { JSONPath([.index(index)]) }

    /// The object made from the line; nil if it is skipped.
    private func mapped() throws(ModelError) -> SendingBox<Element>? {
        do throws(ModelError) {
            return SendingBox(try JSONMapper.value(Element.self, from: lines.line, options: options))
        } catch .invalidValues {
            // It is JSON but does not fit the class: like an element of an array, it may be skipped.
            let array = [UInt8(ascii: "[")] + lines.line + [UInt8(ascii: "]")]
            return try SendingBox(element: array, at: path, lines.place, options: options.around(Element.self))
        } catch {
            throw error.moved(path: { JSONPath(path.steps + $0.steps) }, place: lines.place.moved)
        }
    }
}
