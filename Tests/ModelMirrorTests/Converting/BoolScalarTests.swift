import ModelMirror
import Testing

@Suite("Bool")
struct BoolScalarTests {
    private static func table(start: Bool) -> ConversionTable<Bool> {
        ConversionTable(start: start, expected: "true or false")
    }

    @Test("true and false are accepted by lenient and strict mapping", arguments: [("true", true), ("false", false)])
    func literals(json: String, value: Bool) { Self.table(start: !value).takes(json, as: value) }

    @Test(
        "The strings true, t, 1, false, f and 0 are coerced in any letter case",
        arguments: [
            ("true", true), ("True", true), ("TRUE", true), ("tRuE", true), ("t", true), ("T", true), ("1", true),
            ("false", false), ("False", false), ("FALSE", false), ("fAlSe", false), ("f", false), ("F", false),
            ("0", false),
        ])
    func texts(text: String, value: Bool) { Self.table(start: !value).coerces("\"\(text)\"", to: value) }

    @Test(
        "A number is coerced to false if it is zero and to true otherwise",
        arguments: [
            ("1", true), ("2", true), ("-1", true), ("0.1", true), ("1e-400", true), ("1e400", true), ("1.0", true),
            ("123456789012345678901234567890", true), ("0.00000000000000000000000000000000000000001", true),
            ("0", false),
            ("-0", false), ("0.0", false), ("0e5", false), ("-0.000E-10", false),
            ("0.00000000000000000000000000000000000000000", false),
        ])
    func numbers(json: String, value: Bool) { Self.table(start: !value).coerces(json, to: value) }

    @Test(
        "Other strings, arrays and objects are rejected",
        arguments: [
            #""yes""#, #""no""#, #""y""#, #""n""#, #""on""#, #""off""#, #"" true""#, #""true ""#, #""""#, #""2""#,
            #""1.0""#,
            #""00""#, #""-1""#, #""tr""#, #""wahr""#, #""ｔ""#, "[]", "[true]", "{}",
        ])
    func others(json: String) {
        Self.table(start: true).refuses(json)
        Self.table(start: false).refuses(json)
    }
}
