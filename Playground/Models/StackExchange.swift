import ModelMirrorNetworking

/// What Stack Exchange can be asked: the raw value is the path.
enum StackExchange: String, Route {
    typealias Environment = StackExchangeServer
    case questions

    var query: ParameterList { ["order": "desc", "sort": "activity", "site": "stackoverflow"] }
}

extension StackExchange {
    /// The enum above, for the tour to show. A change up there belongs here, too.
    static let declaration = """
        enum StackExchange: String, Route {
            typealias Environment = StackExchangeServer
            case questions

            var query: ParameterList { ["order": "desc", "sort": "activity", "site": "stackoverflow"] }
        }
        """
}
