/// An entry point of the libraries that accepts any bytes, and the rules that must hold for them.
struct FuzzTarget: Sendable {
    /// The result of checking an input.
    enum Verdict {
        case accepted
        case refused
        /// A description of the broken rule.
        case broken(String)
    }

    let name: String
    /// Valid inputs, from which mutations start.
    let seeds: [[UInt8]]
    /// Words that mutations insert.
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

    /// A class with a property for every kind of conversion: trees and classes agree, and an object survives writing and reading.
    static let documents = FuzzTarget(
        "documents", seeds: Mutations.documents, words: Mutations.words, check: Rules.check)
}
