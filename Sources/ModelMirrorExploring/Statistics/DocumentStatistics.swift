public import ModelMirror

/// What is in documents, place by place: counts, kinds, ranges, distributions, frequent values.
///
/// ```swift
/// let statistics = DocumentStatistics(json: #"[{"id": 1, "name": "a"}, {"id": 7, "name": null}]"#)
/// print(statistics)                                   // a table
/// statistics["$[].id"]?.numbers?.mean                 // 4
/// statistics["$[].name"]?.nulls                       // 1
/// ```
///
/// Documents are read once, in memory that does not depend on their number: JSON, arrays element by element, NDJSON, concatenated
/// documents, and JSON Text Sequences (RFC 7464). All elements of an array are one place, `$.items[]`, and so are the members of an
/// object whose keys are data, `$.files{}`: if most keys are no names, or each of at least four is in less than a third of four or more
/// objects, or more than 100 are in one object or less than half of several; and all values are of one kind.
///
/// Counts, means and ranges are exact, except that numbers that `Decimal` does not hold, or of more than 1,000 digits in two, are
/// compared as `Double`s; strings are ordered by their UTF-8, of which at most 128 bytes count. Up to 512 distinct values of a place are
/// exact, too, but two spellings of a number of more than 15 digits are two values. Beyond, their number is estimated by HyperLogLog with
/// a standard error of 1.6 %. Quantiles and histograms are those of at most 2,048 values, chosen at random with a fixed seed: the rank of
/// a quantile has a standard error of at most 1.1 %. A format is that of at most 32 strings chosen likewise. Of the places, 500 are kept
/// apart; beyond, the members of the widest objects count as one.
public struct DocumentStatistics: Sendable {
    /// Something that is not JSON: it and, if it is not a line of NDJSON or a text of a sequence, the rest of its source is not counted.
    public struct Fault: Sendable, Equatable, CustomStringConvertible {
        /// The name of the source; empty for a document in memory.
        public let source: String
        /// The line, from 1.
        public let line: Int
        /// The column, from 1, in Unicode scalars.
        public let column: Int
        let sentence: String

        /// `log.ndjson:3:9: not JSON: expected ',' or '}', found the end of the document`
        public var description: String {
            (source.isEmpty ? "" : "\(source):") + "\(line):\(column): not JSON: \(sentence)"
        }
    }

    /// The number of documents.
    public let documentCount: Int
    /// The number of their bytes.
    public let byteCount: Int
    /// The places in the order of their first occurrence, each before those in it.
    public let places: [Place]
    /// What is not JSON: the first 100.
    public let faults: [Fault]
    /// The number of faults.
    public let faultCount: Int

    init(_ collector: StatisticsCollector) {
        var collector = collector
        places = collector.places()
        (documentCount, byteCount) = (collector.documents, collector.byteCount)
        (faults, faultCount) = (collector.faults, collector.faultCount)
    }

    /// Reads a document, or several, in memory.
    public init(json: some JSONInput) {
        var bytes: [UInt8] = []
        json.withJSONBytes { bytes = Array(UnsafeBufferPointer(start: $0, count: $1)) }
        var collector = StatisticsCollector(mostPlaces: DocumentStatistics.mostPlaces)
        do throws(ByteSource.Failure) { try collector.add(ByteSource(bytes), name: "") } catch { collector.add(error) }
        self.init(collector)
    }

    /// The place with a path: `$.items[].id`.
    public subscript(path: String) -> Place? { places.first { $0.path == path } }

    static let mostPlaces = 500
    /// The largest number of faults listed.
    static let mostFaults = 100
    /// The largest number of a place's frequent values.
    static let mostFrequent = 10
}

extension DocumentStatistics {
    /// The values at a place.
    public struct Place: Sendable {
        /// The path: `$.items[].owner.login`, `$.files{}`.
        public let path: String
        /// The number of values, nulls included.
        public let count: Int
        /// The number of objects that lack the member. 0 for elements and members whose keys are data.
        public let missing: Int
        /// The number of values of each kind, of `object`, `array`, `string`, `number`, `boolean` and `null`; none is 0.
        public let kinds: [String: Int]
        /// The number of distinct strings, numbers and Booleans.
        public let distinct: Int
        /// Whether ``distinct`` and the counts of ``frequent`` are exact.
        public let isExact: Bool
        /// At most ten values, the most frequent first. Numbers of more than 64 bytes are left out.
        public let frequent: [FrequentValue]
        /// Nil without numbers.
        public let numbers: Numbers?
        /// Nil without strings.
        public let strings: Strings?
        /// The numbers of elements of the arrays; nil without arrays.
        public let elements: Lengths?
        /// The number of steps from the root.
        let depth: Int

        /// The number of nulls.
        public var nulls: Int { kinds["null"] ?? 0 }
    }

    /// A value and its number of occurrences.
    public struct FrequentValue: Sendable, Equatable {
        /// The value; of a string with more than 64 bytes the beginning and `…`.
        public let value: JSONValue
        /// The number of occurrences; if it is not exact, at least so many.
        public let count: Int
    }

    /// Numbers at a place.
    public struct Numbers: Sendable {
        /// The least number, as written.
        public let minimum: JSONNumber
        /// The greatest number, as written.
        public let maximum: JSONNumber
        /// The mean; infinite or not a number if a number is beyond `Double`.
        public let mean: Double
        /// Whether all numbers are integers: without a fraction or an exponent.
        public let areIntegers: Bool
        /// Whether quantiles and histogram are exact.
        public let isWhole: Bool
        let sample: [Double]

        /// The number below which a share of the numbers is, interpolated.
        ///
        /// - Parameter share: From 0 to 1; 0.5 for the median; for NaN, the result is NaN.
        public func quantile(_ share: Double) -> Double {
            guard !share.isNaN else { return .nan }
            let rank = min(max(share, 0), 1) * Double(sample.count - 1)
            let lower = Int(rank)
            let upper = min(lower + 1, sample.count - 1)
            // No difference to an infinite number can be interpolated.
            guard rank > Double(lower), sample[lower] != sample[upper] else { return sample[lower] }
            return sample[lower] + (sample[upper] - sample[lower]) * (rank - Double(lower))
        }

        /// The numbers in each of some parts of equal width between minimum and maximum; of the sample, if it is not whole. One part if
        /// all numbers are equal, or their range is infinite.
        public func histogram(_ parts: Int) -> [Int] {
            var counts = [Int](repeating: 0, count: max(parts, 1))
            let (least, width) = (minimum.double ?? 0, (maximum.double ?? 0) - (minimum.double ?? 0))
            guard width > 0, width.isFinite else { return [sample.count] }
            for number in sample {
                let part = (number - least) / width * Double(counts.count)
                counts[Int(min(max(part, 0), Double(counts.count - 1)))] += 1
            }
            return counts
        }
    }

    /// Strings at a place.
    public struct Strings: Sendable {
        /// The first and the last by their UTF-8; of long ones the beginning.
        public let minimum: String, maximum: String
        /// The numbers of Unicode scalars.
        public let lengths: Lengths
        /// `UUID`, `URL`, `color`, or the format of dates, such as `ISO 8601` and `yyyy-MM-dd`; nil for others.
        public let format: String?
    }

    /// The range and the mean of lengths.
    public struct Lengths: Sendable, Equatable {
        /// The least length.
        public let minimum: Int
        /// The greatest length.
        public let maximum: Int
        /// The mean.
        public let mean: Double

        fileprivate init?(_ tally: LengthTally) {
            if tally.count == 0 { return nil }
            (minimum, maximum, mean) = (tally.least, tally.greatest, tally.mean)
        }
    }
}

extension DocumentStatistics.Place {
    /// - Parameter key: The key of the member, or of the member around elements.
    init(_ path: String, depth: Int, _ tally: PlaceTally, missing: Int, key: String) {
        self.path = path
        self.depth = depth
        self.missing = missing
        count = tally.count
        kinds = Dictionary(uniqueKeysWithValues: tally.kinds.map { ($0.kind.rawValue, $0.count) })
        distinct = tally.values.distinct + (tally.trues > 0 ? 1 : 0) + (tally.falses > 0 ? 1 : 0)
        isExact = tally.values.isExact
        let values = tally.values.frequent(DocumentStatistics.mostFrequent).compactMap(
            DocumentStatistics.FrequentValue.init)
        let booleans = [(true, tally.trues), (false, tally.falses)].filter { $0.1 > 0 }
            .map { DocumentStatistics.FrequentValue(value: .bool($0.0), count: $0.1) }
        frequent = Array((values + booleans).sorted { $0.count > $1.count }.prefix(DocumentStatistics.mostFrequent))
        numbers = DocumentStatistics.Numbers(tally)
        strings = DocumentStatistics.Strings(tally, key: key)
        elements = DocumentStatistics.Lengths(tally.elements)
    }
}

extension DocumentStatistics.FrequentValue {
    fileprivate init?(_ value: ValueTally.Value) {
        count = value.count
        if value.isString {
            self.value = .string(value.text + (value.isCut ? "…" : ""))
        } else {
            guard !value.isCut, let number = JSONNumber(value.text) else { return nil }
            self.value = .number(number)
        }
    }
}

extension DocumentStatistics.Numbers {
    fileprivate init?(_ tally: PlaceTally) {
        let numbers = tally.numbers
        guard let first = JSONNumber(String(decoding: numbers.first, as: UTF8.self)),
            let last = JSONNumber(String(decoding: numbers.last, as: UTF8.self))
        else { return nil }
        (minimum, maximum, mean) = (first, last, numbers.mean)
        areIntegers = tally.fractions == 0
        isWhole = numbers.sample.isWhole
        sample = numbers.sample.elements.sorted()
    }
}

extension DocumentStatistics.Strings {
    fileprivate init?(_ tally: PlaceTally, key: String) {
        guard let lengths = DocumentStatistics.Lengths(tally.lengths) else { return nil }
        self.lengths = lengths
        minimum = String(decoding: tally.first, as: UTF8.self)
        maximum = String(decoding: tally.last, as: UTF8.self)
        var samples = TextSamples()
        for text in tally.texts.elements { samples.add(String(decoding: text, as: UTF8.self)) }
        format =
            switch samples.shape(key: key, isElement: false) {
            case .date(.pattern(let pattern)): pattern
            case .date(.httpDate): "HTTP date"
            case .date: "ISO 8601"
            case .uuid: "UUID"
            case .url: "URL"
            case .color: "color"
            default: nil
            }
    }
}
