import ModelMirrorFoundation
import Synchronization

/// The members of ``MappingOptions`` that decide how property tables are made, rather than how one value is read.
struct TableRules: Sendable {
    var dates: (any Converter<Date>)?
    var keyStrategy: KeyStrategy?
    var nonFiniteNumbers: NonFiniteNumbers?
    var decoder: JSONDecoder?
    var encoder: JSONEncoder?
    /// The rules of the call without those of the class, for the models inside of a `Codable` value.
    var ofCall = MappingOptions()

    /// Whether none is set.
    var isEmpty: Bool {
        dates == nil && keyStrategy == nil && nonFiniteNumbers == nil && decoder == nil && encoder == nil
    }

    /// These rules, which are those of a call, with those of `other` where they are not set.
    func over(_ other: TableRules) -> TableRules {
        var call = MappingOptions()
        call.rules = self
        return TableRules(
            dates: dates ?? other.dates, keyStrategy: keyStrategy ?? other.keyStrategy,
            nonFiniteNumbers: nonFiniteNumbers ?? other.nonFiniteNumbers, decoder: decoder ?? other.decoder,
            encoder: encoder ?? other.encoder, ofCall: call)
    }
}

/// The table rules of one value of ``MappingOptions``, shared by its copies, and the tables that `Reflection/` makes for them.
final class SharedTableRules: Sendable {
    let rules: TableRules
    /// The tables that follow the rules; nil until they are needed.
    let tables = Mutex<(any AnyObject & Sendable)?>(nil)

    init(_ rules: TableRules) { self.rules = rules }
}
