import Foundation
import ModelMirror
import ModelMirrorNetworking
import Testing

@Suite("ParameterList")
struct ParameterListTests {
    /// The members as a JSON object, in the order of the list.
    private func json(_ list: ParameterList) throws -> String {
        var request = TransportRequest(.post, try #require(URL(string: "https://x.org/")))
        try RequestParameters.json(list).apply(to: &request)
        guard case .data(let data)? = request.body?.content else { return "" }
        return String(decoding: data, as: UTF8.self)
    }

    /// The parameters as a query.
    private func query(_ list: ParameterList) throws -> String {
        var request = TransportRequest(.get, try #require(URL(string: "https://x.org/")))
        try RequestParameters.query(list).apply(to: &request)
        return request.url.query(percentEncoded: false) ?? ""
    }

    /// The reason why parameters cannot be sent.
    private func refusal(_ make: () throws -> ParameterList) -> String? {
        do { _ = try query(make()) } catch RequestError.invalidRequest(let reason) { return reason } catch {}
        return nil
    }

    @Test("Texts, numbers, dates, URLs, identifiers, enums and JSON are parameter values")
    func scalars() throws {
        let text = "a b"
        let date = Date(timeIntervalSince1970: 1_453_573_800)
        let url = try #require(URL(string: "https://a.example/b?c=d"))
        let id = try #require(UUID(uuidString: "0a0b0c0d-0000-1111-2222-333344445555"))
        let decimal = try #require(Decimal(string: "0.1000000000000000000001"))
        let free: JSONValue = ["b": [1, nil], "a": true]
        #expect(try json(["string": text, "part": text.prefix(1)]) == #"{"string":"a b","part":"a"}"#)
        #expect(
            try json([
                "int": Int.min, "i8": Int8.min, "i16": Int16.max, "i32": Int32.min, "i64": Int64.max, "uint": UInt.max,
                "u8": UInt8.max, "u16": UInt16.max, "u32": UInt32.max, "u64": UInt64.max,
            ])
                == #"{"int":-9223372036854775808,"i8":-128,"i16":32767,"i32":-2147483648,"i64":9223372036854775807,"#
                + #""uint":18446744073709551615,"u8":255,"u16":65535,"u32":4294967295,"u64":18446744073709551615}"#)
        #expect(
            try json(["double": 0.1 as Double, "float": 0.1 as Float, "decimal": decimal, "yes": true])
                == #"{"double":0.1,"float":0.1,"decimal":0.1000000000000000000001,"yes":true}"#)
        #expect(
            try json(["since": date, "link": url, "id": id, "sort": Sort.updated, "level": Level.high])
                == #"{"since":"2016-01-23T18:30:00Z","link":"https://a.example/b?c=d","#
                + #""id":"0A0B0C0D-0000-1111-2222-333344445555","sort":"updated","level":2}"#)
        #expect(try json(["free": free]) == #"{"free":{"a":true,"b":[1,null]}}"#)
        #expect(
            try query(["q": text, "since": date, "link": url, "sort": Sort.created])
                == "q=a b&since=2016-01-23T18:30:00Z&link=https://a.example/b?c=d&sort=created")
    }

    @Test("nil omits a parameter, and JSONValue.null is null in JSON and omitted in a query")
    func nulls() throws {
        let none: Int? = nil
        let some: Int? = 7
        #expect(try query(["a": nil, "b": none, "c": some, "d": JSONValue.null]) == "c=7")
        #expect(
            try json(["a": Int8.min, "b": UInt64.max, "c": true]) == #"{"a":-128,"b":18446744073709551615,"c":true}"#)
        #expect(try query(["a": Int128.min]) == "a=-170141183460469231731687303715884105728")
        for (list, written) in [
            (["a": nil, "b": none, "c": some, "d": JSONValue.null], #"{"c":7,"d":null}"#),
            (["a": [1, nil, 3], "b": ["x": 1, "y": nil]], #"{"a":[1,3],"b":{"x":1}}"#),
            (["a": [1, .null] as [JSONValue]], #"{"a":[1,null]}"#), ([:], "{}"),
        ] as [(ParameterList, String)] {
            #expect(try json(list) == written)
        }
    }

    @Test("Arrays and dictionaries of values can be nested to any depth")
    func nested() throws {
        let tags = ["x", "y"]
        let dates = [Date(timeIntervalSince1970: 0)]
        #expect(
            try json(["tags": tags, "counts": ["b": 2, "a": 1], "dates": dates, "deep": [[1], []]])
                == #"{"tags":["x","y"],"counts":{"a":1,"b":2},"dates":["1970-01-01T00:00:00Z"],"deep":[[1],[]]}"#)
        let poll: ParameterList = [
            "poll": .object(["options": tags, "multiple": true, "inner": .object(["none": nil, "n": 1])]),
            "mixed": .array([1, "a", nil, .array([true]), .object(["k": Sort.created])]),
        ]
        #expect(
            try json(poll)
                == #"{"poll":{"inner":{"n":1},"multiple":true,"options":["x","y"]},"mixed":[1,"a",[true],{"k":"created"}]}"#
        )
        #expect(
            try query(poll)
                == "poll[inner][n]=1&poll[multiple]=true&poll[options][]=x&poll[options][]=y&mixed[]=1&mixed[]=a&mixed[][]=true"
                + "&mixed[][k]=created")
    }

    @Test("A literal keeps its order and repeated names; a dictionary is sorted by name")
    func order() throws {
        #expect(try query(["b": 1, "a": 2, "b": 3]) == "b=1&a=2&b=3")
        let made: [String: (any ParameterValue)?] = ["b": 1, "a": "x", "c": nil]
        #expect(try query(ParameterList(made)) == "a=x&b=1")
        var list: ParameterList = ["b": 1]
        list.append(Sort.created, named: "a")
        list.append(nil, named: "c")
        #expect(try query(list) == "b=1&a=created")
        // In a nested list, a repeated name is written once, with its last value.
        #expect(try json(["o": ["b": 1, "a": 2, "b": 3] as ParameterList]) == #"{"o":{"a":2,"b":3}}"#)
    }

    @Test("A dictionary of values of any type is converted at run time")
    func runTime() throws {
        let values: [String: Any?] = [
            "n": 1, "t": "x", "d": Date(timeIntervalSince1970: 0), "none": nil, "null": NSNull(), "sort": Sort.updated,
            "list": [1, "a", true] as [Any], "object": ["k": [1.5]] as [String: Any],
            "dates": [Date(timeIntervalSince1970: 0)],
        ]
        #expect(
            try json(ParameterList(any: values))
                == #"{"d":"1970-01-01T00:00:00Z","dates":["1970-01-01T00:00:00Z"],"list":[1,"a",true],"n":1,"null":null,"#
                + #""object":{"k":[1.5]},"sort":"updated","t":"x"}"#)
        #expect(
            refusal { try ParameterList(any: ["a": 1, "b": Unsendable(), "c": Data()]) }
                == #"the parameter "b" cannot be sent: JSON at $: expected a value that JSON can hold, found a value of type Unsendable"#
        )
        #expect(
            refusal { try ParameterList(any: ["a": ["x": [Unsendable()]]]) }
                == #"the parameter "a" cannot be sent: JSON at $.x[0]: expected a value that JSON can hold, found a value of type Unsendable"#
        )
    }

    @Test("Non-finite numbers and dates out of range are reported with the parameter's name")
    func refusals() throws {
        #expect(
            refusal { ["a": 1, "ratio": Double.nan] }
                == #"the parameter "ratio" cannot be sent: JSON at $: expected a finite number, found nan of type Double"#
        )
        for (make, name) in [
            ({ ["a": .array([1, Float.infinity])] }, "a"), ({ ["a": .object(["b": Double.nan])] }, "a"),
            ({ ["when": Date(timeIntervalSince1970: 1e15)] }, "when"),
            ({ try ParameterList(any: ["x": Double.infinity]) }, "x"),
        ] as [(() throws -> ParameterList, String)] {
            #expect(refusal(make)?.hasPrefix("the parameter \"\(name)\" cannot be sent: ") == true, "\(name)")
        }
    }
}

private enum Sort: String, ParameterValue { case created, updated }
private enum Level: Int, ParameterValue { case low = 1, high }
private struct Unsendable {}
