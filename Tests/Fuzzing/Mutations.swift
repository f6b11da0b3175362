/// Inputs made from valid ones by random changes, the same for the same seed.
struct Mutations {
    private var state: UInt64
    private let seeds: [[UInt8]]
    private let words: [[UInt8]]

    /// - Parameters:
    ///   - seed: The seed of the random changes.
    ///   - seeds: The inputs to change.
    ///   - words: The words to insert.
    init(seed: UInt64, seeds: [[UInt8]], words: [[UInt8]]) {
        state = seed
        self.seeds = seeds
        self.words = words
    }

    /// The next input.
    mutating func next() -> [UInt8] {
        var bytes = seeds[below(seeds.count)]
        for _ in 0..<below(6) { mutate(&bytes) }
        return bytes
    }

    private mutating func mutate(_ bytes: inout [UInt8]) {
        let position = below(bytes.count + 1)
        switch below(7) {
        case 0 where position < bytes.count: bytes[position] = UInt8(below(256))
        case 1 where position < bytes.count: bytes[position] ^= 1 << UInt8(below(8))
        case 2: bytes.removeSubrange(position..<min(bytes.count, position + below(9)))
        case 3: bytes.insert(contentsOf: words[below(words.count)], at: position)
        case 4: bytes.removeSubrange(position...)
        case 5:
            let end = min(bytes.count, position + below(40))
            bytes.insert(contentsOf: bytes[position..<end], at: below(bytes.count + 1))
        default:
            let other = seeds[below(seeds.count)]
            let start = below(other.count)
            bytes.insert(contentsOf: other[start..<min(other.count, start + below(40))], at: position)
        }
    }

    private mutating func below(_ limit: Int) -> Int { Int(random() % UInt64(max(limit, 1))) }

    /// SplitMix64.
    private mutating func random() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
        return value ^ value >> 31
    }

    /// JSON to start from.
    static let documents: [[UInt8]] = [
        #"{"text":"a\u00e9\ud83d\ude00\n","count":42,"ratio":-1.5e-3,"flag":true,"tags":["x","yé"],"child":{"text":"b"}}"#,
        #"{"table":{"a":[1,2],"b":[]},"date":"2016-01-23T18:30:00.123+02:00","url":"https://x.org/a b","data":"QUJD"}"#,
        #"{"children":[{"text":"c","children":[{"text":"d"}]},{"count":"7"}],"free":{"k":[null,1e400,0.10]},"price":0.1}"#,
        #"{"plan":"pro","id":"0F9B1C3E-6A5D-4F0B-8C1D-2E3F4A5B6C7D","big":170141183460469231731687303715884105727}"#,
        #" { "text" : "long enough for two words of eight bytes, and a \"quote\"" , "path" : { "in" : [ 0 , "deep" ] } } "#,
        #"{"slice":"ab","numbers":{"1":[true],"-2":[]},"double":7,"stored":1.5,"share":250,"any":[1,"a",{"b":null}]}"#,
        #"{"freeForm":{"k":{"l":[0.1,true,"x"]},"m":1e3},"any":{"n":-0.0},"double":null,"slice":null,"numbers":{"x":[]}}"#,
        "[[[[[[[[]]]]]]]]", #"{"text":null,"count":null,"tags":null,"child":null}"#,
    ].map { Array($0.utf8) }

    /// Parts of JSON, and invalid ones.
    static let words: [[UInt8]] = [
        "\"", "\\", "\\u", "\\ud800", "\\u0000", "{", "}", "[", "]", ",", ":", "null", "true", "-", "0", "01", "1.",
        "1e", "1e999",
        "9223372036854775808", "-0", "\u{FEFF}", "é", "\u{0}", "\u{1F}", "\"count\":", "\"text\":\"", "\"children\":[",
        " ", "\n",
        "{\"child\":", "[[", "]]",
    ].map { Array($0.utf8) }
}
