import ModelMirror

/// Measures how long the property table of a class takes, over 100 generic classes of ten properties that nobody has mapped
/// yet, with the runtime's type checks warm.
enum TableCreation {
    static func run() throws {
        // The first table also warms the runtime's cache of conformances, which a program needs once.
        try warm()
        var times: [Double] = []
        for type in types {
            let start = ContinuousClock.now
            try map(type)
            times.append((ContinuousClock.now - start) / .microseconds(1))
        }
        times.sort()
        print("a property table: \((times[times.count / 2] * 10).rounded() / 10) µs (median of \(times.count) classes)")
    }

    private static func warm() throws {
        for _ in 0..<2 { _ = try Ten<Never>(json: "{}") }
        // The runtime's first answer to whether a class describes or types its objects itself takes longer than the table;
        // every use of `Mirror` and every cast asks for it.
        for type in types where type is any DynamicTypeModel.Type || Mirror(reflecting: type.init()).children.isEmpty {
            print("\(type) is no class of ten properties")
        }
    }

    private static func map(_ type: (some TenProperties).Type) throws { _ = try type.mapReporting(json: "{}") }

    /// 100 classes: a generic one with 100 arguments.
    private static let types: [any TenProperties.Type] = {
        let digits: [any Digit.Type] = [
            D0.self, D1.self, D2.self, D3.self, D4.self, D5.self, D6.self, D7.self, D8.self, D9.self,
        ]
        func pair<First: Digit, Second: Digit>(_: First.Type, _: Second.Type) -> any TenProperties.Type {
            Ten<Pair<First, Second>>.self
        }
        return digits.flatMap { first in digits.map { pair(first, $0) } }
    }()
}

private protocol TenProperties: AbstractModel {}

private class Ten<Tag>: AbstractModel, TenProperties {
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
