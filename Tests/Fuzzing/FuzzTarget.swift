/// An entry point of the libraries that takes any bytes, and the rule that must hold for them.
struct FuzzTarget: Sendable {
    /// What a target says of some bytes.
    enum Verdict {
        case accepted
        case refused
        /// The rule that does not hold, as a sentence.
        case broken(String)
    }

    let name: String
    /// Good inputs, which mutations start from.
    let seeds: [[UInt8]]
    /// What mutations put in.
    let words: [[UInt8]]
    let check: @Sendable ([UInt8]) -> Verdict

    init(
        _ name: String, seeds: [[UInt8]], words: [[UInt8]], check: @escaping @Sendable ([UInt8]) -> Verdict
    ) {
        self.name = name
        self.seeds = seeds
        self.words = words
        self.check = check
    }

    static let all: [FuzzTarget] =
        [
            documents, options, updates, texts, numbers, peers, elements, lines, events, headers, responses,
            requests, parts,
        ] + withTrait

    #if canImport(FoundationNetworking) && FoundationNetworking
    private static let withTrait = [cookies]
    #else
    private static let withTrait: [FuzzTarget] = []
    #endif

    /// One class with a property for every kind of conversion; trees and classes agree, and what is read is written and read back.
    static let documents = FuzzTarget(
        "documents", seeds: Mutations.documents, words: Mutations.words, check: Rules.check)
}
