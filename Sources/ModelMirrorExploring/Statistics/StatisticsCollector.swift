import ModelMirror

/// Counts the values of documents by their places, in one pass and bounded memory.
struct StatisticsCollector {
    private var tree: PlaceTree
    private(set) var documents = 0
    private(set) var faults: [DocumentStatistics.Fault] = []
    private(set) var faultCount = 0
    private(set) var byteCount = 0
    /// What could not be read of a source without documents.
    private(set) var unread: [UInt8] = []
    /// The containers that are open, with the number of their members or elements.
    private var open: [(place: Int, isObject: Bool, number: Int, count: Int)] = []
    private var objectCount = 0

    /// - Parameter mostPlaces: The largest number of places. Beyond it, members of the widest objects count as one.
    init(mostPlaces: Int) { tree = PlaceTree(most: mostPlaces) }

    /// Counts all documents of a source.
    ///
    /// - Parameters:
    ///   - name: The name of the source, for faults.
    ///   - progress: Called for each document.
    mutating func add(
        _ source: ByteSource, name: String, progress: (Int) -> Void = { _ in }
    ) throws(ByteSource.Failure) {
        var reader = DocumentReader(source, splitsArrays: true)
        while let piece = try reader.next() {
            switch piece {
            case .document(let range):
                documents += 1
                add(reader.tape.tokens, reader.buffer, at: 0)
                byteCount += range.count
                progress(source.position)
            case .element:
                add(reader.tape.tokens, reader.buffer, at: tree.element(of: 0))
                progress(source.position)
            case .arrayEnd(let count):
                documents += 1
                tree[0].add(array: count)
                byteCount += reader.arrayBytes
            case .fault(let fault):
                faultCount += 1
                if fault.isFatal, documents == 0 { unread = Array(reader.buffer.prefix(4096)) }
                guard faults.count < DocumentStatistics.mostFaults else { continue }
                faults.append(
                    DocumentStatistics.Fault(
                        source: name, line: fault.place.line, column: fault.place.column, sentence: fault.sentence))
            }
            if tree.isFull { tree.shrink() }
        }
    }

    /// Counts a source in memory that cannot be read as a fault.
    mutating func add(_ failure: ByteSource.Failure) {
        faultCount += 1
        faults.append(DocumentStatistics.Fault(source: "", line: 1, column: 1, sentence: failure.reason))
    }

    /// The places with values, each before those in it.
    mutating func places() -> [DocumentStatistics.Place] {
        tree.mergeDataKeys()
        var found: [DocumentStatistics.Place] = []
        var rest: [(place: Int, path: String, depth: Int, key: String, parent: Int?)] = [(0, "$", 0, "", nil)]
        while let next = rest.popLast() {
            let place = tree.places[next.place]
            // Of any member, no object lacks it.
            let missing = next.parent.map { max($0 - place.tally.present, 0) } ?? 0
            if place.tally.count > 0 || next.place == 0 && documents > 0 {
                found.append(
                    DocumentStatistics.Place(
                        next.path, depth: next.depth, place.tally, missing: missing, key: next.key))
            }
            for member in place.members.reversed() {
                let key = String(decoding: tree.places[member].key, as: UTF8.self)
                let step = place.hasDataKeys ? "{}" : String("\(JSONPath([.key(key)]))".dropFirst())
                rest.append(
                    (member, next.path + step, next.depth + 1, key, place.hasDataKeys ? nil : place.tally.objects))
            }
            if place.element > 0 { rest.append((place.element, next.path + "[]", next.depth + 1, next.key, nil)) }
        }
        return found
    }

    // MARK: Values

    /// Counts a value and what is in it.
    ///
    /// - Parameter place: The place of the value.
    private mutating func add(_ tokens: ContiguousArray<JSONTape.Token>, _ buffer: [UInt8], at place: Int) {
        let slice = buffer[...]
        let bytes = slice.span
        open.removeAll(keepingCapacity: true)
        var place = place
        for token in tokens {
            switch token.kind {
            case .key:
                let last = open.count - 1
                let hint = open[last].count
                open[last].count += 1
                let object = open[last].place
                if token.isEscaped {
                    let slice = JSONTape.unescaped(buffer, token)[...]
                    place = tree.member(of: object, slice.span, 0..<slice.count, hint: hint)
                } else {
                    place = tree.member(of: object, bytes, token.range, hint: hint)
                }
                if tree[place].lastObject != open[last].number {
                    tree[place].lastObject = open[last].number
                    tree[place].present += 1
                }
                continue
            case .object:
                tree[place].objects += 1
                objectCount += 1
                open.append((place, true, objectCount, 0))
                continue
            case .array:
                open.append((place, false, 0, 0))
                place = tree.element(of: place)
                continue
            case .objectEnd: open.removeLast()
            case .arrayEnd:
                let array = open.removeLast()
                tree[array.place].add(array: array.count)
            case .string:
                if token.isEscaped {
                    let slice = JSONTape.unescaped(buffer, token)[...]
                    tree[place].add(string: slice.span, 0..<slice.count, isWide: true)
                } else {
                    tree[place].add(string: bytes, token.range, isWide: token.isWide)
                }
            case .integer, .number:
                tree[place].add(number: bytes, token.range, isInteger: token.kind.isInteger)
            case .true: tree[place].trues += 1
            case .false: tree[place].falses += 1
            case .null: tree[place].nulls += 1
            }
            // The next element is at the same place.
            guard let container = open.last, !container.isObject else { continue }
            open[open.count - 1].count += 1
            place = tree.element(of: container.place)
        }
    }
}
