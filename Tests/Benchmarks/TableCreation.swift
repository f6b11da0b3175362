import ModelMirror

/// Measures the creation of a class's property table, over 100 generic classes of 20 properties that have not been mapped
/// before, with the runtime's type checks warm.
enum TableCreation {
    /// The time of one table.
    static func figures() throws -> Figures {
        // The first table also warms the runtime's cache of conformances, a cost that a program pays once.
        try warm()
        var times: [Double] = []
        for type in types {
            let start = ContinuousClock.now
            try map(type)
            times.append((ContinuousClock.now - start) / .microseconds(1))
        }
        times.sort()
        let median = times[times.count / 2]
        let figure = Figures.Figure(
            name: "first object of a class", microseconds: median, ratio: 1,
            lowerQuartile: times[times.count / 4] / median, upperQuartile: times[times.count * 3 / 4] / median)
        return Figures(group: .tables, name: TableCreation.name, bytes: 0, rounds: times.count, figures: [figure])
    }

    static let name = "property table of 20 properties"

    private static func warm() throws {
        for _ in 0..<2 { _ = try Twenty<Never>(json: "{}") }
        // The runtime's first check whether a class has a custom mirror or a dynamic type takes longer than the table; every use of
        // `Mirror` and every cast does it.
        for type in types where type is any DynamicTypeModel.Type || Mirror(reflecting: type.init()).children.isEmpty {
            print("\(type) is not a class of 20 properties")
        }
    }

    /// `nonisolated(unsafe)`: used by one thread.
    nonisolated(unsafe) private static var next = 0

    /// Creates the table of the next class.
    static func one() throws {
        if next == 0 { try warm() }
        let type = types[next]
        next += 1
        try map(type)
    }

    private static func map(_ type: (some TwentyProperties).Type) throws { _ = try type.mapReporting(json: "{}") }

    /// 100 classes: a generic one with 100 arguments.
    private static let types: [any TwentyProperties.Type] = {
        let digits: [any Digit.Type] = [
            D0.self, D1.self, D2.self, D3.self, D4.self, D5.self, D6.self, D7.self, D8.self, D9.self,
        ]
        func pair<First: Digit, Second: Digit>(_: First.Type, _: Second.Type) -> any TwentyProperties.Type {
            Twenty<Pair<First, Second>>.self
        }
        return digits.flatMap { first in digits.map { pair(first, $0) } }
    }()
}

private protocol TwentyProperties: AbstractModel {}

private class Twenty<Tag>: AbstractModel, TwentyProperties {
    var id = 0
    var name = ""
    var title: String?
    var score = 0.0
    var isActive = false
    var tags: [String] = []
    var counts: [Int] = []
    var url: String?
    var level: Int?
    var labels: [String: String] = [:]
    var count = 0
    var text = ""
    var subtitle: String?
    var ratio = 0.0
    var isHidden = false
    var number = 0
    var summary = ""
    var link: String?
    var order: Int?
    var rank = 0
}

private protocol Digit {}
private enum D0: Digit {}
private enum D1: Digit {}
private enum D2: Digit {}
private enum D3: Digit {}
private enum D4: Digit {}
private enum D5: Digit {}
private enum D6: Digit {}
private enum D7: Digit {}
private enum D8: Digit {}
private enum D9: Digit {}
private enum Pair<First, Second> {}
