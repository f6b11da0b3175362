import ModelMirror

/// `citm_catalog.json`: a season of concerts, with dictionaries keyed by number.
final class Catalog: AbstractModel {
    var areaNames: [String: String] = [:]
    var audienceSubCategoryNames: [String: String] = [:]
    var events: [String: Event] = [:]
    var performances: [Performance] = []
    var seatCategoryNames: [String: String] = [:]
    var subTopicNames: [String: String] = [:]
    var topicNames: [String: String] = [:]
    var topicSubTopics: [String: [Int]] = [:]
    var venueNames: [String: String] = [:]
}

final class Event: AbstractModel {
    var id = 0
    var description: String?
    var logo: String?
    var name = ""
    var subTopicIds: [Int] = []
    var subjectCode: String?
    var subtitle: String?
    var topicIds: [Int] = []
}

final class Performance: AbstractModel {
    var eventId = 0
    var id = 0
    var logo: String?
    var name: String?
    var prices: [Price] = []
    var seatCategories: [SeatCategory] = []
    var seatMapImage: String?
    var start = 0
    var venueCode = ""
}

final class Price: AbstractModel {
    var amount = 0
    var audienceSubCategoryId = 0
    var seatCategoryId = 0
}

final class SeatCategory: AbstractModel {
    var areas: [Area] = []
    var seatCategoryId = 0
}

final class Area: AbstractModel {
    var areaId = 0
    var blockIds: [Int] = []
}

final class CodableCatalog: Codable {
    var areaNames: [String: String] = [:]
    var audienceSubCategoryNames: [String: String] = [:]
    var events: [String: CodableEvent] = [:]
    var performances: [CodablePerformance] = []
    var seatCategoryNames: [String: String] = [:]
    var subTopicNames: [String: String] = [:]
    var topicNames: [String: String] = [:]
    var topicSubTopics: [String: [Int]] = [:]
    var venueNames: [String: String] = [:]
}

final class CodableEvent: Codable {
    var id = 0
    var description: String?
    var logo: String?
    var name = ""
    var subTopicIds: [Int] = []
    var subjectCode: String?
    var subtitle: String?
    var topicIds: [Int] = []
}

final class CodablePerformance: Codable {
    var eventId = 0
    var id = 0
    var logo: String?
    var name: String?
    var prices: [CodablePrice] = []
    var seatCategories: [CodableSeatCategory] = []
    var seatMapImage: String?
    var start = 0
    var venueCode = ""
}

final class CodablePrice: Codable {
    var amount = 0
    var audienceSubCategoryId = 0
    var seatCategoryId = 0
}

final class CodableSeatCategory: Codable {
    var areas: [CodableArea] = []
    var seatCategoryId = 0
}

final class CodableArea: Codable {
    var areaId = 0
    var blockIds: [Int] = []
}
