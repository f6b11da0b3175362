/// How one case of an enum is read, written, compared and copied.
final class CasePlan<Value> {
    /// The values that stand for the case; the first is written.
    let names: [JSONValue]
    let ranges: [ClosedRange<Double>]
    /// The value of a case without a payload.
    let constant: Value?
    /// The plan of the payload, as one of the enum's values.
    let payload: TypePlan<Value>?
    /// Whether a value is of the case.
    let holds: (Value) -> Bool

    init(_ value: Value, _ names: [JSONValue], _ ranges: [ClosedRange<Double>] = []) {
        (self.names, self.ranges, constant, payload) = (names, ranges, value, nil)
        // The runtime's name of the case: types with descriptions of their own are Equatable, which the list of cases checks.
        let label = Mirror(reflecting: value).children.first?.label
        holds = {
            // Compared by label first, so that the payload of another case is not printed.
            Comparison.equality($0, value)
                ?? (Mirror(reflecting: $0).children.first?.label == label && "\($0)" == "\(value)")
        }
    }

    /// - Parameter make: The case as a function of its payload.
    init<Payload>(_ names: [JSONValue], _ plan: TypePlan<Payload>, _ make: @escaping (Payload) -> Value) {
        (self.names, ranges, constant) = (names, [], nil)
        payload = plan.whole.bridged(to: make) { CasePlan.payload(of: $0, make) }
        holds = { CasePlan.payload(of: $0, make) != nil }
    }

    /// What is written for the case.
    var name: JSONValue {
        let bounds = ranges.lazy.flatMap { [$0.lowerBound, $0.upperBound] }
        return names.first ?? bounds.compactMap { JSONNumber($0) }.first.map { .number($0) } ?? .null
    }

    func hasName(_ text: String?) -> Bool { text != nil && names.contains { $0.typeName == text } }

    /// Whether a value stands for the case.
    func isNamed(by json: JSONValue) -> Bool {
        names.contains(json) || json.double.map { number in ranges.contains { $0.contains(number) } } == true
    }

    /// The payload of a value of this case; nil for other cases.
    static func payload<Payload>(of value: Value, _ make: (Payload) -> Value) -> Payload? {
        guard let child = Mirror(reflecting: value).children.first else { return nil }
        guard let payload = child.value as? Payload ?? labeled(child.value)?.value as? Payload else { return nil }
        // Another case may have a payload of the same type, and another label.
        let made = Mirror(reflecting: make(payload)).children.first
        let isSame =
            made?.label == child.label && made.flatMap { labeled($0.value)?.label } == labeled(child.value)?.label
        return isSame ? payload : nil
    }

    /// The payload with its label in a tuple of one element, as which the runtime shows it.
    private static func labeled(_ value: Any) -> Mirror.Child? {
        let mirror = Mirror(reflecting: value)
        return mirror.displayStyle == .tuple && mirror.children.count == 1 ? mirror.children.first : nil
    }
}
