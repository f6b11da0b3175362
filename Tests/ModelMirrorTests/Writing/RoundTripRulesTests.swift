import Foundation
import ModelMirror
import Testing

@propertyWrapper private struct Boxed<Value> {
    var wrappedValue: Value
}

@propertyWrapper private struct Even: MappableWrapper {
    private var half = 0
    var wrappedValue: Int {
        get { half * 2 }
        set { half = newValue / 2 }
    }
    init(wrappedValue: Int) { self.wrappedValue = wrappedValue }
}

private struct Span: Codable, Equatable {
    var openFrom = Date(timeIntervalSince1970: 0)
    var ratio = 0.0
}

private class Fork: AbstractModel { var forkCount = 0 }
private class Push: AbstractModel {
    var commitNames: [String] = []
    var parent: AbstractModel?
    override class var dynamicPropertyTypes: [String: DynamicPropertyTypes] {
        [
            "parent": DynamicPropertyTypes(
                named: .path("meta", "kind"), ["fork": Fork.self, "push": Push.self], otherwise: .skip)
        ]
    }
}

private class Media: AbstractModel, DynamicTypeModel {
    class func dynamicType(for json: JSONValue) -> AbstractModel.Type? { json["width"] == nil ? Film.self : Photo.self }
}
private class Photo: Media { var width = 0 }
private class Film: Media { var duration: Double? }

/// Rules of every kind: wrappers, type names beside and inside objects, `dynamicType(for:)`, and unknown keys.
private class Ruled: AbstractModel {
    @Boxed var boxedText = ""
    @Boxed var boxedList: [Int?] = []
    @Even var evenNumber = 0
    var eventKind = "fork"
    var eventPayload: AbstractModel?
    var eventHistory: [AbstractModel] = []
    var mediaItems: [Media] = []
    var openSpan = Span()
    var openedAt = Date(timeIntervalSince1970: 0)
    var closedAt: Date?
    var ratioOfAll = 0.0
    var left: [String: JSONValue] = [:]

    override class var dynamicPropertyTypes: [String: DynamicPropertyTypes] {
        let types = ["fork": Fork.self, "push": Push.self]
        return [
            "eventPayload": DynamicPropertyTypes(named: "event_kind", types, otherwise: .skip),
            "eventHistory": DynamicPropertyTypes(named: "history_kind", types, otherwise: .skip),
        ]
    }
    override class var unknownKeysProperty: String? { "left" }
    override class var mappingOptions: MappingOptions {
        MappingOptions(dates: .millisecondsSince1970, keyStrategy: .snakeCase, nonFiniteNumbers: .strings)
    }

    static func random(_ generator: inout SeededGenerator) -> Ruled {
        let ruled = Ruled()
        ruled.boxedText = .random(&generator)
        ruled.boxedList = .random(&generator)
        ruled.evenNumber = Int(Int16.random(&generator)) * 2
        let isFork = generator.happens(onceIn: 2)
        ruled.eventKind = isFork ? "fork" : "push"
        ruled.eventPayload = isFork ? fork(&generator) : push(&generator)
        ruled.eventHistory = (0..<Int.random(in: 0...2, using: &generator)).map { _ in push(&generator) }
        ruled.mediaItems = (0..<Int.random(in: 0...3, using: &generator)).map { _ in media(&generator) }
        let moment = Date(timeIntervalSince1970: Double(Int.random(in: -1_000_000...9_000_000, using: &generator)) / 8)
        ruled.openSpan = Span(openFrom: moment, ratio: generator.oneOf([.infinity, -.infinity, 0.5, -0.0]))
        ruled.openedAt = moment
        ruled.closedAt = generator.happens(onceIn: 2) ? nil : moment
        ruled.ratioOfAll = generator.oneOf([.infinity, -.infinity, 1.5])
        ruled.left = ["other": .random(&generator), "\"quoted\"": .random(&generator)]
        return ruled
    }

    private static func fork(_ generator: inout SeededGenerator) -> Fork {
        let fork = Fork()
        fork.forkCount = .random(&generator)
        return fork
    }

    private static func push(_ generator: inout SeededGenerator) -> Push {
        let push = Push()
        push.commitNames = .random(&generator)
        push.parent = generator.happens(onceIn: 2) ? fork(&generator) : Push()
        return push
    }

    private static func media(_ generator: inout SeededGenerator) -> Media {
        if generator.happens(onceIn: 2) {
            let photo = Photo()
            photo.width = .random(&generator)
            return photo
        }
        let film = Film()
        film.duration = .random(&generator)
        return film
    }
}

@Suite("Round trips with mapping rules")
struct RoundTripRulesTests {
    @Test("Wrappers, dynamic types, unknown keys and class options round-trip")
    func rules() throws {
        var generator = SeededGenerator(seed: 31)
        for round in 0..<60 {
            let object = Ruled.random(&generator)
            let data = try object.jsonData(options: round.isMultiple(of: 2) ? [] : [.pretty, .sortedKeys])
            let text = String(decoding: data, as: UTF8.self)
            let read = try Ruled(json: data, options: .strict)
            #expect(read.isEqual(to: object), "\(text)")
            #expect(read.boxedText == object.boxedText && read.evenNumber == object.evenNumber, "\(text)")
            #expect(type(of: read.eventPayload) == type(of: object.eventPayload), "\(text)")
            #expect(read.mediaItems.map { $0 is Photo } == object.mediaItems.map { $0 is Photo }, "\(text)")
            #expect(read.openSpan == object.openSpan && read.ratioOfAll == object.ratioOfAll, "\(text)")
            #expect(read.left == object.left, "\(text)")
            #expect(try object.copy().isEqual(to: object), "\(text)")
            let later = Ruled()
            try later.update(json: data)
            #expect(later.isEqual(to: object), "\(text)")
        }
    }

    @Test("Values written and read with the same call options round-trip")
    func options() throws {
        let options = MappingOptions(
            writesNulls: true, dates: .format("yyyy-MM-dd'T'HH:mm:ss.SSS"), keyStrategy: .kebabCase,
            nonFiniteNumbers: .strings)
        var generator = SeededGenerator(seed: 32)
        for _ in 0..<60 {
            let object = Ruled.random(&generator)
            object.left = [:]
            // The pattern keeps milliseconds.
            object.openedAt = Date(timeIntervalSince1970: object.openedAt.timeIntervalSince1970.rounded())
            object.closedAt = object.closedAt.map { _ in object.openedAt }
            object.openSpan.openFrom = object.openedAt
            let text = try object.jsonString(mapping: options)
            #expect(try Ruled(json: text, options: options).isEqual(to: object), "\(text)")
        }
    }
}
