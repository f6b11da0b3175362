import Foundation
import ModelMirror
import Testing

@Suite("Models in actors and tasks")
struct ConcurrencyTests {
    @Test("A view model on the main actor can map and keep models")
    @MainActor
    func viewModel() throws {
        let viewModel = GistViewModel()
        viewModel.load(#"{"id": "1", "url": "u", "created_at": "2016-01-23T18:30:00Z", "comments": 3}"#)
        #expect(viewModel.gist?.comments == 3)
        #expect(viewModel.message == "1 has 3 comments")
        viewModel.load(#"{"id": "1", "url": "u", "created_at": 5}"#)
        #expect(viewModel.gist?.comments == 3)
        #expect(
            viewModel.message
                == "Gist.createdAt at $.created_at (line 1, column 39): expected a date in ISO 8601 or \"y-MM-dd HH:mm:ssZ\", found "
                + "the number 5; the option dates accepts numbers, as .secondsSince1970 or .millisecondsSince1970.")
    }

    @Test("A background task can map every kind of model")
    func background() async throws {
        let found = try await Task.detached {
            let gist = try Gist(
                json: #"{"id": "1", "url": "u", "created_at": "2016-01-23T18:30:00Z", "user": {"login": "o"}}"#)
            let account = try Account(
                json: #"{"id": 7, "visibility": "friends", "plan": "pro", "balance": 1, "limit": 2}"#)
            let animals = try [Animal](json: #"[{"type": "dog"}, {"type": "cat"}]"#)
            let article = try Article(json: #"{"title": "t"}"#)
            let booking = try Booking(json: #"{"start": 5, "end": 7, "seat": "4a"}"#)
            return [
                gist.user?.login ?? "", "\(account.number)", account.visibility.rawValue, account.plan?.rawValue ?? "",
                "\(account.balance.cents)", "\(account.limit)",
                animals.map { "\(type(of: $0))" }.joined(separator: " "),
                article.title, "\(booking.length)",
            ]
        }.value
        #expect(found == ["o", "7", "friends", "pro", "100", "200", "Dog Cat", "t", "2"])
    }

    @Test("Enums are read alike in background tasks and on the main actor, whichever comes first")
    func enumsInBackground() async throws {
        let background = try await Task.detached {
            try FirstInBackground(json: #"{"level": "high", "levels": ["low", "high"], "ranks": {"a": 2}}"#).summary
        }.value
        #expect(background == "high low high 2")
        let main = try await MainActor.run {
            try FirstOnMainActor(json: #"{"level": "high", "levels": ["low", "high"], "ranks": {"a": 2}}"#).summary
        }
        #expect(main == "high low high 2")
        let crossed = try await Task.detached {
            try FirstOnMainActor(json: #"{"level": "high", "levels": ["low", "high"], "ranks": {"a": 2}}"#).summary
        }.value
        #expect(crossed == "high low high 2")
    }

    @Test("A Decodable structure is read alike in a background task and on the main actor")
    func decodableInBackground() async throws {
        let background = try await Task.detached {
            try Placed(json: #"{"place": {"latitude": 1.5, "longitude": 2.5}}"#).place.longitude
        }.value
        #expect(background == 2.5)
        let main = try await MainActor.run {
            try Placed(json: #"{"place": {"latitude": 1.5, "longitude": 3.5}}"#).place.longitude
        }
        #expect(main == 3.5)
    }

    @Test("A model that is created in a background task can be sent to the main actor")
    func sending() async throws {
        let gist = try await fetch()
        #expect(gist.id == "9")
        await MainActor.run { GistViewModel().show(gist) }
    }

    @Test("An actor can map and keep models")
    func actors() async throws {
        let store = Store()
        try await store.add(#"{"login": "a"}"#)
        try await store.add(#"{"login": "b"}"#)
        #expect(await store.logins == ["a", "b"])
    }

    @Test("A converter in a background task sees the context of the options")
    func context() async throws {
        let total = try await Task.detached {
            try Priced(json: #"{"price": 3}"#, options: MappingOptions(context: Rate(factor: 4))).price
        }.value
        #expect(total == 12)
    }

    private nonisolated func fetch() async throws -> sending Gist {
        try Gist(json: #"{"id": "9", "url": "u", "created_at": "2016-01-23T18:30:00Z"}"#)
    }
}

// MARK: Models and their users

/// What a view shows.
@MainActor
final class GistViewModel {
    private(set) var gist: Gist?
    private(set) var message = ""

    func load(_ json: String) {
        do {
            let gist = try Gist(json: json)
            show(gist)
        } catch {
            message = error.description
        }
    }

    func show(_ gist: Gist) {
        self.gist = gist
        message = "\(gist.id ?? "") has \(gist.comments) comments"
    }
}

actor Store {
    private var users: [User] = []
    var logins: [String] { users.map(\.login) }
    func add(_ json: String) throws { users.append(try User(json: json)) }
}

enum Level: String {
    case low, high
}

enum Rank: Int {
    case first = 1, second
}

class FirstInBackground: AbstractModel {
    var level = Level.low
    var levels: [Level] = []
    var ranks: [String: Rank] = [:]
    var summary: String { "\(level) \(levels.map(\.rawValue).joined(separator: " ")) \(ranks["a"]?.rawValue ?? 0)" }
}

class FirstOnMainActor: AbstractModel {
    var level = Level.low
    var levels: [Level] = []
    var ranks: [String: Rank] = [:]
    var summary: String { "\(level) \(levels.map(\.rawValue).joined(separator: " ")) \(ranks["a"]?.rawValue ?? 0)" }
}

struct Place: Codable {
    var latitude: Double
    var longitude: Double
}

class Placed: AbstractModel {
    var place = Place(latitude: 0, longitude: 0)
}

struct Rate: Sendable {
    var factor: Int
}

struct RateConverter: Converter {
    func value(from json: JSONValue) throws -> Int {
        (json.int ?? 0) * ((MappingContext.current as? Rate)?.factor ?? 1)
    }
    func json(from value: Int) throws -> JSONValue { .number(JSONNumber(value)) }
}

class Priced: AbstractModel {
    var price = 0
    override class var propertyConverters: [String: any Converter] { ["price": RateConverter()] }
}
